import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as XLSX from 'xlsx';
import type { Screen } from '../../../src/descriptor/types.ts';
import { sightOf } from '../../../src/descriptor/visible.ts';
import { findTenant } from '../../../src/server/db/tenants.ts';
import { pdfText } from '../../pdf_text.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { productScreens, startWorld } from '../world.ts';

// Who does not hold STOCK_VALUE_VIEW gets no cost, rate, margin or value of stock by any door: lists, records, their
// histories, sorting, exports and reports, over the records of the demo company.

const RIGHT = 'STOCK_VALUE_VIEW';
const { screens } = await productScreens();

/** Fields and columns (`lines.cost`) that are seen by holders of the right alone, whatever state the record is in. */
function valuesOf(screen: Screen): { name: string; title: string }[] {
  const asks = (written: string | undefined) =>
    written !== undefined && written.includes(RIGHT) && !written.includes(' or ');
  return screen.fields.flatMap(({ name, title, visible, rows }) => [
    ...(asks(visible) ? [{ name, title }] : []),
    ...(rows ?? [])
      .filter((one) => asks(one.visible))
      .map((one) => ({ name: `${name}.${one.name}`, title: one.title })),
  ]);
}
const TYPES = [...screens.values()]
  .filter(({ folder }) => folder === 'fms_stores' || folder === 'fms_requests')
  .map((screen) => ({ type: screen.name, values: valuesOf(screen) }))
  .filter(({ values }) => values.length > 0);
const REPORTS = ['mr_stock_report', 'mr_stock_ledger', 'mr_stock_ledger_view', 'stores_expiry', 'stores_in_transit'];
const OF_REPORTS = ['rate', 'value', 'value_change', 'worth'];

/** Of which the demo company has no record with such a value. */
const WITHOUT_VALUE = ['mr_transfer', 'stock_serial'];

/** Whose sheets are looked at: with values of the record and of its rows, and with values alone. */
const EXPORTED = ['grn', 'mr_consumption', 'stock_value'];

let world: World;
let demo: TestTenant;
let keeper: Caller;
let auditor: Caller;
let company: number;

beforeAll(async () => {
  world = await startWorld({ demo: true });
  demo = await world.known((await findTenant(world.database.directory, 'demo'))!);
  const [row] = await demo.sql<{ entity_id: number }>('select entity_id from {s}.stock_move limit 1');
  company = demo.entityIds.indexOf(Number(row!.entity_id)) + 1;
  const codes = new Set([
    ...TYPES.flatMap(({ type }) => screens.get(type)!.access.screens.slice(0, 1)),
    'SCN_FMS_MR_STOCK_REPORT',
    'SCN_FMS_MR_STOCK_LEDGER',
    'SCN_FMS_STORES_REPORTS',
  ]);
  const call = async (name: string, actions: string[]) => {
    const role = await demo.role({
      modules: ['FMS'],
      screens: Object.fromEntries([...codes].map((code) => [code, ['landing', 'view_screen']])),
      actions: ['EXPORT_DATA', ...actions],
    });
    await demo.user(name, { companies: [{ company, roles: [role] }] });
    return world.signIn(demo, name);
  };
  keeper = await call('no_values', []);
  auditor = await call('sees_values', [RIGHT]);
}, 240_000);
afterAll(() => world.close());

const rowsOf = async (by: Caller, url: string) => {
  const got = await by.call('GET', url);
  expect(got.statusCode, `${url}: ${got.body.slice(0, 200)}`).toBe(200);
  return got.json<{ data: Record<string, unknown>[] }>().data;
};
/** Names of the fields of a record that have a value, those of its rows as `lines.cost`. */
const namesIn = (record: Record<string, unknown>): Set<string> => {
  const filled = (one: object) =>
    Object.entries(one)
      .filter(([, value]) => value !== null)
      .map(([name]) => name);
  return new Set([
    ...filled(record),
    ...Object.entries(record).flatMap(([name, value]) =>
      Array.isArray(value)
        ? value.flatMap((one) => (one && typeof one === 'object' ? filled(one).map((key) => `${name}.${key}`) : []))
        : [],
    ),
  ]);
};

