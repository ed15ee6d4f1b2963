/** `npm run schema:new <folder>/<name>`: writes a new, correct descriptor from flags or, at a terminal, from a few questions. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { compileScreens } from '../src/descriptor/compile.ts';
import { humanise } from '../src/descriptor/humanise.ts';
import { pluralOf } from '../src/descriptor/words/plural.ts';
import { didYouMean } from '../src/descriptor/source.ts';
import type { JsonSchema } from '../src/descriptor/types.ts';
import { readSources } from '../src/server/engine/descriptors/load.ts';
import { readTypes } from '../src/server/engine/descriptors/types.ts';

const HELP = `npm run schema:new <folder>/<name> -- [flags]

  --title "Lift make"           singular; default: the name in words
  --screen SCN_FMS_LIFT_MAKE    screen code of the rights; default SCN_<NAME>
  --product FMS                 product a client must have bought; default: none
  --module FMS                  module flag of the role; default MASTERS
  --scope entity                tenant (default): shared by all companies; entity: rows of one company
  --kind master                 master (default), document or settings
  --icon Wrench                 Fluent icon
  --fields "code,name,country,price:money*,status:enum(open|closed),maker_id:ref(lift_maker)"
                                name, name:type or name:type(values); * = required; default "code,name"
  --print                       shows the file without writing it

The types are those of schemas/types.json; docs/descriptors.md explains them.`;

/** What is to be written. */
export interface Wanted {
  name: string;
  title: string;
  screen: string;
  kind?: string;
  product?: string;
  module?: string;
  scope?: string;
  icon?: string;
  fields: string;
}

/** A mistake in what was asked for, in words for the person who asked. */
export class Refusal extends Error {}

/** The text of a descriptor, laid out as the others are: one line a field. */
export function descriptorText(wanted: Wanted, types: JsonSchema, recordTypes: ReadonlySet<string>): string {
  const fields = splitFields(wanted.fields).map((spec) => readField(spec, types, recordTypes));
  const required = fields.filter((field) => field.required).map((field) => field.name);
  const names = new Set(fields.map((field) => field.name));
  const unique = ['code', 'name'].filter((name) => names.has(name)).map((name) => [name]);
  const { kind = 'master' } = wanted;
  const access = {
    screen: wanted.screen,
    ...(wanted.product && { product: wanted.product }),
    ...(wanted.module && { module: wanted.module }),
  };
  const lines = [
    '"$schema": "../meta/screen.schema.json"',
    `"kind": ${JSON.stringify(kind)}`,
    `"title": ${JSON.stringify(wanted.title)}`,
    ...(wanted.icon ? [`"icon": ${JSON.stringify(wanted.icon)}`] : []),
    `"access": ${inline(access)}`,
    ...(wanted.scope && wanted.scope !== 'tenant' ? [`"scope": ${JSON.stringify(wanted.scope)}`] : []),
    `"schema": {\n${[...(required.length > 0 ? [`    "required": ${inline(required)}`] : []), `    "properties": {\n${fields.map((field) => `      "${field.name}": ${inline(field.schema)}`).join(',\n')}\n    }`].join(',\n')}\n  }`,
    ...(unique.length > 0 && kind !== 'settings' ? [`"unique": ${inline(unique)}`] : []),
    ...(kind === 'settings'
      ? []
      : [
          `"grid": ${inline(
            fields
              .filter((field) => field.inGrid)
              .slice(0, 8)
              .map((field) => field.name),
          )}`,
        ]),
  ];
  return `{\n${lines.map((line) => `  ${line}`).join(',\n')}\n}\n`;
}

/** JSON on one line, with spaces as a person puts them. */
function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (value !== null && typeof value === 'object')
    return `{ ${Object.entries(value)
      .map(([key, inner]) => `${JSON.stringify(key)}: ${inline(inner)}`)
      .join(', ')} }`;
  return JSON.stringify(value);
}

/** At commas outside brackets. */
function splitFields(text: string): string[] {
  return text
    .split(/,(?![^(]*\))/)
    .map((part) => part.trim())
    .filter(Boolean);
}

const NOT_IN_A_GRID = new Set(['rich_text', 'long_text', 'json', 'image', 'file', 'signature', 'geo']);

