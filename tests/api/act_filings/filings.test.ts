import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as XLSX from 'xlsx';
import { importRecords } from '../import_records.ts';
import { upload } from '../multipart.ts';
import { unpackedZip } from '../unpacked_zip.ts';
import type { Caller, World } from '../world.ts';
import { startWorld } from '../world.ts';
import type { ComplianceCompany } from './compliance_company.ts';
import { complianceCompany, day } from './compliance_company.ts';

// A company's returns are made from the due rules, prepared, reviewed, filed, and cost what the law says when they are late.

let world: World;
let co: ComplianceCompany;
const ids: Record<string, number> = {};

beforeAll(async () => {
  world = await startWorld();
  co = await complianceCompany(world, {
    screens: ['SCN_FORMS_TRANSACTIONS', 'SCN_STATUTORY_ACTS', 'SCN_FORMS_MASTER_NEW', 'SCN_MY_TASKS'],
    clerk: [],
    head: ['FIL_FILE', 'CHK_EXTEND', 'CHK_GRANT_NA'],
  });
  ids.act = await co.add('statutory_act', {
    code: 'CGST',
    name: 'Goods and Services Tax Act',
    short_name: 'GST',
    authority: 'CBIC',
    level: 'central',
    category: 'tax',
    verified_on: day(-30),
  });
  const form = {
    act_id: ids.act,
    unit_type: 'gstin',
    due_basis: 'calendar',
    frequency: 'monthly',
    due_months_after: 1,
    preparer_role_id: co.ids.clerks,
    reviewer_role_id: co.ids.heads,
    filer_role_id: co.ids.heads,
    verified_on: day(-30),
  };
  ids.form = await co.add('statutory_form', {
    ...form,
    form_no: 'GSTR-3B',
    title: 'Summary return',
    due_day: 20,
    late_fee_per_day: '50',
    late_fee_per_day_nil: '20',
    late_fee_caps: [
      { turnover_band: 'gt_5cr', cap: '10000' },
      { nil: true, cap: '500' },
    ],
    interest_rate: '18',
    interest_basis: 'days_365',
    documents_needed: [{ label: 'Sales register' }, { label: 'Notes', required: false }],
  });
  ids.agm = await co.add('statutory_form', {
    ...form,
    form_no: 'AOC-4',
    title: 'Accounts',
    due_basis: 'event',
    frequency: 'yearly',
    event_type: 'agm',
    days_after_event: 30,
  });
  for (const name of ['one', 'two'])
    ids[name] = await co.add('compliance_unit', {
      unit_type: 'gstin',
      unit_no: `33AAACA1234B1Z${name}`,
      name: `GST ${name}`,
      branch_ids: [co.ids.branch],
      turnover_band: 'gt_5cr',
      responsible_id: co.ids.clerk,
      files_from: day(-40),
    });
});
afterAll(() => world.close());

const late = (unit: number | undefined, more: object = {}) => ({
  form_id: ids.form,
  unit_id: unit,
  period_from: '2024-04-01',
  period_to: '2024-04-30',
  due_on: day(-12),
  ...more,
});

describe('generation of filings', () => {
  it('creates one for each form, registration and period, without duplicates', async () => {
    await co.run('generate_filings');
    const filings = await co.list('filing');
    // The 20th falls four or five times into 130 days, for each of two registrations.
    expect([8, 10]).toContain(filings.length);
    expect(new Set(filings.map((one) => `${one.form_id}/${one.unit_id}/${one.period_from}`)).size).toBe(filings.length);
    expect(filings[0]).toMatchObject({
      status: 'upcoming',
      category: 'tax',
      preparer_id: co.ids.clerk,
      reviewer_id: co.ids.head,
    });
    await co.acme.sql('delete from {s}.filing__documents where parent_id = $1', [filings[0]!.id]);
    await co.acme.sql('delete from {s}.filing where id = $1', [filings[0]!.id]);
    await co.ok(co.admin.call('POST', '/tapi/filing/action/act_filings.make_coming', { on: 'list', params: {} }));
    expect(await co.list('filing')).toHaveLength(filings.length);
  });

  it('creates the filings of an event', async () => {
    await co.ok(
      co.admin.call('POST', '/tapi/filing/action/act_filings.enter_event', {
        on: 'list',
        params: { event_type: 'agm', of_unit_id: ids.one, happened_on: '2025-09-26' },
      }),
    );
    const [made] = await co.list('filing', ['form_id', 'eq', ids.agm]);
    expect(made).toMatchObject({ due_on: '2025-10-26', event_date: '2025-09-26', unit_id: ids.one });
  });
});

