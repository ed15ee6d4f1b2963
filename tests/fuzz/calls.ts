import fc from 'fast-check';
import type { JsonSchema } from '../../src/descriptor/types.ts';
import type { Operation } from './operations.ts';
import type { CallerName } from './target.ts';
import { DEEP_JSON, jsonOf, validObject, validValue, wrongText, wrongValue } from './values.ts';

/** A call ready to be sent. */
export interface Call {
  operation: Operation;
  caller: CallerName;
  method: string;
  url: string;
  headers: Record<string, string>;
  payload?: string;
  /** Wrong by a value that can be no right one: it must be refused, naming this field. */
  refused?: { names?: readonly string[] };
}

const encoded = (text: string): string => {
  try {
    return encodeURIComponent(text);
  } catch {
    // Half a character cannot be written in an address.
    return '%ED%A0%80';
  }
};

/** Names of parameters that calls read without saying so in the document. */
const MORE_QUERY = (
  'q,page,size,sort,filter,active,ids,after,columns,count,mine,limit,for,where,root,depth,by,within,route,from,to,' +
  'branch_id,year,before,name,state,format,mode,commit,user_id,entity_id,email,device_token,flag,country_code,' +
  'state_code,client,section,screen,path,offset,others,kpi_id,action,actor,actors,target,day,record,id,range,days,w,h'
).split(',');

const WRONG_IN_PATH = [
  '0',
  '-1',
  'x',
  '1.5',
  '1e3',
  '%00',
  'a%00b',
  '%',
  '%E0%A4%A',
  '%ff',
  '%ED%A0%80',
  '9'.repeat(15),
  '9'.repeat(16),
  '9223372036854775808',
  '9'.repeat(40),
  '2147483648',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  'toString',
  '..%2f..%2fetc%2fpasswd',
  "'%20or%201=1",
  'a'.repeat(1_100),
  'a'.repeat(3_000),
  '%20',
  '%F0%9F%9B%97',
];

/** What may stand for a named part of a path. */
function partOf(name: string, types: string[]): fc.Arbitrary<string> {
  const right: Record<string, fc.Arbitrary<string>> = {
    type: fc.constantFrom(...types),
    name: fc.constantFrom(...types, 'headcount', 'users_and_access', 'escalation'),
    schema: fc.constantFrom('cmp_demo', 'cmp_zenith', 'public'),
    slug: fc.constantFrom('first-post', 'x'),
    code: fc.constantFrom('inventory_dashboard', 'sales_dashboard', 'x'),
    file: fc.constantFrom('start.js', 'x.ics', 'swagger-ui.css', `${'0'.repeat(32)}.json`),
    to: fc.constantFrom('draft', 'approved', 'submitted', 'x'),
  };
  return fc.oneof(
    { weight: 3, arbitrary: right[name] ?? fc.integer({ min: 1, max: 12 }).map(String) },
    {
      weight: 1,
      arbitrary: fc.oneof(fc.constantFrom(...WRONG_IN_PATH), wrongText.map(encoded)).map((text) => text || 'x'),
    },
  );
}

function pathOf(path: string, types: string[]): fc.Arbitrary<string> {
  const parts = path.split(/(\{\w+\})/);
  return fc
    .tuple(
      ...parts.map((part) =>
        part.startsWith('{') ? partOf(part.slice(1, -1), types) : fc.constant(part.replace('*', 'x')),
      ),
    )
    .map((made) => made.join(''));
}

const OPERATORS = 'eq,ne,in,contains,starts,between,empty,notempty,gt,gte,lt,lte,before,after,like'.split(',');

/** A filter in the grammar of lists, its values right or wrong. */
function filterOf(fields: string[]): fc.Arbitrary<string> {
  const condition = fc
    .tuple(
      fc.oneof(
        {
          weight: 8,
          arbitrary: fc.constantFrom(...(fields.length > 0 ? fields : ['name']), 'id', 'created_at', 'active'),
        },
        { weight: 1, arbitrary: wrongText },
      ),
      fc.constantFrom(...OPERATORS),
      fc.oneof(
        wrongValue,
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom<unknown>(
          '2025-01-31',
          ['2025-01-01', '2025-12-31'],
          [1, 2],
          'a',
          '1.5',
          '2025-01-31T10:00:00Z',
        ),
        fc.array(wrongValue, { maxLength: 3 }),
      ),
    )
    .map((parts): unknown => parts);
  return fc.oneof(
    { weight: 6, arbitrary: condition.map(jsonOf) },
    { weight: 2, arbitrary: fc.array(condition, { maxLength: 4 }).map((all) => jsonOf(['and', ...all])) },
    { weight: 2, arbitrary: wrongText },
    { weight: 1, arbitrary: wrongValue.map(jsonOf) },
  );
}

