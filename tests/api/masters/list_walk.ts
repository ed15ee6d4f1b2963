import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Screen } from '../../../src/descriptor/types.ts';
import { tableName } from '../../../src/server/db/tables.ts';
import { findTenant } from '../../../src/server/db/tenants.ts';
import type { Tenant } from '../../../src/server/db/tenant.ts';
import { upload } from '../multipart.ts';
import { DEMO_PASSWORD } from '../demo_template.ts';
import type { World } from '../world.ts';
import { productScreens, startWorld } from '../world.ts';
import { untilIn } from '../import_end.ts';
import { changeable, freshValue, newRecord } from './sample_record.ts';

const { screens } = await productScreens();
const own = [...screens.values()]
  .filter(({ scope }) => scope !== 'platform')
  .sort((a, b) => `${a.folder}/${a.name}`.localeCompare(`${b.folder}/${b.name}`));
const lists = own.filter(({ kind }) => kind !== 'settings');
const settings = own.filter(({ kind }) => kind === 'settings');

/** Types of which the demo company has no record. One with records leaves this list. */
const WITHOUT_RECORD = new Set(['escalation_waiting', 'outstanding_month']);

/** Types whose records a copy of a demo record does not make or end by itself; their own tests play their lives. */
const BY_STEPS = new Set([
  'appraisal',
  'appraisal_feedback',
  'board_disclosure',
  'board_evaluation',
  'board_evaluation_answer',
  'chk_adoption',
  'chk_instance',
  'chk_task_instance',
  'chk_template',
  'chk_template_update',
  'compliance_period',
  'filing',
  'incentive_run',
  // Its entries are permanent.
  'job_history',
  // Members ask for feedback on themselves, and the administrator is none.
  'kpi_feedback_request',
  'kpi_sheet',
  // It belongs to the branch of whoever adds it, and the administrator has none.
  'walkin',
  'ticket',
]);

/** Types whose sheet does not come back unchanged. One that does leaves this list. */
const NOT_BACK_FROM_EXCEL = new Set([
  // What not everybody sees of a record is not in its sheet.
  'appraisal',
  'appraisal_feedback',
  'attendance_punch',
  'chk_adoption',
  'chk_instance',
  'chk_task_instance',
  'chk_template',
  'kpi_feedback_request',
  // Its owner, who is part of its key, is not in its sheet.
  'kpi_bot',
]);

type Row = Record<string, unknown> & { id: number; version: number };
interface Answer {
  statusCode: number;
  body: string;
  data: Row;
  rows: Row[];
  error: {
    code: string;
    message: string;
    field: string | null;
    details: { field: string; message: string }[];
    used_by?: { count: number }[];
  };
}

let world: World;
let demo: Tenant;
let token: string;
let host: string;

/** The company in which the list at hand has rows. */
let company = 1;
const headersNow = () => ({ host, authorization: `Bearer ${token}`, 'x-entity-id': String(company) });

async function call(method: string, url: string, body?: unknown): Promise<Answer> {
  const answer = await world.inject({
    method: method as 'GET',
    url,
    headers: headersNow(),
    ...(body !== undefined && { payload: body as object }),
  });
  const json = answer.body.startsWith('{')
    ? (JSON.parse(answer.body) as { data?: unknown; error?: Answer['error'] })
    : {};
  return {
    statusCode: answer.statusCode,
    body: answer.body.slice(0, 2000),
    data: json.data as Row,
    rows: Array.isArray(json.data) ? (json.data as Row[]) : [],
    error: json.error as Answer['error'],
  };
}

const sql = <T>(text: string, values?: unknown[]) => demo.db.query<T>(text, values);

/** Bands cover all there is: those that are there go out of use, and compete no more. */
async function makeRoom(screen: Screen): Promise<void> {
  if (!screen.ranges?.some(({ word, rows }) => word === 'bands' && rows === undefined)) return;
  for (const { id, version } of (await call('GET', `/tapi/${screen.name}?size=500`)).rows)
    await call('POST', `/tapi/${screen.name}/${id}/deactivate`, { version });
}