describe('an act with a condition', () => {
  it('creates filings while it applies, and tells the secretary when it starts to apply', async () => {
    const act = async (applies_when: string) => {
      const { version } = await co.read('statutory_act', ids.act!);
      return co.admin.call('PUT', `/tapi/statutory_act/${ids.act}`, { version, applies_when });
    };
    expect((await act('workers >= 20')).body).toContain('is not known of a company');
    // Each run is that of another night.
    const nightly = async (name: string) => {
      await co.acme.sql('delete from {s}.job_run');
      await co.run(name);
    };
    await co.ok(act('employees >= 3'));
    await co.acme.sql('update {s}.users set secretary_flag = true where id = $1', [co.head.userId]);
    await nightly('compare_acts');
    const one = async () => (await co.list('act_application'))[0];
    expect(await one()).toMatchObject({ act_id: ids.act, applies: false });
    await co.acme.sql('delete from {s}.filing__documents');
    await co.acme.sql('delete from {s}.filing');
    await nightly('generate_filings');
    expect(await co.list('filing')).toEqual([]);
    await co.ok(act('employees >= 2'));
    await nightly('compare_acts');
    await nightly('compare_acts');
    expect(await one()).toMatchObject({ applies: true });
    const told = await co.acme.sql(
      `select title from {s}.notification where user_id = $1 and event_code = 'act.applies'`,
      [co.head.userId],
    );
    expect(told).toEqual([{ title: 'GST now applies' }]);
    // A form may have a condition of its own.
    const form = async (applies_when: string | null) => {
      const { version } = await co.read('statutory_form', ids.form!);
      return co.admin.call('PUT', `/tapi/statutory_form/${ids.form}`, { version, applies_when });
    };
    expect((await form('turnover >')).body).toContain('This condition cannot be read');
    await co.ok(form('listed or turnover < 5'));
    await nightly('generate_filings');
    expect(await co.list('filing')).toEqual([]);
    await co.ok(form('turnover >= 5'));
    await nightly('generate_filings');
    expect((await co.list('filing')).length).toBeGreaterThan(7);

    // When it ends, the secretary learns which act replaces it; what was made stays under the old one.
    const next = await co.add('statutory_act', {
      code: 'CGST2',
      name: 'New Goods and Services Tax Act',
      short_name: 'GST 2',
      authority: 'CBIC',
      level: 'central',
      category: 'tax',
      verified_on: day(-30),
    });
    const { version } = await co.read('statutory_act', ids.act!);
    const ended = { version, effective_from: day(-900), effective_to: day(-1), replaced_by_id: next };
    await co.ok(co.admin.call('PUT', `/tapi/statutory_act/${ids.act}`, ended));
    await nightly('compare_acts');
    const [said] = await co.acme.sql<{ body: string }>(
      `select body from {s}.notification where user_id = $1 and event_code = 'act.no_longer'`,
      [co.head.userId],
    );
    expect(said!.body).toContain('GST 2 replaces it: adopt its checklists.');
    expect((await co.list('filing', ['act_id', 'eq', ids.act])).length).toBeGreaterThan(7);
    const { version: later } = await co.read('statutory_act', ids.act!);
    await co.ok(co.admin.call('PUT', `/tapi/statutory_act/${ids.act}`, { version: later, effective_to: null }));
  });
});