describe('values of the stock', () => {
  it('are marked in the descriptors of all types that have them', () => {
    expect(TYPES.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['grn', 'mr_consumption', 'mr_quotation', 'stock_ledger', 'stock_value', 'stock_count']),
    );
  });

  it.each(TYPES)('of $type are visible only with the right, everywhere', async ({ type, values }) => {
    const list = `/tapi/${type}?columns=*&size=20`;
    const shown = (found: Set<string>) => values.filter(({ name }) => found.has(name)).map(({ name }) => name);
    const [theirs, all] = [await rowsOf(keeper, list), await rowsOf(auditor, list)];
    expect(theirs.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect(all.length).toBeGreaterThan(0);
    for (const row of theirs) expect(shown(namesIn(row))).toEqual([]);
    const seen = new Set<string>();
    for (const { id } of all.slice(0, 3)) {
      const read = async (by: Caller) => {
        const got = await by.call('GET', `/tapi/${type}/${String(id)}`);
        return namesIn(got.json<{ data: Record<string, unknown> }>().data);
      };
      for (const name of await read(auditor)) seen.add(name);
      expect(shown(await read(keeper))).toEqual([]);
      const history = await keeper.call('GET', `/tapi/${type}/${String(id)}/history`);
      for (const { name } of values.filter((one) => !one.name.includes('.')))
        expect(history.body).not.toContain(`"${name}"`);
    }
    if (!WITHOUT_VALUE.includes(type)) expect(shown(seen), 'seen with the right').not.toEqual([]);
    const [plain] = values.filter(({ name }) => !name.includes('.'));
    if (plain) {
      // Nor do order and filters tell of it: a value that one does not see is everywhere the same.
      const order = async (sort: string) => {
        const got = await keeper.call('GET', `/tapi/${type}?sort=${sort}&size=100`);
        return got.statusCode === 200 ? got.json<{ data: { id: number }[] }>().data.map(({ id }) => id) : [];
      };
      const sorted = await order(plain.name);
      const byNumber = sorted.toSorted((a, b) => a - b);
      expect([byNumber, byNumber.toReversed()]).toContainEqual(sorted);
      const filter = encodeURIComponent(JSON.stringify([plain.name, 'gt', '0']));
      const filtered = await keeper.call('GET', `/tapi/${type}?filter=${filter}`);
      expect(filtered.statusCode === 200 ? filtered.json<{ data: unknown[] }>().data : []).toEqual([]);
    }
    if (!EXPORTED.includes(type)) return;
    const file = await keeper.call('GET', `/tapi/${type}/export.xlsx`);
    expect(file.statusCode, file.body.slice(0, 200)).toBe(200);
    const book = XLSX.read(file.rawPayload);
    const heads = book.SheetNames.flatMap(
      (name) => XLSX.utils.sheet_to_json<string[]>(book.Sheets[name]!, { header: 1 })[0] ?? [],
    );
    const others = new Set(
      screens
        .get(type)!
        .fields.flatMap((field) => [field, ...(field.rows ?? [])])
        .filter(({ visible }) => visible === undefined)
        .map(({ title }) => title),
    );
    for (const { title } of values.filter((one) => !others.has(one.title))) expect(heads).not.toContain(title);
  });

  it.each(REPORTS)('of the report %s are, too', async (name) => {
    const got = await keeper.call('GET', `/tapi/report/${name}/rows`);
    expect(got.statusCode, got.body).toBe(200);
    for (const row of got.json<{ data: { rows: Record<string, unknown>[] } }>().data.rows)
      expect(OF_REPORTS.filter((column) => (row[column] ?? null) !== null)).toEqual([]);
  });
});

// Whoever the condition of a field leaves out: what the record read alone hides from them is behind no other door. Walks
// over every type that uses the word, over the records of the demo company, as a stranger and as a member in review.
/** Of which the demo company has no record in a state that hides something. */
const NOTHING_HIDDEN = ['mr_receipt'];
const HIDING = [...screens.values()].filter((screen) => sightOf(screen).size > 0 && screen.routes.landing);

