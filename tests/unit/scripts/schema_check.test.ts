import { JOBS_FILE } from '../../../src/descriptor/jobs.ts';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fieldTypes } from '../../../src/descriptor/fieldtypes/registry.ts';
import { schemaCheck } from '../../../scripts/schema_check.ts';
import { copySchemas } from '../../api/schemas_with.ts';
import { loadScreens, readSources } from '../../../src/server/engine/descriptors/load.ts';

const root = join(import.meta.dirname, '../../..');
const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, unknown>;

const run = (folder: string, ...args: string[]) => schemaCheck([folder, ...args]);

describe('schema:check', { timeout: 60_000 }, () => {
  let schemas: string;
  beforeAll(() => {
    schemas = join(mkdtempSync(join(tmpdir(), 'mainstay-check-')), 'schemas');
    copySchemas(schemas);
  });
  afterAll(() => rmSync(join(schemas, '..'), { recursive: true, force: true }));

  it('finds nothing in the product’s own descriptors', async () => {
    const { screens, reports, dashboards, jobs, problems } = await loadScreens(join(root, 'schemas'));
    expect(problems).toEqual([]);
    const files = (await readSources(join(root, 'schemas'))).filter(({ name }) => name !== JOBS_FILE);
    expect(screens.size + reports.size + dashboards.size).toBe(files.length);
    expect(jobs.length).toBeGreaterThan(0);
    // As a command, in a process of its own; what it finds is tried below without one.
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(root, 'scripts/schema_check.ts'), join(root, 'schemas')],
      { encoding: 'utf8' },
    );
    expect(stdout).toMatch(/^\d+ descriptors right, 0 problems, \d+ ms\.\n$/);
    expect(status).toBe(0);
  });

  it('names file, line, path, error and correction, and fails', async () => {
    const path = join(schemas, 'organisation/zone.json');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('"title": "Zone"', '"kind": "mastr", "title": "Zone"'));
    const { status, stdout } = await run(schemas);
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /organisation\/zone\.json:3 {2}\$\.kind\n {2}Kind "mastr" does not exist\.\n {2}There are: master, document, settings, view\./,
    );
    expect(stdout).toMatch(/1 problem,/);
    const [problem] = JSON.parse((await run(schemas, '--json')).stdout) as object[];
    expect(problem).toMatchObject({ file: path, line: 3, path: '$.kind' });
    writeFileSync(path, text);
  });

  it('checks the place in the menu and the menu itself', async () => {
    const path = join(schemas, 'organisation/zone.json');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('"title": "Zone"', '"title": "Zone",\n  "menu": { "under": "nowhere" }'));
    expect(await run(schemas)).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('There is no menu group "nowhere"') as string,
    });
    writeFileSync(path, text);
  });

  it('checks types.json', async () => {
    const path = join(schemas, 'types.json');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('"x-type": "pan"', '"x-type": "pna"'));
    expect(await run(schemas)).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(
        /types\.json:\d+ {2}\$\.\$defs\.pan\.x-type\n {2}"x-type" cannot be "pna"\.\n {2}Did you mean "pan"/,
      ) as string,
    });
    writeFileSync(path, text.slice(0, -5));
    expect(await run(schemas)).toMatchObject({ status: 1, stdout: expect.stringContaining('not JSON') as string });
    writeFileSync(path, text);
    expect((await run(schemas)).status).toBe(0);
  });
});

describe('the meta-schemas', () => {
  it('accept every descriptor of the product', async () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    const screen = ajv.compile({ ...json('schemas/meta/screen.schema.json'), $id: 'screen.schema.json' });
    const others = Object.fromEntries(
      (['report', 'dashboard', 'jobs'] as const).map((kind) => [
        kind,
        ajv.compile({ ...json(`schemas/meta/${kind}.schema.json`), $id: `${kind}.schema.json` }),
      ]),
    );
    for (const { path, name, text } of await readSources(join(root, 'schemas'))) {
      const validate =
        others[name === JOBS_FILE ? 'jobs' : ((JSON.parse(text) as { kind?: string }).kind ?? '')] ?? screen;
      expect(validate(JSON.parse(text)), `${path} ${JSON.stringify(validate.errors)}`).toBe(true);
    }
  });

  it('accept types.json, whose types are those of the registry', () => {
    const ajv = new Ajv2020({ strict: false });
    ajv.addSchema({ ...json('schemas/meta/screen.schema.json'), $id: 'screen.schema.json' });
    const meta = json('schemas/meta/types.schema.json') as {
      $defs: { type: { properties: { 'x-type': { enum: string[] } } } };
    };
    const validate = ajv.compile({ ...meta, $id: 'types.schema.json' });
    expect(validate(json('schemas/types.json')), JSON.stringify(validate.errors)).toBe(true);
    // Fields that hold a clock are made by the word `clocks` alone.
    const written = [...fieldTypes.keys()].filter((name) => name !== 'clock');
    expect([...meta.$defs.type.properties['x-type'].enum].sort()).toEqual(written.sort());
  });

  it('document every word and every type', () => {
    const meta = json('schemas/meta/screen.schema.json') as {
      properties: Record<string, { description?: string }>;
      $defs: Record<
        string,
        { properties?: Record<string, { description?: string; examples?: string[]; $ref?: string }> }
      >;
    };
    for (const [word, schema] of Object.entries(meta.properties)) expect(schema.description, word).toBeTruthy();
    for (const [word, schema] of Object.entries(meta.$defs.field!.properties!))
      expect(schema.description ?? schema.$ref, word).toBeTruthy();
    expect(meta.$defs.field!.properties!.$ref!.examples).toEqual(
      Object.keys(json('schemas/types.json').$defs as object).map((name) => `types#${name}`),
    );
  });
});
