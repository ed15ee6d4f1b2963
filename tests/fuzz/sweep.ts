import { filledNames } from '../../src/descriptor/fills.ts';
import fc from 'fast-check';
import { fieldType } from '../../src/descriptor/fieldtypes/registry.ts';
import type { Field, JsonSchema, Screen } from '../../src/descriptor/types.ts';
import type { Call } from './calls.ts';
import type { Operation } from './operations.ts';
import type { CallerName, Target } from './target.ts';
import { jsonOf, RawJson, validObject } from './values.ts';

const NUL = 'a\0b';
const BEYOND = '9'.repeat(40);
const NO_DAYS = ['2025-02-30', '0000-01-01', '99999-01-01', '2025-01-01T00:00:00+99:99', NUL, 5];

/** Values that no field of a column's type takes, one of each kind. */
function misfits(field: Field): unknown[] {
  const sql = fieldType(field.type).sql(field);
  if (field.rows) return rowMisfits(field.rows);
  if (sql.endsWith('[]')) return ['x', [[['x']]], [{}], [NUL], { x: 1 }, true, [new RawJson('9223372036854775808')]];
  const shapes = [{ x: 1 }, [['x']]];
  switch (sql) {
    case 'boolean':
      return [...shapes, 'x', 5, NUL];
    case 'integer':
    case 'numeric':
      return [...shapes, 'x', true, NUL, BEYOND, 1e300, new RawJson('1e999'), new RawJson('9223372036854775808')].slice(
        0,
        field.options ? 5 : undefined,
      );
    case 'bigint':
      return [...shapes, 'x', true, NUL, -1, 1.5, BEYOND, 1e18, new RawJson('9223372036854775808'), '__proto__'];
    case 'date':
      return [...shapes, true, ...NO_DAYS];
    case 'timestamptz':
      return [...shapes, true, ...NO_DAYS, '2025-02-30T10:00:00Z', '2025-01-01T25:61:61Z'];
    case 'time':
      return [...shapes, true, '25:61', NUL, 5];
    case 'jsonb':
      return [{ x: NUL }, '\ud800', { [NUL]: 1 }];
    case 'text':
      return [...shapes, true, NUL, '\ud800', ...(field.options ? ['no such choice', '__proto__'] : [])];
    default:
      return [...shapes, 'x', true, NUL, BEYOND, new RawJson('1e999')];
  }
}

function rowMisfits(columns: Field[]): unknown[] {
  return [
    'x',
    5,
    { x: 1 },
    [null],
    ['x'],
    [5],
    [[]],
    [{ id: 'x' }],
    [{ id: 999_999_999 }],
    [{ id: new RawJson('9223372036854775808') }],
    ...onePerType(columns.filter(isWritten)).flatMap((column) =>
      misfits(column).map((value) => [{ [column.name]: value }]),
    ),
  ];
}

/** Values that no filter compares the field with. */
function filterMisfits(field: Field): [string, unknown][] {
  switch (fieldType(field.type).filter) {
    case 'number':
      return ['x', BEYOND, {}, null, true, new RawJson('1e999')].flatMap((value): [string, unknown][] => [
        ['eq', value],
        ['between', [value, value]],
      ]);
    case 'date':
      return ['x', ...NO_DAYS, {}, true].flatMap((value): [string, unknown][] => [
        ['eq', value],
        ['between', [value, '2025-01-01']],
      ]);
    case 'boolean':
      return [
        ['eq', 'x'],
        ['eq', 1],
      ];
    case 'enum':
      return [
        ['eq', 'no such choice'],
        ['in', [null]],
        ['in', 'x'],
      ];
    case 'ref':
    case 'refs':
      return [
        ['eq', 'x'],
        ['in', [1e18]],
        ['in', [-1]],
        ['contains', 1],
      ];
    case 'text':
      return [
        ['eq', {}],
        ['contains', NUL],
        ['starts', []],
        ['in', [[]]],
      ];
    default:
      return [['eq', {}]];
  }
}

const isWritten = ({ readOnly, formula, count, fetch }: Field): boolean =>
  !readOnly && formula === undefined && count === undefined && fetch === undefined;

function onePerType(fields: Field[]): Field[] {
  return [...new Map(fields.map((field) => [`${field.type}${field.options ? ' of choices' : ''}`, field])).values()];
}

const WRONG_LISTS = [
  'page=-1',
  'page=x',
  `page=${BEYOND}`,
  'size=-1',
  'size=x',
  'sort=no_such_field',
  'sort=%00',
  'sort=-',
  'after=x',
  `after=${Buffer.from('[{},"x"]').toString('base64url')}`,
  `after=${Buffer.from('["2025-02-30",1e18]').toString('base64url')}`,
  'filter=%7B',
  'filter=x',
  'filter=1',
  `filter=${encodeURIComponent('["and",[null]]')}`,
  `filter=${encodeURIComponent('["no_such_field","eq",1]')}`,
  `filter=${'%5B'.repeat(500)}${'%5D'.repeat(500)}`,
  'active=x',
  'q=%00',
];
const WRONG_IDS = ['x', '0', '-1', '%00', '1.5', BEYOND, '9223372036854775808', '__proto__'];

interface Wrong {
  method: string;
  url: string;
  body?: unknown;
  /** The paths of fields of which the refusal names one. */
  names?: readonly string[];
}