function readField(
  spec: string,
  types: JsonSchema,
  recordTypes: ReadonlySet<string>,
): { name: string; required: boolean; inGrid: boolean; schema: JsonSchema } {
  const match = /^(\w+)(?::([a-z_]+)(?:\(([^)]*)\))?)?(\*)?$/.exec(spec);
  if (!match)
    throw new Refusal(`"${spec}" is not a field. Write name, name:type or name:type(values), with * for required.`);
  const [, name = '', named, values, star] = match;
  const known = Object.keys(types.$defs as object);
  const target = name.replace(/_ids?$/, '');
  const type =
    named ??
    (known.includes(name)
      ? name
      : name !== target && recordTypes.has(target)
        ? name.endsWith('_ids')
          ? 'refs'
          : 'ref'
        : 'text');
  if (!known.includes(type)) throw new Refusal(`There is no field type "${type}". ${didYouMean(type, known)}`);
  const required = star !== undefined || name === 'code' || name === 'name';
  const list = (values ?? '')
    .split('|')
    .map((value) => value.trim())
    .filter(Boolean);
  if (type === 'enum') {
    if (list.length === 0) throw new Refusal(`"${name}" needs its values: ${name}:enum(open|closed).`);
    return { name, required, inGrid: true, schema: { enum: list } };
  }
  const schema: JsonSchema = { $ref: `types#${type}` };
  if (type === 'ref' || type === 'refs') schema['x-ref'] = list[0] ?? target;
  return { name, required, inGrid: !NOT_IN_A_GRID.has(type), schema };
}

interface Flags {
  title?: string;
  screen?: string;
  product?: string;
  module?: string;
  scope?: string;
  kind?: string;
  icon?: string;
  fields?: string;
}

/** Asks at a terminal for what no flag gave. Enter takes the default. */
async function ask(name: string, flags: Flags): Promise<Wanted> {
  const defaults = { title: humanise(name), screen: `SCN_${name.toUpperCase()}`, scope: 'tenant', fields: 'code,name' };
  const given = { ...flags };
  if (process.stdin.isTTY) {
    const prompt = createInterface({ input: process.stdin, output: process.stdout });
    const question = async (key: keyof typeof defaults, words: string) => {
      if (given[key] === undefined)
        given[key] = (await prompt.question(`${words} [${defaults[key]}]: `)).trim() || undefined;
    };
    await question('title', 'Title, singular');
    await question('screen', 'Screen code');
    await question('scope', 'Rows shared by all companies (tenant) or of one company (entity)');
    await question('fields', 'Fields, such as code,name,price:money*,status:enum(open|closed)');
    prompt.close();
  }
  return { name, ...defaults, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) };
}

/**
 * Writes the descriptor that the arguments describe into the folder of descriptors.
 * @returns what to say of it, and the command's exit status
 * Throws `Refusal`, and parseArgs' own errors.
 */
async function writeDescriptor(args: string[], schemas: string): Promise<{ status: number; text: string }> {
  const option = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      title: option,
      screen: option,
      product: option,
      module: option,
      scope: option,
      kind: option,
      icon: option,
      fields: option,
      print: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const [folder, name, ...more] = (positionals[0] ?? '').split('/');
  if (values.help || !folder || !name || more.length > 0) return { status: values.help ? 0 : 1, text: HELP };
  if (!/^[a-z][a-z0-9_]*$/.test(folder) || folder === 'meta')
    throw new Refusal(
      `"${folder}" cannot be a folder of descriptors. Name it with small letters, digits and underscores.`,
    );
  if (values.kind === 'report')
    throw new Refusal(
      'A report has other words than a list. Copy schemas/organisation/members_by_department.json and change its title, access and "from".',
    );
  const path = join(schemas, folder, `${name}.json`);
  if (existsSync(path)) throw new Refusal(`${relative(process.cwd(), path)} is there already; it was left as it is.`);
  const types = readTypes(schemas);
  const sources = await readSources(schemas);
  const text = descriptorText(await ask(name, values), types, new Set([...sources.map((source) => source.name), name]));
  const { problems } = compileScreens([...sources, { path, folder, name, text }], types);
  const own = problems.filter((problem) => problem.file === path);
  if (own.length > 0)
    throw new Refusal(
      own.map(({ path: at, message, hint }) => `${at}  ${message}${hint ? ` ${hint}` : ''}`).join('\n'),
    );
  if (values.print) return { status: 0, text };
  const isNew = !readdirSync(schemas).includes(folder);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { flag: 'wx' });
  const said = [
    `${relative(process.cwd(), path)} is written. ${pluralOf(humanise(name))} are at /${name}; a running server shows them at once.`,
  ];
  if (isNew)
    said.push(
      `The folder ${folder} is new: name it in schemas/menu.json ("folders") to give its screens a place in the menu.`,
    );
  return { status: 0, text: said.join('\n') };
}

/** The command: what it says, and its exit status; mistakes in what was asked for are said, not thrown. */
export async function schemaNew(args: string[], schemas: string): Promise<{ status: number; text: string }> {
  try {
    return await writeDescriptor(args, schemas);
  } catch (error) {
    if (!(error instanceof Refusal) && (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') !== true)
      throw error;
    return { status: 1, text: (error as Error).message };
  }
}

if (import.meta.main) {
  const schemas = process.env.SCHEMAS_DIR ?? join(import.meta.dirname, '..', 'schemas');
  const { status, text } = await schemaNew(process.argv.slice(2), schemas);
  (status === 0 ? console.log : console.error)(text);
  process.exitCode = status;
}