describe('a filing that is late', () => {
  it('costs what the form says (F1, F4), and goes from preparation to acknowledgement by two people', async () => {
    const id = await co.add('filing', late(ids.one, { tax_payable: '184500.00' }));
    const made = await co.read('filing', id);
    expect(made).toMatchObject({
      late_days: 12,
      late_fee: '600.00',
      interest: '1091.84',
      exposure: '1691.84',
      overdue: true,
      score: '0.00',
    });
    expect(made.documents.map(({ label, required }) => [label, required])).toEqual([
      ['Sales register', true],
      ['Notes', false],
    ]);
    await co.ok(co.step(co.clerk, 'filing', id, 'start'));
    expect((await co.step(co.clerk, 'filing', id, 'send_for_review')).body).toContain('Attach the required documents');
    await co.acme.sql(`update {s}.filing__documents set required = false where parent_id = $1`, [id]);
    await co.ok(co.step(co.clerk, 'filing', id, 'send_for_review'));
    expect((await co.step(co.clerk, 'filing', id, 'mark_ready')).statusCode).toBe(403);
    await co.ok(co.step(co.head, 'filing', id, 'mark_ready'));
    const task = async (field: string) =>
      (await co.read('chk_task_instance', (await co.read('filing', id))[field] as number)).state;
    expect([await task('prepare_task_id'), await task('review_task_id')]).toEqual(['completed', 'completed']);
    const filed = { filed_on: day(0), ack_no: 'AA330' };
    expect((await co.step(co.clerk, 'filing', id, 'file', filed)).statusCode).toBe(403);
    expect((await co.step(co.head, 'filing', id, 'file', { ...filed, filed_on: day(1) })).statusCode).toBe(422);
    expect((await co.step(co.head, 'filing', id, 'file', filed)).body).toContain('Tax is payable');
    await co.ok(co.step(co.head, 'filing', id, 'file', { ...filed, paid_on: day(-2), challan_no: 'C1' }));
    expect(await co.read('filing', id)).toMatchObject({
      status: 'filed',
      interest: '909.86',
      score: '25.00',
      overdue: false,
    });
    await co.ok(co.step(co.head, 'filing', id, 'mark_defective', { notice_ref: 'N1', reason: 'Turnover is wrong' }));
    await co.ok(co.step(co.head, 'filing', id, 'revise'));
    const old = await co.read('filing', id);
    expect(await co.read('filing', old.revision_id as number)).toMatchObject({
      status: 'in_preparation',
      revised_of_id: id,
    });
  });

  it('reaches the levels of the slab of its form, each notified once', async () => {
    const slab = await co.add('slab', {
      code: 'FIL',
      name: 'Filings',
      applies_to: 'filing',
      basis: 'calendar_days',
      valid_from: '2024-04-01',
      bands: [
        {
          level: 0,
          from_value: '0',
          to_value: '5',
          score: '100',
        },
        {
          level: 2,
          from_value: '5',
          score: '40',
        },
      ],
    });
    await co.acme.sql('update {s}.statutory_form set slab_id = $2 where id = $1', [ids.form, slab]);
    const filing = await co.add('filing', late(ids.two, { period_from: '2024-03-01', period_to: '2024-03-31' }));
    const queued = () =>
      co.acme.sql<{ level: number; event: string }>(
        `delete from {s}.escalation_waiting where record_type = 'filing' and record_id = $1 returning level, event`,
        [filing],
      );
    await co.run('late_filing_levels');
    expect(await queued()).toEqual([{ level: 2, event: 'band' }]);
    await co.run('late_filing_levels');
    expect(await queued()).toEqual([]);
    const [shown] = (await co.list('dashboard_compliance_task')).filter(({ filing_id: id }) => id === filing);
    expect(shown).toMatchObject({ late_days: 12, level: 2 });
    await co.acme.sql('delete from {s}.filing__documents where parent_id = $1', [filing]);
    await co.acme.sql('delete from {s}.filing where id = $1', [filing]);
    await co.acme.sql('update {s}.statutory_form set slab_id = null where id = $1', [ids.form]);
  });

  it('is extended for all registrations by one notification', async () => {
    const [first, second] = [
      await co.add('filing', late(ids.one, { period_from: '2024-05-01', period_to: '2024-05-31' })),
      await co.add('filing', late(ids.two, { period_from: '2024-05-01', period_to: '2024-05-31' })),
    ];
    const by = { extended_due_on: day(5), extension_ref: 'Notification 14/2025' };
    expect((await co.step(co.clerk, 'filing', first, 'extend_all', by)).statusCode).toBe(403);
    await co.ok(co.step(co.head, 'filing', first, 'extend_all', by));
    for (const id of [first, second])
      expect(await co.read('filing', id)).toMatchObject({
        due_on: day(-12),
        last_day: day(5),
        overdue: false,
        late_days: 0,
        days_left: 5,
        ...by,
      });
  });
});

