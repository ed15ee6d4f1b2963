import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileScreens } from '../../../src/descriptor/compile.ts';
import type { SourceFile } from '../../../src/descriptor/compile.ts';
import { functions } from '../../../src/descriptor/expression/functions.ts';
import { readSources } from '../../../src/server/engine/descriptors/load.ts';
import { readTypes } from '../../../src/server/engine/descriptors/types.ts';
import { file, root, types } from './fixtures/compile_sample.ts';

const text = readFileSync(join(root, 'docs/descriptors.md'), 'utf8');
const meta = JSON.parse(readFileSync(join(root, 'schemas/meta/screen.schema.json'), 'utf8')) as {
  properties: object;
  $defs: Record<string, { properties: object }>;
};
const reportMeta = JSON.parse(readFileSync(join(root, 'schemas/meta/report.schema.json'), 'utf8')) as {
  properties: { from: { properties: object } };
};
const dashboardMeta = JSON.parse(readFileSync(join(root, 'schemas/meta/dashboard.schema.json'), 'utf8')) as {
  properties: { tiles: { items: { properties: { from: { properties: object } } } } };
};

type Json = Record<string, unknown>;
/** Fences of JSON: the language, then what the piece is (nothing, a type's name, fields, schema), its line and its text. */
const examples = [...text.matchAll(/^```json ?(\w*)\n([\s\S]*?)^```$/gm)].map((match) => ({
  is: match[1]!,
  line: text.slice(0, match.index).split('\n').length,
  json: match[2]!,
}));
const order = JSON.parse(examples.find((example) => example.is === 'order')!.json) as Json & { schema: Json };

/** The file that an example stands for: itself, or the order with the piece in its place, under a name of its own. */
function fileOf(is: string, line: number, json: Json): SourceFile {
  if ('$schema' in json)
    return file(
      { '': 'lift_make', order: 'order', tree: 'cost_centre' }[is] ?? is,
      JSON.stringify(json, null, 2),
      'documentation',
    );
  const piece =
    is === 'fields'
      ? { schema: { ...order.schema, properties: { ...(order.schema.properties as Json), ...json } } }
      : is === 'schema'
        ? { schema: { ...order.schema, ...json } }
        : json;
  return file(`order_of_line_${line}`, JSON.stringify({ ...order, ...piece }, null, 2), 'documentation');
}

describe('docs/descriptors.md', () => {
  let compiled: ReturnType<typeof compileScreens>;
  const own = examples.map(({ is, line, json }) => fileOf(is, line, JSON.parse(json) as Json));
  beforeAll(async () => {
    const named = new Set(own.map(({ name }) => name));
    const real = (await readSources(join(root, 'schemas'))).filter(({ name }) => !named.has(name));
    compiled = compileScreens([...real, ...own], readTypes(join(root, 'schemas')));
  });

  it('has examples', () => expect(examples.length).toBeGreaterThan(25));

  examples.forEach(({ line }, index) =>
    it(`line ${line} is valid`, () => {
      const { name, path } = own[index]!;
      expect(compiled.problems.filter((problem) => problem.file === path)).toEqual([]);
      const { screens, reports, dashboards, jobs } = compiled;
      const isThere = screens.has(name) || reports.has(name) || dashboards.has(name);
      expect(isThere || (name === 'jobs' && jobs.length === 1)).toBe(true);
    }),
  );

  const shown = text.replace(/\\\|/g, '|');
  const words = (object: object) =>
    Object.keys(object).filter((word) => !['type', 'additionalProperties', 'allOf'].includes(word));
  for (const word of [
    ...words(meta.properties),
    ...words(meta.$defs.access!.properties),
    ...words(meta.$defs.rule!.properties),
    ...words(meta.$defs.record!.properties),
    ...words(reportMeta.properties),
    ...words(reportMeta.properties.from.properties),
    ...words(dashboardMeta.properties),
    ...words(dashboardMeta.properties.tiles.items.properties),
    ...words(dashboardMeta.properties.tiles.items.properties.from.properties),
  ])
    it(`explains ${word}`, () => expect(shown).toContain(`\`${word}\``));
  for (const word of words(meta.$defs.field!.properties))
    it(`shows the field word ${word}`, () =>
      expect(shown.includes(`"${word}"`) || shown.includes(`\`${word}\``)).toBe(true));
  for (const name of Object.keys(types.$defs as object))
    it(`lists the type ${name}`, () => expect(shown).toContain(`\`${name}\``));
  for (const name of Object.keys(functions))
    it(`lists the function ${name}`, () => expect(shown).toMatch(new RegExp(`\`${name}[(\`]`)));
});