describe('fields that a person may not see', () => {
  let stranger: Caller;
  let member: Caller;
  beforeAll(async () => {
    const codes = new Set(HIDING.flatMap(({ access }) => access.screens.slice(0, 1)));
    const role = await demo.role({
      modules: [...new Set(HIDING.flatMap(({ access }) => access.modules))],
      screens: Object.fromEntries([...codes].map((code) => [code, ['landing', 'view_screen']])),
      actions: ['EXPORT_DATA', 'RUN_REPORTS'],
    });
    const call = async (name: string, of: number) => {
      await demo.user(name, { companies: [{ company: of, roles: [role] }] });
      return world.signIn(demo, name);
    };
    stranger = await call('stranger', company);
    // A member whose appraisal is being rated, with an account of their own.
    const [rated] = await demo.sql<{ employee_id: number; entity_id: number }>(
      `select employee_id, entity_id from {s}.appraisal where status = 'manager_rating' and active order by id limit 1`,
    );
    // A letter could already say what the manager has written.
    await demo.sql(
      `update {s}.appraisal set strengths = 'Explains drawings patiently', final_score = 91.37 where employee_id = $1`,
      [rated!.employee_id],
    );
    await call('in_review', demo.entityIds.indexOf(Number(rated!.entity_id)) + 1);
    const [account] = await demo.sql<{ id: number }>(`select id from {s}.users where username = 'in_review'`);
    await demo.sql('update {s}.employee set user_id = $2 where id = $1', [rated!.employee_id, account!.id]);
    await demo.sql('update {s}.users set employee_id = null where employee_id = $1', [rated!.employee_id]);
    await demo.sql('update {s}.users set employee_id = $2 where id = $1', [account!.id, rated!.employee_id]);
    member = await world.signIn(demo, 'in_review');
  });

  it.each(HIDING.map(({ name }) => name))('of %s are behind no other door', async (type) => {
    const screen = screens.get(type)!;
    const hidden = new Set<string>();
    let printed = 0;
    for (const by of [stranger, member]) {
      const rows = await rowsOf(by, `/tapi/${type}?columns=*&size=40&sort=-id`);
      for (const row of rows.slice(0, 8)) {
        const one = await by.call('GET', `/tapi/${type}/${String(row.id)}`);
        const record = one.json<{ data: Record<string, unknown> }>().data;
        const names = (record._hidden ?? []) as string[];
        const shown = (found: Set<string>) => names.filter((name) => found.has(name));
        for (const name of names) hidden.add(name);
        expect(shown(namesIn(record)), `read of ${String(row.id)}`).toEqual([]);
        expect(shown(namesIn(row)), `list of ${String(row.id)}`).toEqual([]);
        const history = await by.call('GET', `/tapi/${type}/${String(row.id)}/history`);
        const changes = history.json<{ data: { change: Record<string, unknown> | null }[] }>().data;
        for (const { change } of changes) expect(shown(new Set(Object.keys(change ?? {}))), 'history').toEqual([]);
        if (screen.prints && names.length > 0 && printed < PRINTED) {
          const texts = await printsOf(by, type, Number(row.id));
          const secrets = await secretsOf(demo, type, record, names);
          for (const text of texts)
            expect(
              secrets.filter((secret) => text.includes(secret)),
              'print',
            ).toEqual([]);
          printed += texts.length;
        }
        const own = names.filter((name) => !name.includes('.') && screen.fields.some((field) => field.name === name));
        const only = `filter=${encodeURIComponent(JSON.stringify(['id', 'eq', row.id]))}`;
        const columns = own.filter((name) => !['rows', 'file', 'files'].includes(typeOf(screen, name)));
        if (columns.length === 0) continue;
        // A filter finds nothing by it, nor does a report that somebody builds count or add it up.
        for (const name of columns.slice(0, 4)) {
          const filled = ['and', ['id', 'eq', row.id], [name, 'notempty']];
          const found = await by.call('GET', `/tapi/${type}?filter=${encodeURIComponent(JSON.stringify(filled))}`);
          expect(found.statusCode === 200 ? found.json<{ data: unknown[] }>().data : [], `filter ${name}`).toEqual([]);
        }
        const [figure] = columns.filter((name) => FIGURES.includes(typeOf(screen, name)));
        const group = screen.fields.find((field) => field.visible === undefined && GROUPED.includes(field.type))?.name;
        if (figure !== undefined && group !== undefined) {
          const built = {
            title: 'Built',
            from: {
              type,
              group: [group],
              measures: [{ name: 'figure', title: 'Figure', highest: figure, filter: ['id', 'eq', row.id] }],
            },
          };
          const got = await by.call('POST', '/tapi/report/own/preview', { report: built });
          expect(got.statusCode, got.body).toBe(200);
          const { data } = got.json<{ data?: { answer?: { rows?: Record<string, unknown>[] } } }>();
          const known = (data?.answer?.rows ?? []).flatMap(({ figure: value }) => value ?? []);
          expect(known, `report on ${figure}`).toEqual([]);
        }
        const file = await by.call('GET', `/tapi/${type}/export.xlsx?columns=${columns.join(',')}&${only}`);
        if (file.statusCode !== 200) continue;
        const book = XLSX.read(file.rawPayload);
        const [, line = []] = XLSX.utils.sheet_to_json<unknown[]>(book.Sheets[book.SheetNames[0]!]!, { header: 1 });
        const titles = new Set(columns.map((name) => screen.fields.find((field) => field.name === name)!.title));
        const [head = []] = XLSX.utils.sheet_to_json<string[]>(book.Sheets[book.SheetNames[0]!]!, { header: 1 });
        for (const [at, title] of head.entries())
          if (titles.has(title)) expect([title, line[at] ?? ''], 'export').toEqual([title, '']);
      }
    }
    if (!NOTHING_HIDDEN.includes(type)) expect([...hidden], 'hidden from somebody').not.toEqual([]);
    if (screen.prints && !NOTHING_HIDDEN.includes(type)) expect(printed, 'prints').toBeGreaterThan(0);
  });
});
/** Prints of a type that are read at most, by each reader's turn. */
const PRINTED = 8;