describe('the evidence of a filing', () => {
  it('is one ZIP with its documents and those of its tasks, as far as the reader sees them', async () => {
    const id = await co.add('filing', late(ids.one, { period_from: '2024-09-01', period_to: '2024-09-30' }));
    const made = await co.read('filing', id);
    const file = async (by: Caller, name: string, field: string) => {
      const { payload, headers } = upload(name, `Content of ${name}`);
      const sent = await by.call('POST', `/tapi/files?for=${field}`, payload, headers);
      expect(sent.statusCode, sent.body).toBe(201);
      return sent.json<{ data: { id: number } }>().data.id;
    };
    const register = await file(co.admin, 'register.txt', 'filing.documents.file');
    await co.acme.sql(`update {s}.filing__documents set file = $2 where parent_id = $1 and label = 'Sales register'`, [
      id,
      register,
    ]);
    const screenshot = await file(co.admin, 'screen/shot.txt', 'chk_task_instance.evidence.file');
    await co.acme.sql(
      `insert into {s}.chk_task_instance__evidence (parent_id, position, label, evidence_kind, file, given) values ($1, 0, 'Portal', 'file', $2, true), ($1, 1, 'Reference', 'text', null, true)`,
      [made.prepare_task_id, screenshot],
    );
    await co.acme.sql(`update {s}.chk_task_instance__evidence set value = 'ARN 7' where label = 'Reference'`);
    const zip = async (by: Caller) => by.call('POST', '/tapi/filing/files', { ids: [id] });
    const all = await zip(co.admin);
    expect(all.statusCode, all.body).toBe(200);
    const files = unpackedZip(all.rawPayload);
    const names = [...files.keys()];
    expect(names).toHaveLength(3);
    const [first, second] = names.toSorted((a, b) => a.split('/').length - b.split('/').length).slice(1);
    expect(first).toMatch(/^FIL[^/]+\/Sales register - register\.txt$/);
    expect(files.get(first!)!.toString()).toBe('Content of register.txt');
    expect(second).toMatch(/^FIL[^/]+\/[^/]+\/Portal - (screen-)?shot\.txt$/);
    const index = XLSX.utils.sheet_to_json<string[]>(XLSX.read(files.get('Index.xlsx')!).Sheets.Files!, { header: 1 });
    expect(index.flat()).toContainEqual(expect.stringContaining('Value: ARN 7'));
    expect(index.flat()).toContainEqual(expect.stringMatching(/^[0-9a-f]{64}$/));
    // Without the right to export, and of another list without this action.
    expect((await zip(co.clerk)).statusCode).toBe(403);
    expect((await co.admin.call('POST', '/tapi/branch/files', { ids: [1] })).statusCode).toBe(404);
  });
});

describe('past filings', () => {
  it('are imported with their state and acknowledgement: nobody gets a task, and late ones cost what they cost', async () => {
    const past = {
      form_id: 'GSTR-3B',
      unit_id: '33AAACA1234B1Zone',
      period_from: '01-06-2024',
      period_to: '30-06-2024',
      due_on: '20-07-2024',
      status: 'Acknowledged',
      filed_on: '01-08-2024',
      ack_no: 'AA3306',
      tax_payable: '1000.00',
      paid_on: '20-07-2024',
      former_no: 'RET-12',
    };
    await importRecords(world, co.admin, 'filing', [
      past,
      { ...past, unit_id: '33AAACA1234B1Ztwo', status: 'Filed', filed_on: '20-07-2024' },
    ]);
    const [one, two] = await co.list('filing', ['period_from', 'eq', '2024-06-01']);
    expect(one).toMatchObject({
      status: 'acknowledged',
      ack_no: 'AA3306',
      former_no: 'RET-12',
      late_days: 12,
      late_fee: '600.00',
      overdue: false,
      prepare_task_id: null,
    });
    expect(one!.documents ?? []).toEqual([]);
    expect(two).toMatchObject({ status: 'filed', late_days: 0, score: '100.00' });
    const lines = await co.admin.call('GET', `/tapi/filing/${one!.id}/history`);
    expect(lines.body).toContain('import');
    expect((await co.step(co.head, 'filing', two!.id, 'take_over', { filed_on: day(0), ack_no: 'X' })).statusCode).toBe(
      404,
    );
  });
});