function sortOf(fields: string[]): fc.Arbitrary<string> {
  return fc.oneof(
    fc
      .array(fc.constantFrom(...fields, 'id', '-id', ...fields.map((name) => `-${name}`)), { maxLength: 6 })
      .map(String),
    wrongText,
  );
}

const cursor = fc.array(wrongValue, { maxLength: 4 }).map((all) => Buffer.from(jsonOf(all)).toString('base64url'));

function queryValue(name: string, schema: JsonSchema | undefined, fields: string[]): fc.Arbitrary<string> {
  if (name === 'filter') return filterOf(fields);
  if (name === 'sort' || name === 'columns') return sortOf(fields);
  if (name === 'after') return fc.oneof(cursor, wrongText);
  if (name === 'where')
    return fc.oneof(fc.dictionary(fc.constantFrom(...fields, 'x'), wrongValue).map(jsonOf), wrongText);
  const right = schema
    ? validValue(schema).map(String)
    : fc.constantFrom('1', 'a', '2025-01-01', '2026-03-31', 'true', '');
  return fc.oneof({ weight: 1, arbitrary: right }, { weight: 1, arbitrary: wrongText });
}

function queryOf({ query, fields, path }: Operation): fc.Arbitrary<string> {
  const known = new Map(query.map(({ name, schema }) => [name, schema]));
  const names = fc.oneof(
    { weight: known.size > 0 ? 4 : 0, arbitrary: fc.constantFrom(...(known.size > 0 ? known.keys() : ['q'])) },
    { weight: 2, arbitrary: fc.constantFrom(...MORE_QUERY) },
    // Reports have parameters by the names of fields.
    {
      weight: path.includes('/report/') ? 4 : 1,
      arbitrary: fc.constantFrom('as_of', 'financial_year', 'month', 'branch', 'role', ...fields),
    },
  );
  const one = names.chain((name) =>
    queryValue(name, known.get(name), fields).map((value) => `${name}=${encoded(value)}`),
  );
  return fc.oneof(
    { weight: 6, arbitrary: fc.array(one, { maxLength: 3 }).map((all) => (all.length > 0 ? `?${all.join('&')}` : '')) },
    { weight: 1, arbitrary: fc.tuple(one, one).map(([a, b]) => `?${a}&${a}&${b}`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '?%',
        '?q=%00',
        '?q=%E0%A4%A',
        '?=&=',
        '?q[]=1',
        '?__proto__=1',
        '?q[a][b]=1',
        '??',
        '?#',
      ),
    },
  );
}

type Row = Record<string, unknown>;

/** A right body with one thing in it that is not. */
function brokenBody(schema: JsonSchema): fc.Arbitrary<unknown> {
  return fc
    .tuple(
      validObject(schema),
      fc.nat(),
      fc.nat(),
      wrongValue,
      fc.constantFrom('value', 'value', 'value', 'drop', 'add', 'none'),
    )
    .map(([body, at, deeper, wrong, how]) => {
      const names = Object.keys(body);
      const name = names[at % Math.max(1, names.length)];
      if (how === 'none') return body;
      if (how === 'add') return { ...body, [`x${at % 9}`]: wrong, version: body.version ?? deeper % 4 };
      if (name === undefined) return { version: wrong };
      if (how === 'drop') return Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));
      const value = body[name];
      if (Array.isArray(value) && value.length > 0 && deeper % 2 === 0)
        return { ...body, [name]: [within(value[0], deeper, wrong)] };
      if (value !== null && typeof value === 'object' && deeper % 2 === 0)
        return { ...body, [name]: within(value, deeper, wrong) };
      return { ...body, [name]: wrong };
    });
}

function within(value: unknown, at: number, wrong: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return wrong;
  const names = Object.keys(value);
  return { ...(value as Row), [names[at % Math.max(1, names.length)] ?? 'x']: wrong };
}

/** Bodies that are none. */
const RUBBISH: [contentType: string | null, payload: string][] = [
  ['application/json', ''],
  ['application/json', 'null'],
  ['application/json', '[]'],
  ['application/json', '"x"'],
  ['application/json', '1'],
  ['application/json', 'true'],
  ['application/json', '{"a":'],
  ['application/json', '{"__proto__":{"x":1}}'],
  ['application/json', '{"constructor":{"prototype":{"x":1}}}'],
  ['application/json', '[{"id":1}]'],
  ['application/json', DEEP_JSON],
  ['application/json', `{"a":${DEEP_JSON}}`],
  ['application/json', '{"version":1e400}'],
  ['application/json', '\uFEFF{}'],
  ['application/json; charset=utf-16', '{}'],
  ['text/plain', 'x'],
  ['application/xml', '<a/>'],
  ['application/x-www-form-urlencoded', 'a=1&b=2'],
  ['application/octet-stream', '\u0000\u0001'],
  ['multipart/form-data', 'x'],
  [
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a\\u0000.xlsx"\r\n\r\nx\r\n--b--\r\n',
  ],
  ['multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\ny\r\n--b--\r\n'],
  ['multipart/form-data; boundary=b', '--b\r\nbroken'],
  ['not a type', '{}'],
  [null, '{}'],
];