/** What every print of a record says, those offered and those issued. */
async function printsOf(by: Caller, type: string, id: number): Promise<string[]> {
  const at = `/tapi/${type}/${id}`;
  const { data } = (await by.call('GET', `${at}/prints`)).json<{
    data: { offered: { name: string }[]; issued: { id: number }[] };
  }>();
  const texts: string[] = [];
  for (const url of [
    ...data.offered.map(({ name }) => `${at}/print/${name}.pdf`),
    ...data.issued.map((one) => `${at}/issued/${one.id}.pdf`),
  ]) {
    const file = await by.call('GET', url);
    expect(file.statusCode, `${url} ${file.body.slice(0, 200)}`).toBe(200);
    texts.push(pdfText(file.rawPayload));
  }
  return texts;
}

/** Stored values of hidden fields as a print would show them, if nothing that the reader sees says the same. */
async function secretsOf(tenant: TestTenant, type: string, record: object, names: string[]): Promise<string[]> {
  const shown = JSON.stringify(record);
  const values: unknown[] = [];
  for (const [rows, column] of names.map((name) => name.split('.') as [string, string?])) {
    const [table, key, field] = column === undefined ? [type, 'id', rows] : [`${type}__${rows}`, 'parent_id', column];
    const found = await tenant.sql<{ value: unknown }>(
      `select to_jsonb(t) -> $2 as value from {s}.${table} t where t.${key} = $1`,
      [(record as { id: number }).id, field],
    );
    values.push(...found.map(({ value }) => value));
  }
  return values.flatMap((value) => {
    const text = typeof value === 'string' ? value.trim().replaceAll(/\s+/g, ' ') : '';
    if (text !== '' && Number.isNaN(Number(text))) return text.length < 6 || shown.includes(text) ? [] : [text];
    const number = Number(value ?? 0);
    const written = number.toLocaleString('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    return (Number.isInteger(number) && number < 1000) || shown.includes(String(number)) ? [] : [written];
  });
}
const GROUPED = ['enum', 'boolean', 'ref'];
const FIGURES = ['integer', 'decimal', 'money', 'percent'];
const typeOf = (screen: Screen, name: string) => screen.fields.find((field) => field.name === name)!.type;