describe('the compliance dashboard', () => {
  it('weighs each task by its weight and criticality (C1), and has no score where nothing is due', async () => {
    const task = [
      ['critical', 10, -9, 'completed', 'on_time', 100],
      ['critical', 10, -9, 'completed', 'late', 75],
      ['high', 5, -9, 'completed', 'late', 50],
      ['medium', 5, -120, 'missed', 'missed', 0],
      ['medium', 5, -9, 'not_applicable', 'not_applicable', null],
      ['low', 2, -4, 'open', null, null],
      ['low', 2, 3, 'open', null, null],
    ];
    for (const [at, [criticality, weight, due, state, outcome, score]] of task.entries())
      await co.acme.sql(
        `insert into {s}.chk_task_instance (entity_id, task_no, title, origin, category, criticality, weight, assignee_id, due_on, state, outcome, score, branch_id)
         values ($1, $2, $2, 'adhoc', 'corporate', $3, $4, $5, $6, $7, $8, $9, $10)`,
        [
          co.acme.entityIds[0],
          `C1/${at}`,
          criticality,
          weight,
          co.ids.clerk,
          day(Number(due)),
          state,
          outcome,
          score,
          co.ids.branch,
        ],
      );
    type Tile = { name: string; problem?: string; figures?: { rows: Record<string, unknown>[] } };
    const board = await co.ok(co.admin.call('POST', '/tapi/dashboard/dashboard_compliance', { filters: {} }));
    const tiles = board.tiles as Tile[];
    expect(tiles.filter(({ problem }) => problem !== undefined)).toEqual([]);
    const row = (name: string) => tiles.find((tile) => tile.name === name)!.figures!.rows[0]!;
    expect(Number(row('score_corporate').score)).toBe(75.66);
    expect([Number(row('score_corporate').points), Number(row('score_corporate').weight)]).toEqual([57.5, 76]);
    expect(row('score_labour').score).toBeNull();
  });

  it('is in the Monday digest of the chairman: the mean score of the filings due in the financial year', async () => {
    const role = await co.acme.role({
      modules: ['LEADERSHIP_STRUCTURE', 'COMPLIANCE'],
      screens: Object.fromEntries(
        ['SCN_CHAIRMAN_DASHBOARD', 'SCN_FORMS_TRANSACTIONS'].map((code) => [
          code,
          { pages: ['landing', 'view_screen'], scope: 'company' },
        ]),
      ),
    });
    await co.acme.user('chair', { companies: [{ company: 1, roles: [role] }] });
    await co.acme.sql(`update {s}.users set chairman_flag = true where username = 'chair'`);
    const [one, two] = await co.list('filing', ['period_from', 'eq', '2024-06-01']);
    await co.acme.sql('update {s}.filing set score = null where score is not null');
    for (const [filing, score] of [
      [one, 60],
      [two, 85.5],
    ] as const)
      await co.acme.sql('update {s}.filing set score = $2, last_day = $3, due_on = $3 where id = $1', [
        filing!.id,
        score,
        day(0),
      ]);
    await co.run('board_digest');
    const mails = await co.acme.sql<{ body: string }>(`select body from {s}.outbox where event_code = 'board.digest'`);
    expect(mails).toHaveLength(1);
    expect(mails[0]!.body).toMatch(/^Compliance: 72\.75/m);
  });
});