/** A record of the list, created; its key is another each time. */
async function create(screen: Screen, model: Row, from: number): Promise<{ made: Row; sent: Record<string, unknown> }> {
  const tried: string[] = [];
  await makeRoom(screen);
  for (let n = from; n < from + 8; n++) {
    const sent = newRecord(screen, (await call('GET', `/tapi/${screen.name}/${model.id}/copy`)).data, n);
    // Of a key with several references one is enough: a layout is for a role or for a unit.
    const hasOther = (key: readonly string[], name: string) =>
      key.some(
        (other) =>
          other !== name &&
          screen.fields.some((one) => one.name === other && one.type === 'ref') &&
          (sent[other] ?? null) !== null,
      );
    // A key of references alone takes another choice.
    for (const field of screen.fields)
      if (field.type === 'enum' && screen.unique.some((key) => key.length === 1 && key[0] === field.name)) {
        const used = new Set(
          (await call('GET', `/tapi/${screen.name}?columns=*&size=500&active=all`)).rows.map((row) => row[field.name]),
        );
        sent[field.name] = field.options?.find(({ value }) => !used.has(value))?.value;
      } else if (
        field.type === 'ref' &&
        (field.required || screen.emptyEqual?.some((key) => key.includes(field.name) && !hasOther(key, field.name))) &&
        (sent[field.name] === undefined ||
          sent[field.name] === null ||
          screen.unique.some(
            (key) =>
              key.includes(field.name) &&
              key.every((name) => screen.fields.find((one) => one.name === name)?.type === 'ref'),
          ))
      ) {
        const options = await call('GET', `/tapi/${field.ref!.type}/options?for=${screen.name}.${field.name}&limit=50`);
        sent[field.name] = options.rows[(n * 7) % Math.max(1, options.rows.length)]?.id;
      }
    // What only one record may be ("the default") stays with the one that is; people of rows that may not overlap stay there.
    for (const field of screen.fields)
      if (field.type === 'boolean' && screen.uniqueWhen?.some(({ when }) => JSON.stringify(when).includes(field.name)))
        sent[field.name] = false;
    for (const { rows } of screen.ranges ?? []) if (rows !== undefined) sent[rows] = [];
    // A span of days that is taken takes later ones, as long as before.
    const later = (day: string) => {
      const moved = new Date(Date.parse(day) + (n - from) * 100 * 86_400_000);
      // Some days are the last of a month.
      if ((n - from) % 2 === 0) moved.setUTCMonth(moved.getUTCMonth() + 1, 0);
      return moved.toISOString().slice(0, 10);
    };
    for (const [name, value] of Object.entries(sent))
      if (n > from && typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)) sent[name] = later(value);
    const answer = await call('POST', `/tapi/${screen.name}`, sent);
    if (answer.statusCode === 201) return { made: answer.data, sent };
    tried.push(
      `${answer.statusCode} ${answer.error?.message ?? answer.body} ${JSON.stringify(answer.error?.details ?? [])}`,
    );
  }
  throw new Error(`No record could be added to ${screen.name}: ${tried[0]}`);
}

interface Run {
  state: string;
  insert: number;
  update: number;
  unchanged: number;
  error_count: number;
  errors: { row: number; column: string; message: string }[];
  message: string | null;
}

function importState(id: number): Promise<Run> {
  const now = async () => (await call('GET', `/tapi/import/${id}`)).data as unknown as Run;
  return untilIn(now, ['checked', 'failed', 'imported']);
}

/**
 * Drives lists of the product through their whole life as a person would, in the demo company.
 * @param part which half of them, so that two workers share the way: 0 or 1
 */