/** Every field of a type with values that its column does not take: in a record, in a filter, in an address. */
function ofType(
  screen: Screen,
  first: { id: number; version: number } | null,
  has: (call: string) => boolean,
): Wrong[] {
  const { name, fields } = screen;
  const base = `/tapi/${name}`;
  const calls: Wrong[] = [];
  // A new row of a record is checked once its record is known; characters that cannot be stored are refused before.
  const added = (field: Field) => [...(screen.part ? [screen.part.by] : []), field.name];
  // What a fill sets takes the place of what was sent.
  const filled = new Set(filledNames(screen));
  const written = fields.filter((field) => isWritten(field) && !filled.has(field.name));
  const write = (field: Field, value: unknown): void => {
    const body = { [field.name]: value };
    if (first && has(`PUT ${base}/{id}`))
      calls.push({
        method: 'PUT',
        url: `${base}/${first.id}`,
        body: { ...body, version: first.version },
        names: [field.name],
      });
    else if (has(`POST ${base}`)) calls.push({ method: 'POST', url: base, body, names: added(field) });
  };
  for (const field of onePerType(written)) for (const value of misfits(field)) write(field, value);
  for (const field of written)
    if (field.ref) {
      write(field, field.type === 'refs' ? ['x'] : 'x');
      if (has(`POST ${base}`))
        calls.push({ method: 'POST', url: base, body: { [field.name]: 'x' }, names: added(field) });
    } else if (fieldType(field.type).sql(field) === 'text') write(field, NUL);
  if (has(`GET ${base}`)) {
    for (const field of fields)
      for (const [operator, value] of filterMisfits(field))
        calls.push({
          method: 'GET',
          url: `${base}?filter=${encodeURIComponent(jsonOf([field.name, operator, value]))}`,
        });
    for (const query of WRONG_LISTS) calls.push({ method: 'GET', url: `${base}?${query}` });
  }
  for (const id of WRONG_IDS)
    for (const method of ['GET', 'PUT', 'DELETE'])
      if (has(`${method} ${base}/{id}`))
        calls.push({ method, url: `${base}/${id}`, ...(method === 'PUT' && { body: { version: 1 } }) });
  return calls;
}

/** What no parameter of a report may be. */
function ofParameter(field: Field): string[] {
  const kind = fieldType(field.type).filter;
  if (kind === 'date') return ['2025-02-30', '0000-01-01', '2025-01-01T00:00:00+99:99', 'x', NUL];
  if (kind === 'number' || kind === 'ref') return ['x', BEYOND, '1e999', NUL];
  return field.options ? ['no such choice', NUL] : [NUL];
}

/** The calls of no record type, right but for one value: of them it is not known which are refused. */
function ofOwnCall({ method, path, body, query }: Operation, seed: number): Wrong[] {
  const url = path.replace(/\{\w+\}/g, '1').replace('*', 'x');
  const values = ['x', NUL, {}, [], [null], ['x'], [{}], -1, 1.5, 1e18, BEYOND, true, null, '2025-02-30', '+99:99'];
  const { properties = {} } = (body ?? {}) as { properties?: Record<string, JsonSchema> };
  return [
    ...Object.keys(properties).flatMap((name) =>
      values.map((value, at) => {
        const [right] = fc.sample(validObject(body!), { seed: seed + at, numRuns: 1 });
        return { method, url, body: { ...right, [name]: value } };
      }),
    ),
    ...query.flatMap(({ name }) =>
      ['x', '\0', '-1', BEYOND, '2025-02-30', '{', '["x"]', ''].map((value) => ({
        method,
        url: `${url}?${name}=${encodeURIComponent(value)}`,
        ...(body && { body: {} }),
      })),
    ),
  ];
}

/**
 * Goes through every record type, report and other call in order, with each known kind of wrong value in each kind of
 * field. Where the value can be no right one, the call says that it is to be refused. Of the types `maxTypes` are taken.
 */
export async function sweep(
  target: Target,
  operations: readonly Operation[],
  seed: number,
  maxTypes = Infinity,
): Promise<Call[]> {
  const byName = new Map(operations.map((operation) => [`${operation.method} ${operation.path}`, operation]));
  const calls: Call[] = [];
  const add = ({ method, url, body, names }: Wrong, operation: Operation, refused: boolean): void => {
    calls.push({
      operation,
      caller: operation.platform ? 'platform' : 'administrator',
      method,
      url,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(refused && !operation.platform && { 'x-entity-id': '1' }),
      },
      ...(body !== undefined && { payload: jsonOf(body) }),
      ...(refused && { refused: { ...(names !== undefined && { names }) } }),
    });
  };
  const all = [...target.screens.values()];
  const length = Math.min(maxTypes, all.length);
  const [screens = []] = fc.sample(fc.shuffledSubarray(all, { minLength: length, maxLength: length }), {
    seed,
    numRuns: 1,
  });
  for (const screen of screens) {
    const list = byName.get(`GET /tapi/${screen.name}`);
    const any = list ?? byName.get(`POST /tapi/${screen.name}`);
    if (!any) continue;
    const first = list ? await firstRow(target, list.platform ? 'platform' : 'administrator', screen.name) : null;
    for (const call of ofType(screen, first, (name) => byName.has(name))) add(call, any, true);
  }
  const rows = byName.get('GET /tapi/report/{name}/rows');
  if (!rows) throw new Error('The OpenAPI document has no reports.');
  for (const { name, parameters } of target.reports.values())
    for (const field of parameters)
      for (const value of ofParameter(field))
        add({ method: 'GET', url: `/tapi/report/${name}/rows?${field.name}=${encodeURIComponent(value)}` }, rows, true);
  for (const operation of operations)
    if (operation.fields.length === 0) for (const call of ofOwnCall(operation, seed)) add(call, operation, false);
  return calls;
}

async function firstRow(
  target: Target,
  caller: CallerName,
  type: string,
): Promise<{ id: number; version: number } | null> {
  const answer = await target.inject({ url: `/tapi/${type}?size=1`, headers: target.headers(caller) });
  if (answer.statusCode !== 200) return null;
  return answer.json<{ data?: { id: number; version: number }[] }>().data?.[0] ?? null;
}