const file = fc
  .constantFrom('a.xlsx', 'a.png', 'a.json', '../../a.txt', 'a\u0001.csv', 'x'.repeat(400))
  .chain((name) =>
    fc
      .constantFrom('x', 'PK\u0003\u0004', '{"format":1}', 'a,b\n1,2', '')
      .map(
        (content) =>
          `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n${content}\r\n--b--\r\n`,
      ),
  );

interface Body {
  type: string | null;
  payload: string;
}

function bodyOf({ body, form }: Operation): fc.Arbitrary<Body | null> {
  const rubbish = fc.constantFrom(...RUBBISH).map(([type, payload]): Body => ({ type, payload }));
  const sent = file.map((payload): Body => ({ type: 'multipart/form-data; boundary=b', payload }));
  if (form) return fc.oneof({ weight: 3, arbitrary: sent }, { weight: 1, arbitrary: rubbish });
  if (body === null) return fc.oneof({ weight: 20, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: rubbish });
  const broken = brokenBody(body).map((value): Body => ({ type: 'application/json', payload: jsonOf(value) }));
  return fc.oneof(
    { weight: 8, arbitrary: broken },
    { weight: 1, arbitrary: wrongValue.map((value): Body => ({ type: 'application/json', payload: jsonOf(value) })) },
    { weight: 1, arbitrary: rubbish },
    { weight: 'properties' in body ? 0 : 3, arbitrary: sent },
  );
}

/** Headers that programs get wrong. */
const WRONG_HEADERS: Record<string, string>[] = [
  { 'x-entity-id': '1 or 1=1' },
  { 'x-entity-id': '9'.repeat(30) },
  { 'x-entity-id': '-1' },
  { 'x-entity-id': '2' },
  { authorization: 'Bearer' },
  { authorization: 'Bearer ...' },
  { authorization: `Bearer mk_live_${'x'.repeat(40)}` },
  { authorization: 'Basic %%%' },
  { cookie: 'session=%E0%A4%A; __Host-session=x; a=b;;;=' },
  { accept: '*/*;q=x' },
  { 'accept-language': '%%%' },
  { 'if-none-match': '"' },
  { range: 'bytes=9-1' },
  { 'x-request-id': '\u00ff'.repeat(70) },
  { 'x-forwarded-host': 'zenith.localhost' },
  { 'content-length': '0' },
  { host: 'zenith.localhost:3000' },
  { host: '%00' },
  { host: '[::1' },
  { host: 'a'.repeat(300) },
  { 'user-agent': '\u00e9'.repeat(3_000) },
];

const callerOf = (platform: boolean): fc.Arbitrary<CallerName> =>
  platform
    ? fc.oneof(
        { weight: 8, arbitrary: fc.constant<CallerName>('platform') },
        { weight: 1, arbitrary: fc.constantFrom<CallerName>('administrator', 'nobody') },
      )
    : fc.oneof(
        { weight: 10, arbitrary: fc.constant<CallerName>('administrator') },
        { weight: 3, arbitrary: fc.constant<CallerName>('person') },
        { weight: 3, arbitrary: fc.constant<CallerName>('key') },
        { weight: 1, arbitrary: fc.constant<CallerName>('nobody') },
        { weight: 1, arbitrary: fc.constant<CallerName>('platform') },
      );

/** Calls of one operation by somebody, right or with one thing wrong. */
export function callsOf(operation: Operation, types: string[]): fc.Arbitrary<Call> {
  return fc
    .tuple(
      callerOf(operation.platform),
      pathOf(operation.path, types),
      operation.method === 'GET' || operation.query.length > 0
        ? queryOf(operation)
        : fc.oneof({ weight: 8, arbitrary: fc.constant('') }, { weight: 1, arbitrary: queryOf(operation) }),
      bodyOf(operation),
      fc.oneof({ weight: 15, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: fc.constantFrom(...WRONG_HEADERS) }),
    )
    .map(([caller, path, query, body, wrong]): Call => ({
      operation,
      caller,
      method: operation.method,
      url: path + query,
      headers: { ...(body?.type && { 'content-type': body.type }), ...(wrong as Record<string, string>) },
      ...(body && { payload: body.payload }),
    }));
}