export function walkLists(part: 0 | 1): void {
  beforeAll(async () => {
    world = await startWorld({ demo: true });
    demo = (await findTenant(world.database.directory, 'demo'))!;
    host = 'demo.localhost:3000';
    const login = await world.inject({
      method: 'POST',
      url: '/api/sessions/login',
      headers: { host },
      payload: { email: 'admin', password: DEMO_PASSWORD },
    });
    ({ token } = login.json<{ token: string }>());
    await call('PUT', '/tapi/session/entity', { entity_id: 1 });
  });
  afterAll(() => world.close());
  const inPart = (_: Screen, at: number) => at % 2 === part;
  describe.each(lists.filter(inPart).map((screen) => [`${screen.folder}/${screen.name}`, screen] as const))(
    '%s',
    (_, screen) => {
      const path = `/tapi/${screen.name}`;
      let first: Row;

      it('shows existing records, and finds them', async () => {
        company =
          screen.scope === 'entity'
            ? ((
                await sql<{ entity_id: number }>(
                  `select entity_id from ${tableName(demo.schema, screen.name)} where active order by entity_id limit 1`,
                ).catch(() => [])
              )[0]?.entity_id ?? 1)
            : 1;
        const list = await call('GET', `${path}?columns=*&size=100`);
        expect(list.statusCode, list.body).toBe(200);
        if (WITHOUT_RECORD.has(screen.name)) {
          expect(list.rows, 'a type with records leaves the list of those without').toEqual([]);
          return;
        }
        expect(list.rows.length, 'rows of the demo company').toBeGreaterThan(0);
        first = list.rows[0]!;
        const textOf = (label: string) => first[`${label}__label`] ?? first[label];
        const label = screen.label.find((one) => typeof textOf(one) === 'string' && String(textOf(one)).length > 2);
        const name = label === undefined ? undefined : String(textOf(label));
        const named = screen.fields.find((field) => field.name === label);
        // A record that is named by another is found by that one's name in the other's list.
        if (name === undefined || named?.secret || named?.ref || ['enum', 'date'].includes(named?.type ?? '')) return;
        const found = await call('GET', `${path}?q=${encodeURIComponent(name)}&size=100`);
        expect(
          found.rows.map(({ id }) => id),
          `searched for ${name}`,
        ).toContain(first.id);
      });

      if (screen.routes.add === null) return;

      it('reports all missing fields at once', async () => {
        const wanted = screen.fields
          .filter(
            (field) =>
              field.required &&
              field.default === undefined &&
              field.begins === undefined &&
              !field.defaultMe &&
              field.formula === undefined &&
              !field.readOnly &&
              field.name !== screen.number?.field &&
              field.when === undefined &&
              field.fetch === undefined,
          )
          .map(({ name }) => name);
        const answer = await call('POST', path, {});
        if (wanted.length === 0) return expect([201, 409, 422]).toContain(answer.statusCode);
        expect(answer.statusCode, answer.body).toBe(422);
        expect(answer.error.details.map(({ field }) => field)).toEqual(expect.arrayContaining(wanted));
        for (const { message } of answer.error.details) expect(message.length).toBeGreaterThan(5);
      });

      it('accepts a valid record, refuses its duplicate, changes it, reports a conflict, keeps the history, deactivates and deletes it', async () => {
        if (WITHOUT_RECORD.has(screen.name) || BY_STEPS.has(screen.name)) return;
        const { made, sent } = await create(screen, first, 1);
        if (
          screen.unique.some((key) =>
            key.every(
              (name) =>
                name !== screen.number?.field &&
                made[name] !== null &&
                made[name] !== undefined &&
                !screen.fields.find((field) => field.name === name)?.formula,
            ),
          )
        ) {
          const double = await call('POST', path, sent);
          expect([409, 422], double.body).toContain(double.statusCode);
          expect(double.body).toMatch(/already exists|overlap|Again|again|taken|already/);
        }
        let changed: Row | undefined;
        for (const field of [
          ...changeable(screen),
          ...screen.fields.filter(
            (one) =>
              screen.unique.some((key) => key.includes(one.name)) &&
              ['name', 'text', 'code', 'date', 'integer'].includes(one.type),
          ),
          ...screen.fields.filter((one) => one.rows && !one.readOnly),
        ]) {
          const value =
            field.type === 'boolean'
              ? made[field.name] !== true
              : field.type === 'enum'
                ? field.options?.find((option) => option.value !== made[field.name])?.value
                : field.rows
                  ? (made[field.name] as Row[] | null)?.slice(0, -1)
                  : freshValue(field, 31);
          if (value === undefined || String(value) === String(made[field.name] ?? '')) continue;
          const answer = await call('PUT', `${path}/${made.id}`, { version: made.version, [field.name]: value });
          if (answer.statusCode === 200 && answer.data.version === made.version + 1) {
            changed = answer.data;
            break;
          }
        }
        expect(changed, 'a field can be changed').toBeDefined();
        const fields = changeable(screen);
        // A field that this person may not see of the record is refused first.
        const seen = fields.find(({ visible }) => visible === undefined) ?? fields[0] ?? screen.fields[0]!;
        const late = await call('PUT', `${path}/${made.id}`, {
          version: made.version,
          [seen.name]: freshValue(seen, 32) ?? null,
        });
        expect(late.statusCode, late.body).toBe(409);
        expect(late.error.code).toBe('stale_version');
        const read = await call('GET', `${path}/${made.id}`);
        expect(read.data.version).toBe(changed!.version);
        const history = await call('GET', `${path}/${made.id}/history`);
        const ops = history.rows.map((row) => row.op);
        // Steps that the product takes by itself stand between.
        expect(screen.workflow ? [ops[0], ops.at(-1)] : ops).toEqual(['U', 'I']);
        const off = await call('POST', `${path}/${made.id}/deactivate`, { version: changed!.version });
        expect(off.statusCode, off.body).toBe(200);
        expect((await call('GET', `${path}?ids=${made.id}`)).rows).toEqual([]);
        const gone = await call('DELETE', `${path}/${made.id}`);
        expect(gone.statusCode, gone.body).toBe(204);
        expect((await call('GET', `${path}/${made.id}`)).statusCode).toBe(404);
      });

      it('keeps records that are in use, and says where', async () => {
        for (const { type, field } of screen.referredBy) {
          const [rows, column] = field.includes('.') ? field.split('.') : [null, field];
          const asking = screens.get(type);
          const ref = (rows ? asking?.fields.find((one) => one.name === rows)?.rows : asking?.fields)?.find(
            (one) => one.name === column,
          );
          // Parts of a record go with it.
          if (!asking || asking.scope === 'platform' || asking.part?.of === screen.name) continue;
          if (ref?.type !== 'ref' || rows !== null) continue;
          const where = screen.scope === 'entity' ? ` and t.entity_id = ${company}` : '';
          const [used] = await sql<{ id: number }>(
            `select t.id from ${tableName(demo.schema, type)} x join ${tableName(demo.schema, screen.name)} t on t.id = x."${column}" where x.id <> t.id${where}${screen.name === 'users' ? ` and t.username <> 'admin'` : ''} limit 1`,
          ).catch(() => []);
          if (!used) continue;
          const answer = await call('DELETE', `${path}/${used.id}`);
          if (answer.statusCode === 422) return;
          expect(answer.statusCode, answer.body).toBe(409);
          // A record whose state forbids it is not deleted for that reason already.
          if (answer.error.code === 'bad_state' && screen.workflow) return;
          expect(answer.error.code).toBe('in_use');
          expect(answer.error.used_by?.[0]?.count).toBeGreaterThan(0);
          return;
        }
      });

      it('is exported to Excel and imported without a change', async () => {
        if (NOT_BACK_FROM_EXCEL.has(screen.name)) return;
        const file = await world.inject({
          method: 'GET',
          url: `${path}/export.xlsx?active=all`,
          headers: headersNow(),
        });
        expect(file.statusCode, file.body.slice(0, 300)).toBe(200);
        const { payload, headers } = upload('rows.xlsx', file.rawPayload);
        const started = await world.inject({
          method: 'POST',
          url: `${path}/import?mode=all_or_nothing`,
          payload,
          headers: { ...headersNow(), ...headers },
        });
        expect(started.statusCode, started.body).toBe(202);
        const run = await importState(started.json<{ data: { id: number } }>().data.id);
        expect({ ...run, errors: run.errors.slice(0, 5) }).toMatchObject({
          state: 'checked',
          insert: 0,
          update: 0,
          error_count: 0,
          errors: [],
        });
      });
    },
  );

  describe.each(settings.filter(inPart).map((screen) => [`${screen.folder}/${screen.name}`, screen] as const))(
    '%s',
    (_, screen) => {
      it('shows its values, keeps a change with its history, and reports a conflict', async () => {
        const before = await call('GET', `/tapi/${screen.name}/single`);
        expect(before.statusCode, before.body).toBe(200);
        const field = changeable(screen).find((one) => one.type === 'boolean') ?? changeable(screen)[0];
        expect(field, 'a field to change').toBeDefined();
        const value = field!.type === 'boolean' ? before.data[field!.name] !== true : freshValue(field!, 3);
        const saved = await call('PUT', `/tapi/${screen.name}/single`, {
          ...(before.data.id === 0 ? newRecord(screen, before.data, 3) : {}),
          version: before.data.version,
          [field!.name]: value,
        });
        expect(saved.statusCode, saved.body).toBe(200);
        const late = await call('PUT', `/tapi/${screen.name}/single`, {
          version: before.data.version,
          [field!.name]: before.data[field!.name] ?? null,
        });
        expect(late.statusCode, late.body).toBe(409);
        expect((await call('GET', `/tapi/${screen.name}/${saved.data.id}/history`)).rows.length).toBeGreaterThan(0);
      });
    },
  );
}
