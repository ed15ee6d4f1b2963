import { expect, it } from 'vitest';
import type { Report, ReportAnswer } from '../../../src/domain/report.ts';
import type { Caller, TestTenant, World } from '../world.ts';

interface Known {
  world: World;
  acme: TestTenant;
  chief: Caller;
}
interface Listed {
  name: string;
  title: string;
  own?: { id: number; mine: boolean; shared: string; mayChange: boolean };
}

/** Errands by department and month, with a count and an amount. */
const BUILT = {
  title: 'What we ran',
  from: {
    type: 'errand',
    group: ['department_id'],
    measures: [
      { name: 'errands', title: 'Errands', count: true },
      { name: 'amount', title: 'Amount', sum: 'amount' },
    ],
    filter: ['name', 'in', ['One', 'Two', 'Three', 'Mine', 'Elsewhere']],
    filters: ['state'],
  },
  sort: { by: 'amount', descending: true },
  chart: { kind: 'bar', x: 'department_id', y: ['errands'] },
};
const SCREENS = { SCN_ERRAND: ['landing'] } as const;

/** Reports that people build, save, share, change and delete. */
export function builtReportCases(known: () => Known): void {
  const AT = '/tapi/report/own';
  const save = (caller: Caller, body: object) => caller.call('POST', AT, body);
  const saved = async (caller: Caller, body: object) => {
    const made = await save(caller, body);
    expect(made.statusCode, made.body).toBe(201);
    return made.json<{ data: { id: number; name: string; route: string } }>().data;
  };
  const rows = (caller: Caller, name: string, query = '') => caller.call('GET', `/tapi/report/${name}/rows${query}`);
  const figures = async (caller: Caller, name: string, query = '') => {
    const answer = await rows(caller, name, query);
    expect(answer.statusCode, answer.body).toBe(200);
    const { data } = answer.json<{ data: ReportAnswer }>();
    return data.rows.map((row) => [row.department_id__label ?? null, row.errands, row.amount]);
  };
  const listed = async (caller: Caller) =>
    (await caller.call('GET', '/tapi/report'))
      .json<{ data: Listed[] }>()
      .data.flatMap(({ title, own }) => (own ? [title] : []));
  const COMPANY = [
    ['Works', 2, '100.30'],
    ['Sales', 2, '8.00'],
  ];
  let reader: Caller;
  let readerRole: number;
  let builder: Caller;
  let one: { id: number; name: string; route: string };

  it('created by a person are previewed, saved and read like every other: page, sheet, paper, mail, a parameter', async () => {
    const { acme, chief, world } = known();
    const running = await acme.role({
      modules: ['MASTERS'],
      screens: { ...SCREENS } as never,
      actions: ['RUN_REPORTS'],
    });
    readerRole = await acme.role({ modules: ['MASTERS'], screens: { ...SCREENS } as never });
    await acme.user('builder', { companies: [{ company: 1, roles: [running] }] });
    await acme.user('reader', { companies: [{ company: 1, roles: [readerRole] }] });
    [builder, reader] = [await world.signIn(acme, 'builder'), await world.signIn(acme, 'reader')];

    const tried = await chief.call('POST', `${AT}/preview`, { report: BUILT });
    expect(tried.statusCode, tried.body).toBe(200);
    expect(tried.json<{ data: { answer: ReportAnswer } }>().data.answer).toMatchObject({
      rows: [{ department_id__label: 'Works' }, { department_id__label: 'Sales' }],
      totals: { errands: 4, amount: '108.30' },
      chart: { x: ['Works', 'Sales'], series: [{ title: 'Errands', values: [2, 2] }] },
    });
    one = await saved(chief, { report: BUILT });
    expect(one.route).toBe(`/reports/own/${one.id}`);
    const at = await chief.call('GET', `/tapi/report/at?route=${one.route}`);
    expect(at.json<{ data: Report }>().data).toMatchObject({ name: one.name, title: 'What we ran', exports: true });
    expect(await figures(chief, one.name)).toEqual(COMPANY);
    expect(await figures(chief, one.name, '?state=done')).toEqual([
      ['Works', 1, '100.10'],
      ['Sales', 1, '7.00'],
    ]);
    expect((await chief.call('GET', `/tapi/report/${one.name}/export.xlsx`)).statusCode).toBe(200);
    expect((await chief.call('GET', `/tapi/report/${one.name}/export.pdf`)).rawPayload.subarray(0, 4).toString()).toBe(
      '%PDF',
    );
    const subscription = { format: 'pdf', every: 'daily', hour: 8, people: [chief.userId] };
    expect((await chief.call('POST', `/tapi/report/${one.name}/subscriptions`, subscription)).statusCode).toBe(201);
  });

  it('are mailed to people who may see them; others are named to the sender', async () => {
    const { acme, chief, world } = known();
    const at = `/tapi/report/${one.name}/subscriptions`;
    const [first] = (await chief.call('GET', at)).json<{ data: { id: number }[] }>().data;
    const people = [chief.userId, builder.userId];
    const put = await chief.call('PUT', `${at}/${first!.id}`, { format: 'pdf', every: 'daily', hour: 8, people });
    expect(put.statusCode, put.body).toBe(200);
    await acme.sql(`update {s}.report_subscription set next_at = now() - interval '1 minute' where report = $1`, [
      one.name,
    ]);
    await world.app.jobs.enqueue(acme.schema, 'report_mail');
    await world.app.jobs.drain();
    const sent = await acme.sql<{ recipient: string }>(
      `select recipient from {s}.outbox where event_code = 'report.sent' and subject like '%What we ran%' order by recipient`,
    );
    expect(sent).toEqual([{ recipient: 'chief@example.in' }]);
    expect((await chief.call('GET', at)).json()).toMatchObject({
      data: [{ paused: false, problem: /^Person builder: .*not shared with this person/ }],
    });
  });

  it('count by weeks, and within a period relative to today', async () => {
    const { chief } = known();
    const by = {
      ...BUILT,
      title: 'By week',
      from: { ...BUILT.from, group: [{ field: 'day', by: 'week' }], filters: [] },
      sort: undefined,
      chart: undefined,
    };
    const tried = await chief.call('POST', `${AT}/preview`, { report: by });
    expect(tried.statusCode, tried.body).toBe(200);
    expect(tried.json<{ data: { answer: ReportAnswer } }>().data.answer.rows.map((row) => row.day_week)).toEqual([
      '2026 W05',
      '2026 W14',
      '2026 W18',
    ]);
    const today = (
      await known().acme.sql<{ day: string }>(`select (now() at time zone 'Asia/Kolkata')::date::text as day`)
    )[0]!.day;
    const made = await chief.call('POST', '/tapi/errand', {
      name: 'Fresh',
      day: today,
      told_at: new Date().toISOString(),
    });
    expect(made.statusCode, made.body).toBe(201);
    for (const field of ['day', 'told_at']) {
      const recent = {
        ...by,
        from: { ...by.from, filter: ['and', ['name', 'eq', 'Fresh'], [field, 'within', 'last_30_days']] },
      };
      const answer = (await chief.call('POST', `${AT}/preview`, { report: recent })).json<{
        data: { answer: ReportAnswer };
      }>();
      expect(answer.data.answer.rows, field).toMatchObject([{ errands: 1 }]);
    }
    const list = await chief.call('GET', `/tapi/errand?filter=${encodeURIComponent('["day","within","someday"]')}`);
    expect(list.statusCode).toBe(400);
    expect(list.body).toContain('last_30_days');
  });

  it('are refused with the error and the remedy', async () => {
    const { chief } = known();
    const refused = async (report: object, caller = chief) => {
      const { statusCode, body } = await save(caller, { report });
      return [statusCode, (JSON.parse(body) as { error: { message: string } }).error.message] as const;
    };
    const { from } = BUILT;
    expect(await refused({ ...BUILT, title: ' ' })).toEqual([422, 'Name the report.']);
    expect(await refused({ ...BUILT, source: 'users_and_access' })).toMatchObject([422, /no "source"/]);
    expect(await refused({ ...BUILT, links: { department_id: 'https://example.com' } })).toMatchObject([
      422,
      /no "links"/,
    ]);
    expect((await refused({ ...BUILT, from: { ...from, type: 'no_such' } }))[1]).toContain('no record type "no_such"');
    expect((await refused({ ...BUILT, from: { ...from, group: ['departement_id'] } }))[1]).toContain('department_id');
    expect((await refused({ ...BUILT, from: { ...from, group: ['day'] } }))[1]).toContain('needs a period');
    expect(
      (await refused({ ...BUILT, from: { ...from, measures: [{ name: 'x', title: 'X', sum: 'name' }] } }))[1],
    ).toBe('"name" has no sum: it is of type text. Choose a field with amounts or numbers.');
    expect((await refused({ ...BUILT, from: { ...from, filter: ['state', 'eq', 'lost'] } }))[0]).toBe(422);
    expect((await refused({ ...BUILT, sort: { by: 'nothing' } }))[1]).toContain('There is no column "nothing".');
    expect((await refused({ ...BUILT, title: 'a\u0000b' }))[0]).toBe(400);
    expect((await refused(BUILT, reader))[0]).toBe(403);
  });

  it('use the reader’s rights: rows, company, type and fields', async () => {
    const { acme, chief, world } = known();
    const { id, name } = one;
    // Nobody else has it until it is shared.
    expect((await rows(builder, name)).statusCode).toBe(404);
    expect((await chief.call('PUT', `${AT}/${id}`, { report: BUILT, shared: 'all', version: 1 })).statusCode).toBe(200);
    expect(await figures(builder, name)).toEqual(COMPANY);
    expect(await figures(await world.signIn(acme, 'own'), name)).toEqual([['Sales', 1, '1.00']]);
    const other = await chief.call('GET', `/tapi/report/${name}/rows`, undefined, {
      'x-entity-id': String(acme.entityIds[1]),
    });
    expect(other.json<{ data: ReportAnswer }>().data.rows).toMatchObject([{ errands: 1, amount: '999.00' }]);

    const stranger = await acme.role({ modules: ['MASTERS'], actions: ['RUN_REPORTS'] });
    await acme.user('stranger', { companies: [{ company: 1, roles: [stranger] }] });
    const without = await world.signIn(acme, 'stranger');
    expect((await rows(without, name)).statusCode).toBe(403);
    expect(await listed(without)).toEqual([]);
    expect((await save(without, { report: BUILT })).statusCode).toBe(403);

    const rights = await chief.call('GET', `/tapi/screen_rights/${readerRole}`);
    const { version } = rights.json<{ data: { role: { version: number } } }>().data.role;
    const hidden = await chief.call('PUT', `/tapi/screen_rights/${readerRole}`, {
      version,
      fields: [{ record_type: 'errand', field: 'amount', access: 'hidden' }],
    });
    expect(hidden.statusCode, hidden.body).toBe(200);
    for (const path of [`/tapi/report/${name}/rows`, `/tapi/report/${name}`, `${AT}/${id}`]) {
      const answer = await reader.call('GET', path);
      expect(answer.statusCode, path).toBe(403);
      expect(answer.json()).toMatchObject({ error: { message: /fields of errands that you may not see/ } });
      expect(answer.body).not.toMatch(/amount/i);
    }
  });

  it('are shared by permitted people with holders of roles or with all; others neither change nor delete them', async () => {
    const { chief } = known();
    const plain = {
      ...BUILT,
      title: 'Only counts',
      from: { ...BUILT.from, measures: [BUILT.from.measures[0]] },
      sort: undefined,
    };
    expect((await save(builder, { report: plain, shared: 'all' })).statusCode).toBe(403);
    const own = await saved(builder, { report: plain });
    expect(await listed(reader)).not.toContain('Only counts');
    expect((await save(chief, { report: plain, shared: 'roles', roles: [] })).statusCode).toBe(422);
    const shared = await saved(chief, { report: plain, shared: 'roles', roles: [readerRole] });
    expect(await listed(reader)).toContain('Only counts');
    expect((await rows(reader, shared.name)).statusCode).toBe(200);
    expect((await rows(builder, shared.name)).statusCode).toBe(404);
    const change = await reader.call('PUT', `${AT}/${shared.id}`, { report: plain, version: 1 });
    expect(change.statusCode).toBe(403);
    expect((await reader.call('DELETE', `${AT}/${shared.id}`)).statusCode).toBe(403);
    // Who may not share keeps what they share from nobody else: their own stays theirs.
    expect((await chief.call('GET', `${AT}/${own.id}`)).statusCode).toBe(404);
  });

  it('saved by two people at once: the second one sees a conflict', async () => {
    const { chief } = known();
    const again = { report: { ...BUILT, title: 'Renamed' }, shared: 'all', version: 2 };
    expect((await chief.call('PUT', `${AT}/${one.id}`, again)).json()).toEqual({ data: { id: one.id, version: 3 } });
    const second = await chief.call('PUT', `${AT}/${one.id}`, again);
    expect(second.statusCode).toBe(409);
    expect(second.json()).toMatchObject({ error: { message: /Somebody has saved this report since/ } });
  });

  it('name a field that the type has lost, and can still be edited and deleted by their owner', async () => {
    const { acme, chief } = known();
    await acme.sql(
      `update {s}.custom_report set content = replace(content::text, '"sum": "amount"', '"sum": "fee"')::jsonb where id = $1`,
      [one.id],
    );
    const broken = await rows(chief, one.name);
    expect(broken.statusCode).toBe(422);
    expect(broken.json()).toMatchObject({
      error: { code: 'outdated_report', message: /"Renamed" no longer fits .* Errand has no field "fee"/ },
    });
    expect((await chief.call('GET', `${AT}/${one.id}`)).json()).toMatchObject({
      data: { mayChange: true, version: 3 },
    });
    expect((await chief.call('DELETE', `${AT}/${one.id}`)).statusCode).toBe(204);
    expect((await rows(chief, one.name)).statusCode).toBe(404);
    expect(await acme.sql(`select 1 from {s}.report_subscription where report = $1`, [one.name])).toEqual([]);
  });
}
