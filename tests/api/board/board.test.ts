import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { layOutChart } from '../../../src/domain/organisation/chart_layout.ts';
import type { ChartPerson } from '../../../src/domain/organisation/chart_tree.ts';
import { ChartTree } from '../../../src/domain/organisation/chart_tree.ts';
import { ensureTables } from '../../../src/server/db/tenants.ts';
import { companyDay } from '../../company_day.ts';
import { branchWithMembers } from '../fms/branch_with_members.ts';
import { upload } from '../multipart.ts';
import { figureOf } from '../record_figure.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

// Terms of office, rules, declarations and questions (board.md §4, 5, 10), and the chart of the company.

type Row = Record<string, unknown>;
type Doc = Row & { id: number; version: number; state: string };

let world: World;
let acme: TestTenant;
const people: Record<string, Caller> = {};
const ids: Record<string, number> = {};
const today = companyDay(0);
const yearsAgo = (years: number) =>
  `${Number(today.slice(0, 4)) - years}${today.slice(4) === '-02-29' ? '-02-28' : today.slice(4)}`;

async function ok<Answer = Doc>(answer: ReturnType<Caller['call']>, status = 200): Promise<Answer> {
  const got = await answer;
  expect(got.statusCode, got.body).toBe(status);
  return got.json<{ data: Answer }>().data;
}
const add = async (type: string, record: object, by = 'admin') =>
  (await ok(people[by]!.call('POST', `/tapi/${type}`, record), 201)).id;
const read = (type: string, id: number, by = 'admin') => ok(people[by]!.call('GET', `/tapi/${type}/${id}`));
const list = (type: string, filter?: unknown, by = 'admin') =>
  ok<Doc[]>(
    people[by]!.call(
      'GET',
      `/tapi/${type}?size=100${filter ? `&filter=${encodeURIComponent(JSON.stringify(filter))}` : ''}`,
    ),
  );
const step = async (type: string, id: number, name: string, more: object = {}, by = 'admin') =>
  people[by]!.call('POST', `/tapi/${type}/${id}/${name}`, { version: (await read(type, id)).version, ...more });

/** Proposes somebody for a seat. @returns the term */
async function propose(seat: number, member: number, from: string, by = 'admin'): Promise<number> {
  const { version, tenures } = await read('board_position', seat);
  await ok(
    people[by]!.call('PUT', `/tapi/board_position/${seat}`, {
      version,
      tenures: [...((tenures as Row[] | null) ?? []), { board_member_id: member, from_date: from, basis: 'board' }],
    }),
  );
  const [term] = await list('board_tenure', ['and', ['seat_id', 'eq', seat], ['state', 'eq', 'proposed']]);
  return term!.id;
}
const noticesOf = async (by: string) =>
  (await ok<{ title: string }[]>(people[by]!.call('GET', '/tapi/notifications'))).map(({ title }) => title);
/** What the last welcome pack of an account says. */
const packOf = async (user: number) =>
  (
    await acme.sql<{ body: string }>(
      `select body from {s}.outbox where event_code = 'board.welcome' and user_id = $1 order by id desc limit 1`,
      [user],
    )
  )[0]?.body;
/** Uploads the consent of somebody to become a director. @returns the file */
async function consentFile(by = 'admin'): Promise<number> {
  const { payload, headers } = upload('DIR-2.pdf', '%PDF-1.4 consent');
  const sent = await people[by]!.call('POST', '/tapi/files?for=board_tenure.consent', payload, headers);
  expect(sent.statusCode, sent.body).toBe(201);
  return sent.json<{ data: { id: number } }>().data.id;
}
async function seated(seat: number, member: number, from = yearsAgo(1)): Promise<number> {
  const term = await propose(seat, member, from);
  await ok(step('board_tenure', term, 'approve', { resolution_no: 'BR/1', consent: await consentFile() }));
  await ok(step('board_tenure', term, 'start'));
  return term;
}

beforeAll(async () => {
  world = await startWorld();
  acme = await world.tenant({ products: ['BOARD', 'PMS'], companies: 2 });
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  const full = { pages: ['landing', 'view_screen', 'add_screen', 'edit_screen'] as const, scope: 'company' as const };
  const codes = [
    'SCN_BOARD_POSITIONS',
    'SCN_BOARD_UNITS',
    'SCN_BOARD_QUERIES',
    'SCN_BOARD_RULES',
    'SCN_CHAIRMAN_DASHBOARD',
    'SCN_COMMITTEE_DASHBOARD',
    'SCN_BOARD_MEETINGS',
    'SCN_SECRETARY_DASHBOARD',
    'SCN_EMPLOYEE_DASHBOARD',
    'SCN_MY_TASKS',
  ];
  const chair = await acme.role({
    modules: ['LEADERSHIP_STRUCTURE'],
    screens: Object.fromEntries(codes.map((code) => [code, { ...full, pages: [...full.pages] }])),
    actions: ['MANAGE_BOARD', 'ASK_BOARD'],
  });
  const member = await acme.role({
    modules: ['LEADERSHIP_STRUCTURE'],
    screens: Object.fromEntries(
      codes.map((code) => [code, { pages: ['landing', 'view_screen'], scope: 'own' as const }]),
    ),
  });
  for (const [name, role] of [
    ['chairman', chair],
    ['finance', member],
    ['outsider', member],
  ] as const)
    await acme.user(name, { companies: [{ company: 1, roles: [role] }] });
  people.admin = await world.signIn(acme, 'admin');
  await acme.sql(`update {s}.users set chairman_flag = true where username = 'chairman'`);
  const [tn] = await acme.sql<{ id: number; city: number; country_id: number }>(
    `select s.id, s.country_id, (select c.id from {s}.city_mstr c where c.state_id = s.id order by c.id limit 1) as city from {s}.state_mstr s`,
  );
  ids.country = tn!.country_id;
  const { member: employee } = await branchWithMembers(
    add,
    { city: tn!.city, state_id: tn!.id, country: tn!.country_id },
    {
      branch: { code: 'CHN' },
      department: { code: 'D1', name: 'Finance' },
      designation: { code: 'S1', name: 'Officer' },
    },
  );
  const above: Record<string, string> = { finance: 'chairman', outsider: 'finance' };
  for (const [at, name] of ['chairman', 'finance', 'outsider'].entries()) {
    const caller = await world.signIn(acme, name);
    ids[name] = await employee(`E2000${at}`, {
      user_id: caller.userId,
      ...(above[name] && { reporting_to_id: ids[above[name]] }),
    });
    await acme.sql('update {s}.users set employee_id = $2 where id = $1', [caller.userId, ids[name]]);
    people[name] = await world.signIn(acme, name);
  }
  const type = await add('board_type', { code: 'BOD', name: 'Board', kind: 'board', company_class: 'private' });
  const committee = await add('board_type', { code: 'AUD', name: 'Audit', kind: 'committee' });
  ids.board = await add('board_unit', {
    code: 'BOD',
    name: 'Board of directors',
    board_type_id: type,
    constituted_on: '2014-04-01',
    secretary_id: ids.finance,
  });
  ids.audit = await add('board_unit', {
    code: 'AUD',
    name: 'Audit committee',
    board_type_id: committee,
    constituted_on: '2014-04-01',
  });
  const rule = (code: string, more: object) =>
    add('board_rule', {
      code,
      name: code,
      board_type_id: type,
      source: `s. ${code}`,
      valid_from: '2014-04-01',
      ...more,
    });
  ids.least = await rule('MIN', { check: 'min_members', value: '2' });
  await rule('IND', { check: 'share_of_category', category: 'independent', value: '0.3333' });
  const designation = (code: string, category: string, isExecutive: boolean, isDirector = true) =>
    add('board_designation', { code, name: code, category, is_director: isDirector, is_executive: isExecutive });
  ids.whole = await designation('WTD', 'whole_time', true);
  ids.independent = await designation('ID', 'independent', false);
  ids.sits = await designation('CM', 'member', false, false);
  const person = (name: string, din: string, more: object = {}) =>
    add('board_member', {
      person_kind: 'external',
      name,
      din,
      email: `${din}@board.example`,
      gender: 'female',
      nationality: ids.country,
      ...more,
    });
  ids.asha = await person('Asha Rao', '01234567', {
    other_offices: [{ company: 'Rao Steel', class: 'private', office: 'Director' }],
  });
  ids.ravi = await person('Ravi Menon', '01234568');
  ids.mina = await person('Mina Nair', '01234569', {
    person_kind: 'employee',
    employee_id: ids.finance,
    user_id: people.finance!.userId,
  });
  const seat = (unit: number, of: number) =>
    add('board_position', { unit_id: unit, designation_id: of, sanctioned_on: '2014-04-01' });
  ids.seat1 = await seat(ids.board, ids.independent);
  ids.seat2 = await seat(ids.board, ids.whole);
  ids.seat3 = await seat(ids.board, ids.whole);
  ids.seat4 = await seat(ids.audit, ids.sits);
});
afterAll(() => world.close());

describe('terms of office', () => {
  test('an appointment fills the seat, makes the person a member of the unit and opens the year’s declarations', async () => {
    const term = await seated(ids.seat1!, ids.asha!);
    const [seat, unit, stored] = [
      await read('board_position', ids.seat1!),
      await read('board_unit', ids.board!),
      await read('board_tenure', term),
    ];
    expect([seat.holder_id, seat.vacant_since, unit.member_ids]).toEqual([ids.asha, null, [ids.asha]]);
    expect(seat.vacant_days).toBe(0);
    // Five years less a day, by the law for independent directors.
    expect(String(stored.until_date).slice(0, 4)).toBe(String(Number(today.slice(0, 4)) + 4));
    expect([stored.state, stored.term_no, stored.unit_id]).toEqual(['active', 1, ids.board]);
    const kinds = (await list('board_disclosure')).map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(['disqualification_dir8', 'independence', 'interest_mbp1']));
  });

  test('access to a unit follows when a member gets an account, or loses it', async () => {
    const link = async (user: number | null) => {
      const { version } = await read('board_member', ids.asha!);
      await ok(people.admin!.call('PUT', `/tapi/board_member/${ids.asha}`, { version, user_id: user }));
      while ((await world.app.deliveries.deliver(acme)) > 0);
      const [unit] = await acme.sql<{ users: string[] | null }>(
        'select member_user_ids as users from {s}.board_unit where id = $1',
        [ids.board],
      );
      return (unit!.users ?? []).map(Number);
    };
    expect(await link(people.outsider!.userId)).toEqual([people.outsider!.userId]);
    expect(await link(null)).toEqual([]);
    // Nobody has opened the rules of Act here: their subscriber has nothing to do, and does not fail.
    expect(await acme.sql(`select error from {s}.event_delivery where state <> 'done'`)).toEqual([]);
  });

  test('a violated rule is a finding with its remedy, and closes when the rule is met again', async () => {
    const open = () => list('board_finding', ['and', ['rule_id', 'eq', ids.least], ['state', 'eq', 'open']]);
    expect(await open()).toMatchObject([
      { unit_id: ids.board, needed: 2, have: 1, missing: 1, remedy: 'Appoint 1 director.' },
    ]);
    await seated(ids.seat2!, ids.ravi!);
    expect(await open()).toEqual([]);
  });

  test('nobody holds two seats in a unit, and an employee is not independent', async () => {
    const twice = await propose(ids.seat3!, ids.asha!, today);
    const refused = await step('board_tenure', twice, 'approve', { resolution_no: 'BR/2' });
    expect([refused.statusCode, refused.body]).toEqual([
      422,
      expect.stringContaining('Asha Rao already sits in Board of directors'),
    ]);
    await ok(step('board_tenure', twice, 'drop', { reason: 'Sits already' }));
    const seat = await add('board_position', {
      unit_id: ids.board,
      designation_id: ids.independent,
      sanctioned_on: today,
    });
    const employed = await propose(seat, ids.mina!, today);
    expect((await step('board_tenure', employed, 'approve', { resolution_no: 'BR/2' })).body).toContain('s. 149(6)');
    await ok(step('board_tenure', employed, 'drop', { reason: 'Employed' }));
  });

  test('an appointment that violates a rule needs a second person and a reason', async () => {
    const seats = await Promise.all(
      [1, 2].map(() => add('board_position', { unit_id: ids.board, designation_id: ids.whole, sanctioned_on: today })),
    );
    await seated(ids.seat3!, ids.mina!);
    const pack = await packOf(people.finance!.userId);
    expect(pack).toContain('Members:\n- ');
    expect(pack).toMatch(/Declarations to give:\n- \S+, due on \d\d-\d\d-\d{4}/);
    const kiran = await add('board_member', {
      person_kind: 'external',
      name: 'Kiran Das',
      din: '01234570',
      email: 'kiran@board.example',
      gender: 'male',
      nationality: ids.country,
    });
    const term = await propose(seats[0]!, kiran, today);
    const refused = await step('board_tenure', term, 'approve', {
      resolution_no: 'BR/3',
      consent: await consentFile(),
    });
    expect([refused.statusCode, refused.body]).toEqual([
      422,
      expect.stringContaining('s. IND: 2 needed, 1 with Kiran Das'),
    ]);
    const reason = 'Until the general meeting';
    const without = await step('board_tenure', term, 'approve_despite', { resolution_no: 'BR/3', reason }, 'chairman');
    expect([without.statusCode, without.body]).toEqual([
      422,
      expect.stringContaining('Attach the consent (DIR-2) of Kiran Das.'),
    ]);
    const despite = { resolution_no: 'BR/3', reason, consent: await consentFile('chairman') };
    expect((await step('board_tenure', term, 'approve_despite', despite)).statusCode).toBe(403);
    expect((await ok(step('board_tenure', term, 'approve_despite', despite, 'chairman'))).state).toBe('approved');
  });

  test('a director’s term is approved only with the consent, which then stays; other seats need none', async () => {
    const seat = await add('board_position', { unit_id: ids.board, designation_id: ids.whole, sanctioned_on: today });
    const gita = await add('board_member', {
      person_kind: 'external',
      name: 'Gita Shah',
      din: '01234575',
      email: 'gita@board.example',
      gender: 'female',
      nationality: ids.country,
    });
    const term = await propose(seat, gita, today);
    const missing = { field: 'consent', message: 'Attach the consent (DIR-2) of Gita Shah.' };
    const refused = await step('board_tenure', term, 'approve', { resolution_no: 'BR/4' });
    expect([refused.statusCode, refused.json()]).toMatchObject([
      422,
      { error: { details: expect.arrayContaining([missing]) } },
    ]);
    expect((await read('board_tenure', term)).state).toBe('proposed');
    const despite = {
      resolution_no: 'BR/4',
      reason: 'Until the general meeting',
      consent: await consentFile('chairman'),
    };
    await ok(step('board_tenure', term, 'approve_despite', despite, 'chairman'));
    const { version, ...stored } = await read('board_position', seat);
    const emptied = await people.admin!.call('PUT', `/tapi/board_position/${seat}`, {
      version,
      tenures: (stored.tenures as Row[]).map((row) => ({ ...row, consent: null })),
    });
    expect([emptied.statusCode, emptied.json()]).toMatchObject([
      422,
      { error: { details: [{ field: 'tenures.0.consent', message: missing.message }] } },
    ]);
    const own = await people.admin!.call('PUT', `/tapi/board_tenure/${term}`, {
      version: (await read('board_tenure', term)).version,
      consent: null,
    });
    expect([own.statusCode, own.body]).toEqual([422, expect.stringContaining(missing.message)]);
    const many = await people.admin!.call('PUT', '/tapi/board_tenure/bulk', { ids: [term], set: { consent: null } });
    expect(many.body).toContain(missing.message);
    expect((await read('board_tenure', term)).consent).not.toBeNull();
    await ok(step('board_tenure', term, 'drop', { reason: 'Other plans' }));
    await acme.sql('update {s}.board_position set active = false where id = $1', [seat]);
    // A member of a committee is no director.
    const committee = await propose(ids.seat4!, gita, today);
    expect((await ok(step('board_tenure', committee, 'approve', { resolution_no: 'AC/1' }))).state).toBe('approved');
    await ok(step('board_tenure', committee, 'drop', { reason: 'Other plans' }));
  });

  test('a renewal proposes the next term from the following day, only once', async () => {
    const renew = async () =>
      people.admin!.call('POST', `/tapi/board_position/action/board.renew`, {
        on: 'record',
        id: ids.seat1,
        version: (await read('board_position', ids.seat1!)).version,
      });
    await ok(renew());
    const [next] = await list('board_tenure', ['and', ['seat_id', 'eq', ids.seat1], ['state', 'eq', 'proposed']]);
    expect([next!.board_member_id, next!.term_no, next!.from_date]).toEqual([ids.asha, 2, yearsAgo(-4)]);
    expect((await renew()).statusCode).toBe(422);
  });

  test('a unit starts its charter from a copy of that of its type; a designation names the one employee who holds it', async () => {
    const start = async () =>
      people.admin!.call('POST', '/tapi/board_unit/action/board.start_charter', {
        on: 'record',
        id: ids.audit,
        version: (await read('board_unit', ids.audit!)).version,
      });
    const none = await start();
    expect([none.statusCode, none.body]).toEqual([422, expect.stringContaining('Audit has no charter template.')]);
    const { payload, headers } = upload('Charter.pdf', '%PDF-1.4 charter');
    const sent = await people.admin!.call('POST', '/tapi/files?for=board_type.charter_template', payload, headers);
    const template = sent.json<{ data: { id: number } }>().data.id;
    const type = Number((await read('board_unit', ids.audit!)).board_type_id);
    const { version } = await read('board_type', type);
    await ok(people.admin!.call('PUT', `/tapi/board_type/${type}`, { version, charter_template: template }));
    await ok(start());
    const charter = Number((await read('board_unit', ids.audit!)).charter);
    expect(charter).not.toBe(template);
    expect((await start()).statusCode).toBe(409);
    // Nor does somebody replace the confidential charter that they do not see.
    await acme.sql('update {s}.board_unit set confidential = true where id = $1', [ids.audit]);
    expect((await start()).statusCode).toBe(409);
    await acme.sql('update {s}.board_unit set confidential = false where id = $1', [ids.audit]);
    // It is the unit's own file.
    const link = (by: string) => people[by]!.call('GET', `/tapi/files/${charter}/link`);
    const opened = await people.admin!.call('GET', (await link('admin')).json<{ url: string }>().url);
    expect(opened.body).toBe('%PDF-1.4 charter');
    expect((await link('outsider')).statusCode).toBe(404);

    const holder = async (designation: number | undefined) =>
      (await read('board_designation', designation!)).employee_id ?? null;
    // Several persons are whole-time directors, and an independent director is external.
    expect([await holder(ids.whole), await holder(ids.independent)]).toEqual([null, null]);
    const office = await add('board_designation', { code: 'CFO', name: 'CFO', category: 'cfo' });
    const seat = await add('board_position', { unit_id: ids.audit, designation_id: office, sanctioned_on: today });
    const term = await seated(seat, ids.mina!, today);
    expect(await holder(office)).toBe(ids.finance);
    await ok(step('board_tenure', term, 'end', { ended_on: today, end_reason: 'resigned' }));
    expect(await holder(office)).toBeNull();
    await acme.sql('update {s}.board_position set active = false where id = $1', [seat]);
  });

  test('a DIN has eight digits and one person; seats and units end only when they are empty', async () => {
    const refused = async (type: string, id: number, change: object) => {
      const { version } = await read(type, id);
      const answer = await people.admin!.call('PUT', `/tapi/${type}/${id}`, { version, ...change });
      return [answer.statusCode, answer.body];
    };
    expect(await refused('board_member', ids.ravi!, { din: '123' })).toEqual([
      422,
      expect.stringContaining('DIN has 8 digits.'),
    ]);
    expect(await refused('board_member', ids.ravi!, { din: '01234567' })).toEqual([
      422,
      expect.stringContaining('DIN 01234567 belongs to Asha Rao.'),
    ]);
    expect(await refused('board_position', ids.seat2!, { abolished_on: today })).toEqual([
      422,
      expect.stringContaining('Ravi Menon holds the seat. End the term first, or choose a later day.'),
    ]);
    const planned = await add('board_meeting', { unit_id: ids.board, held_on: yearsAgo(-1) });
    const { number } = await read('board_meeting', planned);
    expect(await refused('board_unit', ids.board!, { state: 'dissolved', dissolved_on: today })).toEqual([
      422,
      expect.stringMatching(
        new RegExp(
          `Seats are held by Asha Rao, .*Ravi Menon. End their terms first.*Meetings are open: ${String(number)}.`,
        ),
      ),
    ]);
    await ok(step('board_meeting', planned, 'cancel', { reason: 'Too early' }));
    const second = await people.admin!.call('POST', '/tapi/board_unit', {
      code: 'BOD2',
      name: 'Second board',
      board_type_id: (await read('board_unit', ids.board!)).board_type_id,
      constituted_on: '2014-04-01',
    });
    expect([second.statusCode, second.body]).toEqual([
      409,
      expect.stringContaining('The company has a board already.'),
    ]);
    // What is in use is not deleted, and may be made inactive.
    const { board_type_id: type } = await read('board_unit', ids.board!);
    for (const [name, id, places] of [
      ['board_designation', ids.whole!, /Used by .*\d+ board positions?.*\. Deactivate it instead\./],
      ['board_type', Number(type), /Used by .*1 board unit.*\. Deactivate it instead\./],
    ] as const) {
      const { version } = await read(name, id);
      const used = await people.admin!.call('DELETE', `/tapi/${name}/${id}?version=${version}`);
      expect([used.statusCode, used.body]).toEqual([409, expect.stringMatching(places)]);
      const off = await ok(people.admin!.call('POST', `/tapi/${name}/${id}/deactivate`, { version }));
      await ok(people.admin!.call('POST', `/tapi/${name}/${id}/activate`, { version: off.version }));
    }
  });

  test('two people edit one seat: the second sees both versions; changes of different terms do not meet', async () => {
    await acme.user('deputy', { isAdmin: true, companies: [{ company: 1 }] });
    people.deputy = await world.signIn(acme, 'deputy');
    const seat = await read('board_position', ids.seat1!);
    const put = (by: string, title: string) =>
      people[by]!.call('PUT', `/tapi/board_position/${ids.seat1}`, { version: seat.version, title });
    await ok(put('admin', 'First seat'));
    const second = await put('deputy', 'Seat of the chair');
    expect([second.statusCode, second.json()]).toMatchObject([
      409,
      {
        error: {
          code: 'stale_version',
          theirs: { title: 'First seat' },
          base: { title: seat.title ?? null },
          changed_by: 'Person admin',
        },
      },
    ]);
    const terms = await list('board_tenure', ['seat_id', 'eq', ids.seat1]);
    expect(terms.map(({ state }) => state).toSorted()).toEqual(['active', 'proposed']);
    const notes = terms.map(({ id, version }, at) =>
      people[['admin', 'deputy'][at]!]!.call('PUT', `/tapi/board_tenure/${id}`, { version, note: `Note ${at}` }),
    );
    for (const answer of notes) await ok(answer);
    const rows = (await read('board_position', ids.seat1!)).tenures as Row[];
    expect(new Set(rows.map(({ note }) => note))).toEqual(new Set(['Note 0', 'Note 1']));
  });

  test('an independent director is not of the promoters, and not in a third term in a row', async () => {
    const person = (name: string, din: string, more: object) =>
      add('board_member', {
        person_kind: 'external',
        name,
        din,
        email: `${din}@board.example`,
        gender: 'male',
        nationality: ids.country,
        ...more,
      });
    const [dev, eva] = [
      await person('Dev Rao', '01234580', { promoter_related: true }),
      await person('Eva Paul', '01234581', {}),
    ];
    const seat = await add('board_position', {
      unit_id: ids.board,
      designation_id: ids.independent,
      sanctioned_on: '2010-04-01',
    });
    const refused = async (member: number) => {
      const term = await propose(seat, member, today);
      const answer = await step('board_tenure', term, 'approve', { resolution_no: 'BR/9' });
      await ok(step('board_tenure', term, 'drop', { reason: 'Refused' }));
      return [answer.statusCode, answer.body];
    };
    expect(await refused(dev)).toEqual([
      422,
      expect.stringContaining('Dev Rao is related to the promoters and cannot be independent (s. 149(6)).'),
    ]);
    const terms = (of: number | undefined) =>
      acme.sql(
        `insert into {s}.board_tenure (entity_id, seat_id, unit_id, designation_id, board_member_id, from_date, until_date, ended_on, basis, state)
         select p.entity_id, p.id, p.unit_id, p.designation_id, $2, f::date, (f::date + interval '5 years' - interval '1 day')::date,
           (f::date + interval '5 years' - interval '1 day')::date, 'members', 'ended'
         from {s}.board_position p, unnest(array[$3, $4]) f where p.id = $1`,
        [of, eva, yearsAgo(10), yearsAgo(5)],
      );
    await terms(seat);
    expect(await refused(eva)).toEqual([
      422,
      expect.stringMatching(
        /Eva Paul has had two terms in a row \(s\. 149\(11\)\)\. Free again from \d\d-\d\d-\d{4}\./,
      ),
    ]);
    // Terms on the board of another company do not count.
    const forget = () => acme.sql('delete from {s}.board_tenure where board_member_id = any($1)', [[dev, eva]]);
    await forget();
    const [other] = await acme.sql<{ id: number }>(
      `insert into {s}.board_unit (entity_id, code, name, board_type_id, kind, state, constituted_on)
       select 2, code, name, board_type_id, kind, state, constituted_on from {s}.board_unit where id = $1 returning id`,
      [ids.board],
    );
    const [elsewhere] = await acme.sql<{ id: number }>(
      `insert into {s}.board_position (entity_id, number, unit_id, designation_id, sanctioned_on)
       select 2, number, $2, designation_id, sanctioned_on from {s}.board_position where id = $1 returning id`,
      [seat, other!.id],
    );
    await terms(elsewhere!.id);
    const term = await propose(seat, eva, today);
    expect((await step('board_tenure', term, 'approve', { resolution_no: 'BR/9' })).body).not.toContain('s. 149(11)');
    await forget();
    await acme.sql('delete from {s}.board_position where id = any($1)', [[seat, elsewhere!.id]]);
    await acme.sql('delete from {s}.board_unit where id = $1', [other!.id]);
    await acme.sql('delete from {s}.board_member where id = any($1)', [[dev, eva]]);
  });

  test('an occupied seat names its holder, and an alternate leaves with the person they stand in for', async () => {
    const [own, alternate] = [
      await add('board_position', { unit_id: ids.audit, designation_id: ids.sits, sanctioned_on: '2014-04-01' }),
      await add('board_position', { unit_id: ids.audit, designation_id: ids.sits, sanctioned_on: '2014-04-01' }),
    ];
    const held = await seated(own, ids.ravi!);
    await acme.sql(`update {s}.board_tenure set until_date = current_date - 1 where id = $1`, [held]);
    const second = await propose(own, ids.mina!, today);
    await ok(step('board_tenure', second, 'approve', { resolution_no: 'AC/2' }));
    const { number } = await read('board_position', own);
    const started = await step('board_tenure', second, 'start');
    expect([started.statusCode, started.body]).toEqual([
      422,
      expect.stringContaining(`Seat ${String(number)} is held by Ravi Menon until `),
    ]);
    await ok(step('board_tenure', second, 'drop', { reason: 'Held' }));
    const standing = await seated(alternate, ids.asha!);
    await acme.sql('update {s}.board_tenure set alternate_for_id = $2 where id = $1', [standing, ids.ravi]);
    await ok(step('board_tenure', held, 'end', { ended_on: today, end_reason: 'deceased' }));
    expect((await read('board_tenure', standing)).state).toBe('ended');
    await acme.sql('update {s}.board_position set active = false where id = any($1)', [[own, alternate]]);
  });

  test('an end vacates the seat from the next day and ends the person’s access to the unit', async () => {
    const term = await seated(ids.seat4!, ids.mina!);
    const seen = () => list('board_unit', undefined, 'finance');
    expect((await seen()).map(({ id }) => id)).toContain(ids.audit);
    expect(await list('board_unit', undefined, 'outsider')).toEqual([]);
    expect((await people.outsider!.call('GET', `/tapi/board_unit/${ids.audit}`)).statusCode).toBe(404);
    await acme.sql('delete from {s}.notification');
    await ok(step('board_tenure', term, 'end', { ended_on: yearsAgo(0), end_reason: 'resigned' }));
    expect(await noticesOf('finance')).toContainEqual(expect.stringContaining('Your term in Audit committee ended on'));
    const seat = await read('board_position', ids.seat4!);
    expect([seat.holder_id, String(seat.vacant_since) > today, seat.vacant_days]).toEqual([null, true, 0]);
    // The night counts on: the last holder left ten days ago.
    await acme.sql(`update {s}.board_position set vacant_since = $2 where id = $1`, [ids.seat4, companyDay(-9)]);
    await world.app.jobs.enqueue(acme.schema, 'watch_rules', {}, { company: 1 });
    await world.app.jobs.drain();
    expect((await read('board_position', ids.seat4!)).vacant_days).toBe(10);
    await acme.sql(`update {s}.board_position set vacant_since = $2 where id = $1`, [ids.seat4, companyDay(1)]);
    expect((await read('board_unit', ids.audit!)).member_ids ?? []).toEqual([]);
  });

  test('administrators are told which account needs the dashboards of an office, and which no longer', async () => {
    const office = await add('board_designation', {
      code: 'CS',
      name: 'Company secretary',
      category: 'company_secretary',
      access_flag: 'secretary',
    });
    const seat = await add('board_position', {
      unit_id: ids.audit,
      designation_id: office,
      sanctioned_on: '2014-04-01',
    });
    const told = async () => {
      const notices = await ok<{ title: string; link: string }[]>(people.admin!.call('GET', '/tapi/notifications'));
      await acme.sql('delete from {s}.notification');
      return notices.flatMap(({ title, link }) => (title.includes('dashboards') ? [[title, link]] : []));
    };
    await acme.sql('delete from {s}.notification');
    const term = await seated(seat, ids.mina!);
    const account = `/users/edit/${people.finance!.userId}`;
    expect(await told()).toEqual([['Mina Nair needs the dashboards of the secretary', account]]);
    // The account itself changes only by an administrator.
    await acme.sql('update {s}.users set secretary_flag = true where id = $1', [people.finance!.userId]);
    await ok(step('board_tenure', term, 'end', { ended_on: today, end_reason: 'resigned' }));
    expect(await told()).toEqual([['Mina Nair no longer needs the dashboards of the secretary', account]]);
    await acme.sql('update {s}.users set secretary_flag = false where id = $1', [people.finance!.userId]);
  });

  test('administrators learn which account needs a role with the dashboard of a unit that its owner joins', async () => {
    const asked = async () =>
      (await noticesOf('admin')).filter(
        (title) => title === 'Mina Nair needs a role with the dashboard of Audit committee',
      );
    const seat = await add('board_position', {
      unit_id: ids.audit,
      designation_id: ids.sits,
      sanctioned_on: '2014-04-01',
    });
    const leave = async (term: number) =>
      ok(step('board_tenure', term, 'end', { ended_on: today, end_reason: 'resigned' }));
    const roles = () =>
      acme.sql<{ role_ids: number[] }>('select role_ids from {s}.users__companies where parent_id = $1', [
        people.finance!.userId,
      ]);
    await acme.sql('delete from {s}.notification');
    // Her role has it already.
    await leave(await seated(seat, ids.mina!));
    expect(await asked()).toEqual([]);
    const [{ role_ids: before } = { role_ids: [] }] = await roles();
    await acme.sql(`update {s}.users__companies set role_ids = '{}' where parent_id = $1`, [people.finance!.userId]);
    const term = await seated(seat, ids.mina!, yearsAgo(0));
    expect(await asked()).toHaveLength(1);
    await leave(term);
    await acme.sql('update {s}.users__companies set role_ids = $2 where parent_id = $1', [
      people.finance!.userId,
      before,
    ]);
  });
});

describe('meetings', () => {
  const daysAgo = (days: number) => new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10);
  const meeting = (held_on: string, more: object = {}) =>
    add('board_meeting', { unit_id: ids.board, held_on, ...more });
  const came = (...presences: string[]) =>
    [ids.asha, ids.ravi, ids.mina].map((id, at) => ({ board_member_id: id, presence: presences[at] }));
  const run = async (job: string) => {
    // It runs once a day otherwise.
    await acme.sql('delete from {s}.job_run');
    await world.app.jobs.enqueue(acme.schema, job, {}, { company: 1 });
    await world.app.jobs.drain();
  };
  const past = async (days: number, ...presences: string[]) =>
    ok(step('board_meeting', await meeting(daysAgo(days), { attendance: came(...presences) }), 'record_past'));

  test('a meeting has its notice, its quorum and its minutes by their days', async () => {
    const id = await meeting(today, { agenda: [{ item: 'Accounts of the quarter' }] });
    expect(await read('board_meeting', id)).toMatchObject({
      notice_by: daysAgo(7),
      draft_minutes_by: daysAgo(-15),
      minutes_by: daysAgo(-30),
      strength: 3,
      quorum: 2,
      present: 0,
    });
    await acme.sql('delete from {s}.notification');
    expect((await step('board_meeting', id, 'call')).body).toContain('Say why it is shorter.');
    const called = await ok(step('board_meeting', id, 'call', { short_notice: 'Urgent: the bank asks for it' }));
    expect((called.attendance as Row[]).map((row) => row.board_member_id)).toEqual([ids.asha, ids.mina, ids.ravi]);
    const notices = await ok<{ title: string }[]>(people.finance!.call('GET', '/tapi/notifications'));
    expect(notices.map(({ title }) => title)).toContainEqual(expect.stringContaining('Board of directors: meeting on'));
    const attend = async (...presences: string[]) => {
      const { version } = await read('board_meeting', id);
      await ok(people.admin!.call('PUT', `/tapi/board_meeting/${id}`, { version, attendance: came(...presences) }));
      return step('board_meeting', id, 'hold');
    };
    expect((await attend('in_person', 'leave', 'absent')).body).toContain('1 were present, and the quorum is 2.');
    expect((await ok(attend('in_person', 'video', 'absent'))).state).toBe('held');
    expect((await step('board_meeting', id, 'minute')).statusCode).toBe(422);
    const { version } = await read('board_meeting', id);
    await ok(people.admin!.call('PUT', `/tapi/board_meeting/${id}`, { version, minutes: 'The accounts are noted.' }));
    await ok(step('board_meeting', id, 'minute'));
    expect(await ok(step('board_meeting', id, 'enter'))).toMatchObject({ state: 'entered', minutes_entered_on: today });
  });

  test('votes are counted of those present who are not interested; a decision needs their majority', async () => {
    const id = await meeting(today, {
      agenda: [
        { item: 'Accounts', purpose: 'decide', decision: 'Approved.' },
        { item: 'Works', purpose: 'discuss' },
        { item: 'Contract with Menon & Co.', purpose: 'decide', decision: 'Signed.' },
      ],
      attendance: [
        { board_member_id: ids.asha, presence: 'in_person' },
        { board_member_id: ids.ravi, presence: 'video', interested: true },
        { board_member_id: ids.mina, presence: 'in_person' },
      ],
      minutes: 'As decided.',
    });
    const change = async (votes: object[]) => {
      const { version } = await read('board_meeting', id);
      return ok(people.admin!.call('PUT', `/tapi/board_meeting/${id}`, { version, votes }));
    };
    const vote = (no: number, member: number | undefined, how: string) => ({
      no,
      board_member_id: member,
      vote: how,
    });
    const counted = ({ agenda }: Doc) =>
      (agenda as Row[]).map((item) => [item.no, item.votes_for, item.votes_against, item.outcome ?? null]);
    // A vote of an interested member does not count.
    expect(
      counted(
        await change([
          vote(1, ids.asha, 'for'),
          vote(1, ids.mina, 'for'),
          vote(3, ids.asha, 'against'),
          vote(3, ids.ravi, 'for'),
        ]),
      ),
    ).toEqual([
      [1, 2, 0, 'carried'],
      [2, 0, 0, null],
      [3, 0, 1, 'lost'],
    ]);
    const refused = await step('board_meeting', id, 'record_past');
    expect(refused.body).toContain('Ravi Menon is interested (s. 184) and cannot vote.');
    expect(refused.body).toContain('Item 3 has no majority.');
    await change([]);
    const { set } = await ok<{ set: { votes: Row[] } }>(
      people.admin!.call('POST', '/tapi/board_meeting/action/board.all_in_favour', {
        on: 'rows:votes',
        id,
        values: await read('board_meeting', id),
      }),
    );
    const cast = set.votes.map((row) => `${String(row.no)} ${String(row.board_member_id)} ${String(row.vote)}`);
    expect(new Set(cast)).toEqual(new Set([1, 3].flatMap((no) => [ids.asha, ids.mina].map((id) => `${no} ${id} for`))));
    await change(set.votes);
    expect(await ok(step('board_meeting', id, 'record_past'))).toMatchObject({ state: 'entered' });
    await acme.sql('update {s}.board_meeting set active = false where id = $1', [id]);
  });

  test('too few meetings, a long gap and a member who never came are violated rules; the attendance is on the page', async () => {
    const rule = async (check: string, value: string | null) =>
      add('board_rule', {
        code: check.toUpperCase(),
        name: check,
        check,
        value,
        board_type_id: (await read('board_unit', ids.board!)).board_type_id,
        source: 's. 173',
        valid_from: '2014-04-01',
      });
    await rule('meetings_per_year', '4');
    await rule('max_gap', '120');
    await rule('attendance', '1');
    // Gaps of 122 and 278 days; four meetings in all, two of them within twelve months.
    await past(400, 'in_person', 'in_person', 'absent');
    await past(278, 'in_person', 'leave', 'absent');
    await run('watch_rules');
    const found = await list('board_finding', ['and', ['source', 'eq', 's. 173'], ['state', 'eq', 'open']]);
    expect(
      found.map(({ needed, have, missing }) => [needed, have, missing]).toSorted(([a], [b]) => Number(a) - Number(b)),
    ).toEqual([
      [1, 0, 1],
      [4, 2, 2],
      [120, 278, 158],
    ]);
    expect(found.find(({ needed }) => needed === 1)).toMatchObject({
      remedy: 'Mina Nair attended none of 2 meetings: the office may fall vacant.',
    });
    const { tiles } = await ok<{ tiles: { name: string; figures?: { rows: Row[] } }[] }>(
      people.finance!.call('POST', '/tapi/dashboard/committee_board', { filters: { unit: String(ids.board) } }),
    );
    const rows = tiles.find(({ name }) => name === 'attendance')!.figures!.rows;
    expect(rows.map(({ member, attended }) => [member, Number(attended)])).toEqual([
      ['Asha Rao', 100],
      ['Mina Nair', 0],
      ['Ravi Menon', 50],
    ]);
  });

  test('nobody leaves before a meeting that they attended; secretary and chairman are notified of a unit below its minimum', async () => {
    const [term] = await list('board_tenure', ['and', ['seat_id', 'eq', ids.seat2], ['state', 'eq', 'active']]);
    const end = (ended_on: string) => step('board_tenure', term!.id, 'end', { ended_on, end_reason: 'resigned' });
    const early = await end(daysAgo(401));
    expect([early.statusCode, early.body]).toEqual([
      422,
      expect.stringMatching(/Ravi Menon attended on .*End on or after that date, or correct the attendance\./),
    ]);
    const { version, board_type_id: type } = await read('board_unit', ids.board!);
    await ok(people.admin!.call('PUT', `/tapi/board_unit/${ids.board}`, { version, min_members: 3 }));
    expect(type).not.toBeNull();
    await acme.sql('delete from {s}.notification');
    await ok(end(today));
    for (const who of ['finance', 'chairman'])
      expect(await noticesOf(who)).toContainEqual('Board of directors: a rule is violated');
    await seated(ids.seat2!, ids.ravi!, today);
  });

  test('the secretary is notified of notices and minutes that are due, and people of their missing paper', async () => {
    const id = await meeting(daysAgo(-9), {
      agenda: [{ item: 'Accounts', purpose: 'decide', paper_by_id: ids.outsider }],
    });
    const { number } = await read('board_meeting', id);
    // At 90 days the chairman knows of a term that ends, at 30 the member of a certificate.
    const inOffice = `board_member_id = $1 and state = 'active' and unit_id = $2`;
    await acme.sql(`update {s}.board_tenure set until_date = $3 where ${inOffice}`, [
      ids.mina,
      ids.board,
      daysAgo(-90),
    ]);
    await acme.sql('update {s}.board_member set user_id = $2, signature_valid_to = $3 where id = $1', [
      ids.asha,
      people.outsider!.userId,
      daysAgo(-30),
    ]);
    await acme.sql('delete from {s}.notification');
    await run('watch_deadlines');
    expect(await noticesOf('finance')).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Notice of a meeting is due by /),
        expect.stringMatching(/^Mina Nair, Board of directors: the term ends on /),
        expect.stringMatching(/^Asha Rao: the signature certificate ends on /),
      ]),
    );
    expect(await noticesOf('chairman')).toEqual([
      expect.stringMatching(/^Mina Nair, Board of directors: the term ends on /),
    ]);
    expect(new Set(await noticesOf('outsider'))).toEqual(
      new Set([
        `Your paper for meeting ${String(number)} is missing`,
        expect.stringMatching(/^Asha Rao: the signature certificate ends on /),
      ]),
    );
    await acme.sql(`update {s}.board_tenure set until_date = null where ${inOffice}`, [ids.mina, ids.board]);
    await acme.sql('update {s}.board_member set user_id = null, signature_valid_to = null where id = $1', [ids.asha]);
    await ok(step('board_meeting', id, 'cancel', { reason: 'Moved' }));
  });

  test('a question without an answer is a notice on its day, and to secretary and CEO three days later, also after days without a server', async () => {
    const ask = (due_on: string) =>
      add('board_query', { question: 'Why is this so late?', to_id: ids.outsider, unit_id: ids.board, due_on });
    const [due, late] = [await ask(today), await ask(daysAgo(3))];
    await acme.sql(`update {s}.users set ceo_flag = true where username = 'chairman'`);
    await acme.sql('delete from {s}.notification');
    await run('watch_deadlines');
    const links = async (by: string) =>
      (await ok<{ title: string; link: string }[]>(people[by]!.call('GET', '/tapi/notifications'))).flatMap(
        ({ title, link }) => (title.startsWith('A question waits') ? [link] : []),
      );
    expect(await links('outsider')).toEqual([`/board_queries/view/${due}`]);
    expect(await links('finance')).toEqual([`/board_queries/view/${late}`]);
    expect(await links('chairman')).toEqual([`/board_queries/view/${late}`]);
    // No server ran yesterday.
    const missed = await ask(daysAgo(1));
    await acme.sql(`update {s}.job_run set key = $1 where job = 'watch_deadlines' and key = $2`, [
      `1/${daysAgo(2)}`,
      `1/${today}`,
    ]);
    await world.app.jobs.enqueue(acme.schema, 'watch_deadlines', {}, { company: 1 });
    await world.app.jobs.drain();
    expect(await links('outsider')).toContain(`/board_queries/view/${missed}`);
    await acme.sql(`update {s}.users set ceo_flag = false where username = 'chairman'`);
    await acme.sql('delete from {s}.board_query');
  });

  test('declarations of the year are due at the next board meeting; members are asked, and the secretary of late ones', async () => {
    const next = await meeting(daysAgo(-12));
    await acme.sql(`delete from {s}.board_disclosure`);
    await acme.sql('delete from {s}.notification');
    await run('open_disclosures');
    const [own] = await list('board_disclosure', ['board_member_id', 'eq', ids.mina]);
    await acme.sql(`delete from {s}.board_disclosure where id <> $1`, [own!.id]);
    expect(own!.due_on).toBe(daysAgo(-12));
    expect(await noticesOf('finance')).toEqual([expect.stringMatching(/^Declarations are due by /)]);
    await acme.sql('delete from {s}.notification');
    await world.sweep(new Date(Date.parse(daysAgo(-14))));
    expect(await noticesOf('finance')).toContainEqual(`Declaration ${String(own!.number)} of Mina Nair is late`);
    await ok(step('board_disclosure', own!.id, 'receive', { file: null }));
    const held = await past(5, 'in_person', 'in_person', 'in_person');
    const noted = await ok(step('board_disclosure', own!.id, 'note', { meeting_id: held.id, noted_in: 'Item 3' }));
    expect(noted).toMatchObject({ state: 'noted', meeting_id: held.id });
    // What changes in the year is declared within 30 days.
    const changed = await add('board_disclosure', {
      board_member_id: ids.mina,
      kind: 'interest_mbp1',
      financial_year: own!.financial_year,
      event: true,
      changed_on: today,
    });
    expect((await read('board_disclosure', changed)).due_on).toBe(daysAgo(-30));
    await ok(step('board_disclosure', changed, 'withdraw', { reason: 'Entered twice' }));
    await ok(step('board_meeting', next, 'cancel', { reason: 'Moved' }));
    await acme.sql('update {s}.board_meeting set active = false where id = $1', [held.id]);
    await acme.sql('delete from {s}.board_disclosure where id = $1', [own!.id]);
    await run('open_disclosures');
  });

  test('the secretary is told before the next meeting is late', async () => {
    const type = (await read('board_unit', ids.board!)).board_type_id;
    await acme.sql('update {s}.board_type set max_gap_days = 120 where id = $1', [type]);
    const told = async () =>
      (await ok<{ title: string }[]>(people.finance!.call('GET', '/tapi/notifications'))).map(({ title }) => title);
    await acme.sql('delete from {s}.notification');
    // Today is 45 days before 120 days after it.
    await acme.sql('update {s}.board_meeting set held_on = $1 where held_on = $2', [daysAgo(75), today]);
    await run('watch_deadlines');
    expect(await told()).toContainEqual(expect.stringContaining('the next meeting must be held by'));
  });
});

describe('actions of meetings', () => {
  const day = (days: number) => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
  const deliver = async () => {
    while ((await world.app.deliveries.deliver(acme)) > 0);
  };
  const tasksOf = (meeting: number, by = 'admin') =>
    list('chk_task_instance', ['and', ['origin', 'eq', 'meeting'], ['origin_id', 'eq', meeting]], by);
  const actionsOf = async (meeting: number, by = 'admin') =>
    ((await read('board_meeting', meeting, by)).actions as Row[] | undefined) ?? [];
  const change = async (meeting: number, actions: object[]) => {
    const { version } = await read('board_meeting', meeting);
    await ok(people.admin!.call('PUT', `/tapi/board_meeting/${meeting}`, { version, actions }));
    await deliver();
  };
  const tiles = async (dashboard: string, tile: string, by: string, filters: object = {}) => {
    const page = await ok<{ tiles: { figures?: { rows: Row[] } }[] }>(
      people[by]!.call('POST', `/tapi/dashboard/${dashboard}`, { filters, tiles: [tile] }),
    );
    return page.tiles[0]?.figures?.rows ?? [];
  };
  const report = async (by: string, query = '') =>
    ok<{ rows: Row[]; note?: string }>(people[by]!.call('GET', `/tapi/report/board_actions/rows${query}`));
  const inOrder = <One>(all: One[]) => all.toSorted((a, b) => String(a).localeCompare(String(b)));
  let held: number;

  test('they are tasks of their owners once the meeting has been held', async () => {
    const early = await people.admin!.call('POST', '/tapi/board_meeting', {
      unit_id: ids.board,
      held_on: today,
      actions: [{ what: 'Ask the bank', owner_id: ids.finance, due_on: day(-1) }],
    });
    expect([early.statusCode, early.body]).toEqual([422, expect.stringContaining('Choose that day or a later one.')]);
    held = await add('board_meeting', {
      unit_id: ids.board,
      held_on: today,
      agenda: [
        { item: 'Loan of the bank', purpose: 'discuss' },
        { item: 'Second account', purpose: 'decide', decision: 'It is opened.', resolution_no: 'BR/7' },
      ],
      actions: [
        { item_no: 1, what: 'Ask the bank', owner_id: ids.finance, due_on: today, remark: 'In writing' },
        { what: 'Insure the works', owner_id: ids.outsider, due_on: day(10) },
        { what: 'Sell the press', owner_id: ids.outsider, due_on: day(20) },
      ],
      attendance: ((await read('board_unit', ids.board!)).member_ids as number[]).map((id) => ({
        board_member_id: id,
        presence: 'in_person',
      })),
    });
    await ok(step('board_meeting', held, 'call', { short_notice: 'Urgent' }));
    await deliver();
    expect(await tasksOf(held)).toEqual([]);
    await ok(step('board_meeting', held, 'hold'));
    const { number } = await read('board_meeting', held);
    const given = await tasksOf(held);
    expect(inOrder(given.map(({ title, assignee_id: who, due_on: due }) => [title, who, due]))).toEqual([
      ['Ask the bank', ids.finance, today],
      ['Insure the works', ids.outsider, day(10)],
      ['Sell the press', ids.outsider, day(20)],
    ]);
    expect(await read('chk_task_instance', given.find(({ title }) => title === 'Ask the bank')!.id)).toMatchObject({
      state: 'open',
      origin_name: `Board of directors · ${String(number)}`,
      instructions: 'In writing',
      owner_id: ids.finance,
    });
    const mine = await tiles('employee_board', 'actions', 'outsider');
    expect(mine.map(({ what, standing }) => [what, standing])).toEqual([
      ['Insure the works', 'open'],
      ['Sell the press', 'open'],
    ]);
  });

  test('a closed, moved or reassigned task is shown in the meeting', async () => {
    const [bank, works] = (await actionsOf(held)) as { task_id: number }[];
    await ok(step('chk_task_instance', bank!.task_id, 'submit', {}, 'finance'));
    // The secretary owns the task.
    await ok(
      step('chk_task_instance', works!.task_id, 'reschedule', { due_on: day(12), move_reason: 'New offer' }, 'finance'),
    );
    await ok(step('chk_task_instance', works!.task_id, 'reassign', { assignee_id: ids.chairman }, 'finance'));
    await deliver();
    expect(await actionsOf(held)).toMatchObject([
      { state: 'done', done_on: today },
      { state: 'open', owner_id: ids.chairman, due_on: day(12) },
      { state: 'open', owner_id: ids.outsider, due_on: day(20) },
    ]);
  });

  test('what is changed, added or removed in the meeting acts on the tasks', async () => {
    const [bank, works, press] = await actionsOf(held);
    await change(held, [
      bank!,
      { ...works, what: 'Insure both works', owner_id: ids.outsider, due_on: day(15) },
      { what: 'Call the auditor', owner_id: ids.finance, due_on: day(3) },
    ]);
    const stands = async () =>
      inOrder((await tasksOf(held)).map(({ title, assignee_id: who, due_on: due, state }) => [title, who, due, state]));
    expect(await stands()).toEqual([
      ['Ask the bank', ids.finance, today, 'completed'],
      ['Call the auditor', ids.finance, day(3), 'open'],
      ['Insure both works', ids.outsider, day(15), 'open'],
      ['Sell the press', ids.outsider, day(20), 'cancelled'],
    ]);
    expect((await actionsOf(held)).map(({ task_id: task }) => task)).not.toContain(press!.task_id);
    // The minutes are entered: the rows only follow their tasks.
    const { version } = await read('board_meeting', held);
    await ok(people.admin!.call('PUT', `/tapi/board_meeting/${held}`, { version, minutes: 'As decided.' }));
    await ok(step('board_meeting', held, 'minute'));
    await ok(step('board_meeting', held, 'enter'));
    const locked = await people.admin!.call('PUT', `/tapi/board_meeting/${held}`, {
      version: (await read('board_meeting', held)).version,
      actions: [],
    });
    expect(locked.statusCode).not.toBe(200);
  });

  test('boards and report show those open and late, and how many were closed in time', async () => {
    const late = async (title: string, due: string) => {
      const [task] = await list('chk_task_instance', ['title', 'eq', title]);
      await acme.sql('update {s}.chk_task_instance set due_on = $2 where id = $1', [task!.id, due]);
      await acme.sql('update {s}.board_meeting__actions set due_on = $2 where task_id = $1', [task!.id, due]);
    };
    await late('Call the auditor', day(-2));
    expect(await tiles('board_dashboard', 'actions_late', 'chairman')).toEqual([{ n: 1 }]);
    const { tiles: asked } = await ok<{ tiles: { leads?: string }[] }>(
      people.chairman!.call('POST', '/tapi/dashboard/board_dashboard', { tiles: ['actions_late'] }),
    );
    expect(asked[0]!.leads).toBe('/board_actions?shown=late&company=1');
    expect(await tiles('committee_board', 'actions', 'finance', { unit: String(ids.board) })).toMatchObject([
      { meeting_id: held, what: 'Call the auditor', owner: 'E20001', due_on: day(-2), standing: 'late' },
      { meeting_id: held, what: 'Insure both works', standing: 'open' },
    ]);
    expect(await tiles('committee_board', 'decisions', 'finance', { unit: String(ids.board) })).toMatchObject([
      { meeting_id: held, item: 'Second account', decision: 'BR/7 It is opened.' },
    ]);
    const next = await add('board_meeting', {
      unit_id: ids.board,
      held_on: day(40),
      agenda: [
        { item: 'Dividend', purpose: 'decide', paper_by_id: ids.outsider },
        { item: 'Works', purpose: 'discuss' },
      ],
    });
    expect(await tiles('board_dashboard', 'decisions', 'chairman')).toMatchObject([
      { meeting_id: next, item: 'Dividend', unit: 'Board of directors', held_on: day(40) },
    ]);
    await acme.sql(`update {s}.users set secretary_flag = true where username = 'finance'`);
    people.finance = await world.signIn(acme, 'finance');
    expect(await tiles('secretary_board', 'papers', 'finance')).toMatchObject([
      { meeting_id: next, item: 'Dividend', owner: 'E20002' },
    ]);
    await ok(step('board_meeting', next, 'cancel', { reason: 'Moved' }));
    expect(await tiles('secretary_board', 'actions', 'finance')).toMatchObject([
      { owner_id: ids.finance, open: 1, late: 1, oldest: 0 },
      { owner_id: ids.outsider, open: 1, late: 0, oldest: 0 },
    ]);
    await acme.sql(`update {s}.users set secretary_flag = false where username = 'finance'`);
    people.finance = await world.signIn(acme, 'finance');
    const all = await report('admin');
    expect(all.note).toBe('1 of 2 due actions were closed in time: 50.00 %.');
    const shown = async (query: string) =>
      (await report('admin', query)).rows.map(({ what, standing }) => [what, standing]);
    expect(await shown('?shown=late')).toEqual([['Call the auditor', 'late']]);
    expect(await shown(`?shown=not_closed&owner_id=${ids.outsider}`)).toEqual([['Insure both works', 'open']]);
    expect(await shown(`?unit=${ids.audit}`)).toEqual([]);
  });

  test('the KPI is the share of due actions that were closed in time, of members and of the company', async () => {
    const figure = (owner: number, kind: 'employee' | 'entity' = 'employee') =>
      figureOf(acme, 'mtg_action_closed_pct', owner, [day(-30), day(30)], kind);
    expect(await figure(ids.finance!)).toBe('50.0000');
    expect(await figure(1, 'entity')).toBe('50.0000');
    // Nothing of theirs is due yet.
    expect(await figure(ids.outsider!)).toBeNull();
  });

  test('those of a confidential unit are for its members, its secretary and their owner', async () => {
    const unit = await add('board_unit', {
      code: 'NRC',
      name: 'Nomination committee',
      board_type_id: (await read('board_unit', ids.audit!)).board_type_id,
      constituted_on: '2014-04-01',
      secretary_id: ids.chairman,
      confidential: true,
    });
    const seat = await add('board_position', { unit_id: unit, designation_id: ids.sits, sanctioned_on: '2014-04-01' });
    const term = await seated(seat, ids.mina!);
    const secret = await add('board_meeting', {
      unit_id: unit,
      held_on: day(-3),
      attendance: [{ board_member_id: ids.mina, presence: 'in_person' }],
      actions: [
        { what: 'Meet the candidate', owner_id: ids.outsider, due_on: day(-1) },
        { what: 'Draft the offer', owner_id: ids.finance, due_on: day(5) },
      ],
    });
    // The rows can be entered by everybody with the right, and are then hidden from them.
    await ok(step('board_meeting', secret, 'record_past', {}, 'chairman'));
    const titles = async (by: string) => inOrder((await tasksOf(secret, by)).map(({ title }) => title));
    expect(await titles('admin')).toEqual([]);
    expect(await titles('chairman')).toEqual(['Draft the offer', 'Meet the candidate']);
    expect(await titles('outsider')).toEqual(['Meet the candidate']);
    const [task] = await tasksOf(secret, 'outsider');
    expect((await people.admin!.call('GET', `/tapi/chk_task_instance/${task!.id}`)).statusCode).toBe(404);
    expect(await actionsOf(secret, 'admin')).toEqual([]);
    expect(await actionsOf(secret, 'finance')).toHaveLength(2);
    const seen = async (by: string) => inOrder((await report(by, `?unit=${unit}`)).rows.map(({ what }) => what));
    expect(await seen('admin')).toEqual([]);
    expect(await seen('finance')).toEqual(['Draft the offer', 'Meet the candidate']);
    expect((await tiles('employee_board', 'actions', 'outsider')).map(({ what }) => what)).toContain(
      'Meet the candidate',
    );

    // A rule that escalates to managers reaches only the people of the task.
    await add('esclation', {
      code: 'LATE',
      name: 'Late tasks',
      module: 'chk_task_instance',
      event: 'due',
      days: 1,
      channels: ['in_app'],
      subject: 'Late: {{record}}',
      body: 'Late',
      working_hours_only: false,
      recipients: ['assignee', 'manager_1'].map((kind) => ({ copy: 'to', kind })),
    });
    await acme.sql('delete from {s}.notification');
    await world.app.jobs.enqueue(acme.schema, 'escalation', {}, { company: 1 });
    await world.app.jobs.drain();
    const told = await acme.sql<{ user_id: number }>(
      `select distinct user_id from {s}.notification where title like 'Late: Meet the candidate%'`,
    );
    expect(told.map(({ user_id: user }) => user)).toEqual([people.outsider!.userId]);

    // Whoever leaves the unit no longer sees its papers; the secretary gets the list of their open actions.
    await acme.sql('delete from {s}.notification');
    await ok(step('board_tenure', term, 'end', { ended_on: today, end_reason: 'resigned' }));
    const notices = await ok<{ title: string; body: string }[]>(people.chairman!.call('GET', '/tapi/notifications'));
    expect(notices.find(({ title }) => title.startsWith('Mina Nair has left'))?.body).toContain(
      'Open actions to hand over:\n- Draft the offer, due on ',
    );
    expect((await people.finance!.call('GET', `/tapi/board_meeting/${secret}`)).statusCode).toBe(404);
    const [{ hand_over: handOver } = {}] = (await report('chairman', `?unit=${unit}&owner_id=${ids.finance}`)).rows;
    expect(handOver).toBe('Yes');
  });
});

describe('dashboards and questions', () => {
  test('a layout gives a role its figures in their order; others see the dashboard as it ships', async () => {
    const tilesOf = async (by: string) =>
      (
        await ok<{ tiles: { name: string }[] }>(people[by]!.call('GET', '/tapi/dashboard/at?route=/CommitteeDashboard'))
      ).tiles.map(({ name }) => name);
    const shipped = await tilesOf('finance');
    const wrong = await people.admin!.call('POST', '/tapi/board_view', {
      dashboard: 'committee_board',
      widgets: [{ widget: 'clocks' }],
    });
    expect([wrong.statusCode, wrong.body]).toEqual([
      422,
      expect.stringContaining('Figure: Deadlines cannot be chosen here.'),
    ]);
    const [{ id: role } = { id: 0 }] = await acme.sql<{ id: number }>(
      `select c.role_ids[1] as id from {s}.users__companies c where c.parent_id = $1`,
      [people.finance!.userId],
    );
    const layout = await add('board_view', {
      dashboard: 'committee_board',
      role_id: role,
      widgets: [
        { widget: 'plan', seq: 20 },
        { widget: 'members', seq: 10, width: 4 },
      ],
    });
    expect(await tilesOf('finance')).toEqual(['members', 'plan']);
    expect(await tilesOf('chairman')).toEqual(shipped);
    await ok(people.admin!.call('DELETE', `/tapi/board_view/${layout}`), 204).catch(() => undefined);
    await acme.sql('update {s}.board_view set active = false');
    expect(await tilesOf('finance')).toEqual(shipped);
  });

  test('a layout of a unit is that of its page alone, before those of roles', async () => {
    const widgets = [
      { widget: 'plan', seq: 20 },
      { widget: 'members', seq: 10, width: 4 },
    ];
    const refused = async (more: object, message: string) => {
      const answer = await people.admin!.call('POST', '/tapi/board_view', { unit_id: ids.audit, widgets, ...more });
      expect([answer.statusCode, answer.body]).toEqual([422, expect.stringContaining(message)]);
    };
    await refused({ dashboard: 'secretary_board', widgets: [{ widget: 'clocks' }] }, 'has layouts of units');
    const some = (await list('role'))[0]!.id;
    await refused({ dashboard: 'committee_board', role_id: some }, 'A layout is for a role or for a unit.');
    const page = async (unit: number | undefined) =>
      (
        await ok<{ tiles: { name: string; wide: boolean }[] }>(
          people.admin!.call('POST', '/tapi/dashboard/committee_board', { filters: { unit: String(unit) } }),
        )
      ).tiles;
    const shipped = (await page(ids.audit)).map(({ name }) => name);
    await add('board_view', { dashboard: 'committee_board', widgets: [{ widget: 'quorum' }] });
    await add('board_view', { dashboard: 'committee_board', unit_id: ids.audit, widgets });
    expect((await page(ids.audit)).map(({ name, wide }) => [name, wide])).toEqual([
      ['members', true],
      ['plan', false],
    ]);
    expect((await page(ids.board)).map(({ name }) => name)).toEqual(['quorum']);
    // The page is described with all tiles: which are shown depends on the unit.
    const described = await ok<{ tiles: { name: string }[] }>(
      people.admin!.call('GET', '/tapi/dashboard/at?route=/CommitteeDashboard'),
    );
    expect(described.tiles.map(({ name }) => name)).toEqual(expect.arrayContaining(shipped));
    await acme.sql('delete from {s}.board_view__widgets');
    await acme.sql('delete from {s}.board_view');
  });

  test('on Mondays the chairman, and members who want it, get the figures of their own dashboard by mail', async () => {
    await acme.sql('delete from {s}.outbox');
    await acme.sql('update {s}.board_member set wants_digest = true where id = $1', [ids.mina]);
    await acme.sql(`update {s}.board_position set holder_id = $2 where id = $1`, [ids.seat3, ids.mina]);
    await add('board_setting', { group_weights: 'manual', digest_pdf: true });
    const mine = await add(
      'board_query',
      { question: 'Where is the plan of the plant?', to_id: ids.outsider, due_on: companyDay(5) },
      'chairman',
    );
    const planned = await add('board_meeting', { unit_id: ids.board, held_on: companyDay(30) });
    const { number } = await read('board_meeting', planned);
    await world.app.jobs.enqueue(acme.schema, 'board_digest', {}, { company: 1 });
    await world.app.jobs.drain();
    const mails = await acme.sql<{ user_id: number; subject: string; body: string; link: string }>(
      `select user_id, subject, body, link from {s}.outbox where event_code = 'board.digest' order by user_id`,
    );
    expect(mails.map(({ user_id: user, link }) => [user, link])).toEqual([
      [people.chairman!.userId, '/BoardDashBoard'],
      [people.finance!.userId, '/CommitteeDashboard'],
    ]);
    expect(mails[0]!.subject).toMatch(/^Board digest of /);
    expect(mails[0]!.body).toContain('Violated rules:');
    // Everybody gets their own questions, and a member the next meetings of the unit.
    expect(
      mails.map(({ body }) => /My questions:\n.*Where is the plan of the plant\? · open · by /.test(body)),
    ).toEqual([true, false]);
    expect(mails[1]!.body).toMatch(new RegExp(`Next meetings: ${String(number)} · `));
    await ok(step('board_meeting', planned, 'cancel', { reason: 'Too early' }));
    await acme.sql('delete from {s}.board_query where id = $1', [mine]);
    // The company has chosen to have it on paper too.
    const files = await acme.sql<{ name: string; start: string }>(
      `select files->0->>'name' as name, convert_from(decode(left(files->0->>'content', 8), 'base64'), 'UTF8') as start
       from {s}.outbox where event_code = 'board.digest'`,
    );
    expect(files.map(({ name, start }) => [name.slice(-4), start.slice(0, 5)])).toEqual([
      ['.pdf', '%PDF-'],
      ['.pdf', '%PDF-'],
    ]);
  });

  test('the board dashboard is for chairman and CEO only, whatever other rights somebody has', async () => {
    const asked = (by: string) => people[by]!.call('GET', '/tapi/dashboard/at?route=/BoardDashBoard');
    expect([(await asked('chairman')).statusCode, (await asked('admin')).statusCode]).toEqual([200, 403]);
    // Who loses the flag while the page is open gets no further figures, without signing in again.
    const figures = () => people.chairman!.call('POST', '/tapi/dashboard/board_dashboard', { tiles: ['vacant'] });
    const { version } = await ok<Doc>(people.admin!.call('GET', `/tapi/users/${people.chairman!.userId}`));
    const mark = async (flag: boolean, at: number) =>
      ok<Doc>(
        people.admin!.call('PUT', `/tapi/users/${people.chairman!.userId}`, { version: at, chairman_flag: flag }),
      );
    expect((await figures()).statusCode).toBe(200);
    const after = await mark(false, version);
    expect((await figures()).statusCode).toBe(403);
    await mark(true, after.version);
    expect((await figures()).statusCode).toBe(200);
  });

  test('a question keeps the value of its figure, and the owner’s answer adds the current value', async () => {
    const id = await add(
      'board_query',
      {
        dashboard: 'board_dashboard',
        tile: 'vacant',
        question: 'Why are these seats empty?',
        to_id: ids.finance,
        value_then: '99',
      },
      'chairman',
    );
    const asked = await read('board_query', id, 'chairman');
    const vacant = (await list('board_position', ['and', ['holder_id', 'empty'], ['abolished_on', 'empty']])).length;
    expect([asked.figure, asked.value_then, asked.state]).toEqual([
      'Board dashboard: Vacant seats',
      String(vacant),
      'asked',
    ]);
    expect(
      (await step('board_query', id, 'reply', { answer: 'The committee looks.' }, 'outsider')).statusCode,
    ).not.toBe(200);
    const answered = await ok(step('board_query', id, 'reply', { answer: 'The committee looks.' }, 'finance'));
    expect([answered.state, answered.days]).toEqual(['answered', 0]);
    const compared = await ok(step('board_query', id, 'compare', {}, 'chairman'));
    expect(compared.state).toBe('answered');
    const after = await read('board_query', id, 'chairman');
    expect(after.value_now).toBe(String(vacant));
    expect((after.thread as Row[]).map(({ said }) => said)).toEqual([
      'Why are these seats empty?',
      'The committee looks.',
    ]);
    const states = [
      await ok(step('board_query', id, 'reopen', { reason: 'Since when?' }, 'chairman')),
      await ok(step('board_query', id, 'redirect', { to_id: ids.outsider, reason: 'You know the seats' }, 'finance')),
      await ok(step('board_query', id, 'reply', { answer: 'Since spring.' }, 'outsider')),
      await ok(step('board_query', id, 'close', {}, 'chairman')),
    ].map(({ state }) => state);
    expect(states).toEqual(['reopened', 'reopened', 'answered', 'closed']);
    // A figure that is no longer on its dashboard leaves the value of the question as it was.
    const dead = await add(
      'board_query',
      { dashboard: 'board_dashboard', tile: 'vacant', question: 'And these?', to_id: ids.finance },
      'chairman',
    );
    await acme.sql(`update {s}.board_query set tile = 'renamed' where id = $1`, [dead]);
    await ok(step('board_query', dead, 'compare', {}, 'chairman'));
    expect(await read('board_query', dead, 'chairman')).toMatchObject({
      figure: 'Board dashboard: Vacant seats',
      value_then: String(vacant),
      value_now: null,
    });
    await acme.sql('delete from {s}.board_query where id = $1', [dead]);
    const report = (query: string) =>
      ok<{ rows: Row[]; figures: Row[] }>(people.admin!.call('GET', `/tapi/report/board_answers/rows?${query}`));
    const all = await report(`from=${today}`);
    expect(all.rows.find(({ query_id: of }) => of === id)).toMatchObject({
      asked_by: 'Person chairman',
      figure: 'Board dashboard: Vacant seats',
      value_then: String(vacant),
      value_now: String(vacant),
      days: 0,
      state: 'closed',
    });
    expect(all.figures).toContainEqual({ title: 'Median days to answer', value: expect.stringMatching(/^\d/) });
    expect((await report(`to=${yearsAgo(1)}`)).rows.map(({ query_id: of }) => of)).not.toContain(id);
  });

  test('before a company is chosen the score is that of the group, by the weights of its companies', async () => {
    const wide = { pages: ['landing' as const, 'view_screen' as const], scope: 'all_companies' as const };
    const role = await acme.role({
      modules: ['LEADERSHIP_STRUCTURE', 'PERFORMANCE'],
      screens: {
        SCN_CHAIRMAN_DASHBOARD: wide,
        SCN_COMMITTEE_DASHBOARD: wide,
        SCN_BOARD_UNITS: wide,
        SCN_BOARD_POSITIONS: wide,
        SCN_ACTUAL_VIEW: wide,
      },
    });
    await acme.user('group', { companies: [1, 2].map((company) => ({ company, roles: [role] })) });
    await acme.sql(`update {s}.users set chairman_flag = true where username = 'group'`);
    people.group = await world.signIn(acme, 'group');
    const type = await add('kpi_type', {
      code: 'FIN',
      name: 'Financial',
      perspective: 'financial',
      color: '#117733',
      weight_max: '100',
    });
    const uom = await add('uom', { code: 'NOS', name: 'Numbers', decimals: 0, dimension: 'count', uqc: 'NOS' });
    const kpi = await add('kpi', {
      code: 'SALES',
      name: 'Sales',
      kpi_type_id: type,
      uom_id: uom,
      valid_from: '2024-04-01',
    });
    for (const [of, score] of [
      [ids.chairman, 90],
      [ids.finance, 60],
    ] as const) {
      const sheet = await add('kpi_sheet', {
        employee_id: of,
        financial_year: '2025-2026',
        valid_from: '2025-04-01',
        valid_to: '2026-03-31',
        lines: [{ kpi_id: kpi, weight: '100' }],
      });
      await acme.sql(
        `insert into {s}.kpi_actual (entity_id, employee_id, kpi_id, sheet_id, month, ends_on, weight, score, achievement, status, counts)
         values (1, $1, $2, $3, '2025-07', '2025-07-31', 100, $4, $4, 'frozen', true),
           (1, $1, $2, $3, '2025-08', '2025-08-31', 100, 1, 1, 'to_enter', false)`,
        [of, kpi, sheet, score],
      );
    }
    await acme.sql('update {s}.board_unit set scorecard_of_id = $2, group_weight = 2 where id = $1', [
      ids.board,
      ids.chairman,
    ]);
    await acme.sql(
      `insert into {s}.board_unit (entity_id, code, name, board_type_id, kind, state, constituted_on, scorecard_of_id)
       select 2, code, name, board_type_id, kind, state, constituted_on, $2 from {s}.board_unit where id = $1`,
      [ids.board, ids.finance],
    );
    const rowsOf = async (company?: number, month?: string) => {
      const { tiles } = await ok<{ tiles: { figures: { rows: Row[] } }[] }>(
        people.group!.call(
          'POST',
          '/tapi/dashboard/board_dashboard',
          { tiles: ['score', 'kpis'], ...(month && { filters: { month } }) },
          company ? { 'x-entity-id': String(company) } : {},
        ),
      );
      return tiles.map(({ figures }) => figures.rows);
    };
    const noteOf = async (month: string) => {
      const { tiles } = await ok<{ tiles: object[] }>(
        people.group!.call(
          'POST',
          '/tapi/dashboard/board_dashboard',
          { tiles: ['score'], filters: { month } },
          { 'x-entity-id': '1' },
        ),
      );
      return JSON.stringify(tiles[0]);
    };
    // The first company counts twice: (2 · 90 + 60) / 3.
    // Perspectives have the names and the colours of the KPI types.
    const { tiles: coloured } = await ok<{ tiles: { figures: { rows: Row[] } }[] }>(
      people.group!.call(
        'POST',
        '/tapi/dashboard/board_dashboard',
        { tiles: ['perspectives'], filters: { company: '1' } },
        { 'x-entity-id': '1' },
      ),
    );
    expect(coloured[0]!.figures.rows).toMatchObject([{ perspective: 'Financial', perspective__colour: '#117733' }]);
    expect(await rowsOf()).toEqual([
      [{ score: 80 }],
      [
        { kpi: 'Company 1', score: 90 },
        { kpi: 'Company 2', score: 60 },
      ],
    ]);
    expect(await rowsOf(1)).toMatchObject([[{ score: 90 }], [{ kpi: 'Sales', score: 90 }]]);
    // The month is frozen; while it is not, the score may still change.
    expect(await noteOf('2025-07')).toContain('"Of July 2025"');
    await acme.sql(`update {s}.kpi_actual set status = 'approved' where month = '2025-07'`);
    expect(await noteOf('2025-11')).toContain('Of July 2025, provisional until it is frozen');
    await acme.sql(
      `insert into {s}.kpi_actual (entity_id, employee_id, kpi_id, sheet_id, month, ends_on, weight, status, counts)
       select entity_id, employee_id, $2, sheet_id, month, ends_on, 10, 'to_enter', false from {s}.kpi_actual
       where month = '2025-07' and employee_id = $1`,
      [
        ids.chairman,
        await add('kpi', { code: 'COSTS', name: 'Costs', kpi_type_id: type, uom_id: uom, valid_from: '2024-04-01' }),
      ],
    );
    expect(await noteOf('2025-12')).toContain('Of July 2025, provisional, 1 of 2 KPIs approved');
    await acme.sql(`delete from {s}.kpi_actual where status = 'to_enter' and month = '2025-07'`);
    // A KPI that is not shown to the board counts in its score.
    await acme.sql('update {s}.kpi set board_visible = false where id = $1', [kpi]);
    expect(await rowsOf(1, '2025-07')).toEqual([[{ score: 90 }], []]);
    // By revenue: 1 of 4 lakh of invoices less a credit note, so (1 · 90 + 3 · 60) / 4.
    // Another month each time: a page keeps its figures for some seconds.
    const weighted = async (group_weights: string, month: string) => {
      const [setting] = await ok<Row[]>(people.admin!.call('GET', '/tapi/board_setting'));
      await ok(
        setting
          ? people.admin!.call('PUT', `/tapi/board_setting/${setting.id as number}`, {
              version: setting.version,
              group_weights,
            })
          : people.admin!.call('POST', '/tapi/board_setting', { group_weights }),
        setting ? 200 : 201,
      );
      return (await rowsOf(undefined, month))[0];
    };
    expect(await weighted('equal', '2025-08')).toEqual([{ score: 75 }]);
    expect(await weighted('revenue', '2025-09')).toEqual([{ score: 75 }]);
    await ensureTables(acme, world.screens, ['billing']);
    for (const field of ['customer_id', 'branch_id'])
      await acme.sql(`alter table {s}.billing drop constraint billing_${field}_fkey`);
    for (const [company, kind, amount] of [
      [1, 'tax_invoice', 150_000],
      [1, 'credit_note', 50_000],
      [2, 'tax_invoice', 300_000],
    ] as const)
      await acme.sql(
        `insert into {s}.billing (entity_id, branch_id, customer_id, bill_kind, bill_date, status, taxable_total) values ($1, 1, 1, $2, '2025-06-30', 'posted', $3)`,
        [company, kind, amount],
      );
    expect(await weighted('revenue', '2025-10')).toEqual([{ score: 67.5 }]);
  });

  test('every tile is of the chosen company, or of all in which the reader has the right', async () => {
    const [seat] = await acme.sql<{ id: number }>(
      `insert into {s}.board_position (entity_id, number, unit_id, designation_id, sanctioned_on)
       select 2, 'SEAT/901', id, $1, sanctioned from (select id, constituted_on as sanctioned from {s}.board_unit where entity_id = 2) u
       returning id`,
      [ids.whole],
    );
    type Tile = { name: string; figures: { rows: Row[] }; opens?: string; behind?: { filter: unknown } };
    const tilesOf = (by: string, filters: object, name = 'board_dashboard') =>
      people[by]!.call(
        'POST',
        `/tapi/dashboard/${name}`,
        { tiles: ['score', 'vacant', 'findings'], filters },
        { 'x-entity-id': '1' },
      );
    const vacantIn = async (filters: object) => {
      const { tiles } = await ok<{ tiles: Tile[] }>(tilesOf('group', filters));
      const vacant = tiles.find(({ name }) => name === 'vacant')!;
      const listed = new URLSearchParams(vacant.opens?.split('?')[1]).get('filter') ?? 'null';
      const { behind } = tiles.find(({ name }) => name === 'findings')!;
      return [Number(vacant.figures.rows[0]!.n), JSON.parse(listed) as unknown, behind?.filter] as const;
    };
    const [own] = await vacantIn({});
    const [other, behind, violated] = await vacantIn({ company: '2' });
    const [together] = await vacantIn({ company: 'all' });
    expect([own > 0, other, together]).toEqual([true, 1, own + 1]);
    // The list behind the figure shows the same company, although the reader sees both.
    expect((await list('board_position', behind, 'group')).map(({ id }) => id)).toEqual([seat!.id]);
    expect(violated).toEqual(['and', ['state', 'eq', 'open'], ['entity_id', 'in', [2]]]);
    const page = await ok<{ filters: { name: string; options?: { value: string }[] }[] }>(
      people.group!.call('GET', '/tapi/dashboard/at?route=/BoardDashBoard', undefined, { 'x-entity-id': '1' }),
    );
    expect(page.filters[0]!.options!.map(({ value }) => value)).toEqual(['1', '2', 'all']);
    // A unit is of one company.
    expect((await tilesOf('group', { company: 'all' }, 'committee_board')).statusCode).toBe(422);
    // So do reports, which open with the company of the page.
    const vacantSeats = async (query: string) => {
      const { rows } = await ok<{ rows: Row[] }>(
        people.group!.call('GET', `/tapi/report/board_terms/rows${query}`, undefined, { 'x-entity-id': '1' }),
      );
      return rows.filter(({ holder }) => holder === null).map(({ seat_id: id }) => Number(id));
    };
    const here = await vacantSeats('');
    const there = await vacantSeats('?company=2');
    const both = await vacantSeats('?company=all');
    expect([there, here.includes(seat!.id)]).toEqual([[seat!.id], false]);
    expect(both.toSorted((a, b) => a - b)).toEqual([...here, ...there].toSorted((a, b) => a - b));
    const report = await ok<{ parameters: { name: string; options?: { value: string }[] }[] }>(
      people.group!.call('GET', '/tapi/report/board_terms', undefined, { 'x-entity-id': '1' }),
    );
    expect(report.parameters[0]!.options!.map(({ value }) => value)).toEqual(['1', '2', 'all']);
    const nowhere = await people.group!.call('GET', '/tapi/report/board_terms/rows?company=9');
    expect([nowhere.statusCode, nowhere.json<{ error: { field: string } }>().error.field]).toEqual([422, 'company']);
    // In one of the companies the role does not have the dashboard.
    const [{ id: full } = { id: 0 }] = await acme.sql<{ id: number }>(
      `select c.role_ids[1] as id from {s}.users__companies c where c.parent_id = $1`,
      [people.group!.userId],
    );
    const less = await acme.role({ modules: ['LEADERSHIP_STRUCTURE'], screens: {} });
    await acme.user('half', {
      companies: [
        { company: 1, roles: [full] },
        { company: 2, roles: [less] },
      ],
    });
    await acme.sql(`update {s}.users set chairman_flag = true where username = 'half'`);
    people.half = await world.signIn(acme, 'half');
    expect([
      (await tilesOf('half', {})).statusCode,
      (await tilesOf('half', { company: '2' })).statusCode,
      (await tilesOf('half', { company: 'all' })).statusCode,
    ]).toEqual([200, 422, 422]);
  });

  test('tiles are as of the last day of the chosen month, and so is what they open; those of today say so', async () => {
    const ago = (days: number) => companyDay(-days);
    const month = ago(45).slice(0, 7);
    const last = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10);
    type Tile = {
      name: string;
      now?: true;
      figures?: { rows: Row[] };
      leads?: string;
      opens?: string;
      behind?: { filter: unknown };
    };
    const names = ['findings', 'unanswered', 'vacant', 'actions_late', 'decisions'];
    const page = async (filters: object) => {
      const { day, tiles } = await ok<{ day?: string; tiles: Tile[] }>(
        people.chairman!.call('POST', '/tapi/dashboard/board_dashboard', { tiles: names, filters }),
      );
      const of = (name: string) => tiles.find((one) => one.name === name)!;
      return { day, of, counts: names.slice(0, 4).map((name) => Number(of(name).figures?.rows[0]?.n)) };
    };
    const [before, then] = [await page({}), await page({ month })];
    expect([before.day, then.day]).toEqual([undefined, last]);
    // Each was open on that day and has ended since.
    const [finding] = await acme.sql<{ id: number }>(
      `insert into {s}.board_finding (entity_id, unit_id, rule_id, severity, since, ended_on, state)
       values (1, $1, $2, 'error', $3, $4, 'over') returning id`,
      [ids.board, ids.least, ago(100), ago(1)],
    );
    await acme.sql(
      `insert into {s}.board_query (entity_id, number, question, figure, to_id, asked_on, answered_on, state)
       values (1, 'BQ/OLD', 'Why is it late?', 'Late', $1, $2, $3, 'answered')`,
      [ids.finance, ago(100), ago(1)],
    );
    const [seat] = await acme.sql<{ id: number }>(
      `insert into {s}.board_position (entity_id, number, unit_id, designation_id, sanctioned_on, holder_id)
       values (1, 'SEAT/902', $1, $2, $3, $4) returning id`,
      [ids.audit, ids.sits, ago(100), ids.ravi],
    );
    await acme.sql(
      `insert into {s}.board_tenure (entity_id, seat_id, unit_id, designation_id, board_member_id, from_date, basis, state)
       values (1, $1, $2, $3, $4, $5, 'board', 'active')`,
      [seat!.id, ids.audit, ids.sits, ids.ravi, ago(1)],
    );
    const [meeting] = await acme.sql<{ id: number }>(
      `insert into {s}.board_meeting (entity_id, number, unit_id, held_on, state) values (1, 'OLD/1', $1, $2, 'entered') returning id`,
      [ids.audit, ago(100)],
    );
    await acme.sql(
      `insert into {s}.board_meeting__actions (parent_id, position, what, owner_id, due_on, done_on, state) values ($1, 0, 'Old action', $2, $3, $4, 'done')`,
      [meeting!.id, ids.finance, ago(90), ago(1)],
    );
    // A page keeps its figures for some seconds, until a record changes.
    const at = async (filters: object, more: number) => {
      await expect
        .poll(async () => (await page(filters)).counts, { timeout: 15_000, interval: 500 })
        .toEqual((more === 0 ? before : then).counts.map((count) => count + more));
      return page(filters);
    };
    const earlier = await at({ month }, 1);
    await at({}, 0);
    const listed = (address = '') => JSON.parse(new URLSearchParams(address.split('?')[1]).get('filter')!) as unknown;
    expect((await list('board_finding', earlier.of('findings').behind?.filter)).map(({ id }) => id)).toContain(
      finding!.id,
    );
    expect((await list('board_position', listed(earlier.of('vacant').opens))).map(({ id }) => id)).toContain(seat!.id);
    expect(earlier.of('actions_late').leads).toBe(`/board_actions?shown=late&company=1&on_day=${last}`);
    const late = async (query: string) =>
      (
        await ok<{ rows: Row[] }>(people.admin!.call('GET', `/tapi/report/board_actions/rows?shown=late${query}`))
      ).rows.map(({ what }) => what);
    expect([await late(`&on_day=${last}`), await late('')].map((rows) => rows.includes('Old action'))).toEqual([
      true,
      false,
    ]);
    expect([earlier.of('decisions').now, before.of('decisions').now]).toEqual([true, undefined]);
    await acme.sql(`delete from {s}.board_meeting__actions where parent_id = $1`, [meeting!.id]);
    await acme.sql(`delete from {s}.board_meeting where id = $1`, [meeting!.id]);
    await acme.sql(`delete from {s}.board_tenure where seat_id = $1`, [seat!.id]);
    await acme.sql(`delete from {s}.board_position where id = $1`, [seat!.id]);
    await acme.sql(`delete from {s}.board_finding where id = $1`, [finding!.id]);
    await acme.sql(`delete from {s}.board_query where number = 'BQ/OLD'`);
  });

  test('people are counted for chairman and CEO, who may not list them, by company and month', async () => {
    const [counted] = await acme.sql<{ n: number }>(
      `select count(*)::int as n from {s}.employee where active and entity_id = 1 and date_of_joining <= current_date
         and (last_working_day is null or last_working_day >= current_date)`,
    );
    const names = ['people', 'leavers', 'wanted_people', 'span'];
    const figures = async (filters: object) => {
      const { tiles } = await ok<{ tiles: { name: string; figures: { rows: Row[] } }[] }>(
        people.group!.call(
          'POST',
          '/tapi/dashboard/board_dashboard',
          { tiles: names, filters },
          { 'x-entity-id': '1' },
        ),
      );
      return Object.fromEntries(tiles.map(({ name, figures: { rows } }) => [name, rows[0]?.n ?? null]));
    };
    const now = await figures({});
    expect(now.people).toBe(counted!.n);
    expect(Number(now.span)).toBeGreaterThan(0);
    await acme.sql(
      `insert into {s}.org_vacancy (entity_id, designation_id, department_id, manager_id, wanted, needed_from)
       select 1, (select min(id) from {s}.designation), (select min(id) from {s}.department), min(id), 3, current_date
       from {s}.employee`,
    );
    // Of another month, so that the answer kept of the call before does not count.
    expect((await figures({ month: '2099-01' })).wanted_people).toBe(Number(now.wanted_people) + 3);
    await acme.sql(`delete from {s}.org_vacancy where wanted = 3`);
    // Before the company had anybody.
    expect(await figures({ month: '1990-01' })).toMatchObject({ people: 0, leavers: null, span: null });
  });

  test('money is the month and the year to date of financial KPIs, against target and last year', async () => {
    const type = (await list('kpi_type'))[0]!.id;
    const rupees = await add('uom', {
      code: 'INR',
      name: 'Rupees',
      decimals: 0,
      dimension: 'money',
      symbol: '₹',
      display_scale: 'lakh',
      uqc: 'OTH',
    });
    const revenue = await add('kpi', {
      code: 'REVENUE',
      name: 'Revenue',
      kpi_type_id: type,
      uom_id: rupees,
      valid_from: '2024-04-01',
    });
    const [sheet] = await acme.sql<{ sheet_id: number }>('select sheet_id from {s}.kpi_actual limit 1');
    for (const [month, value, target, counts] of [
      ['2024-04', 1_000_000, 900_000, true],
      ['2024-05', 1_100_000, 900_000, true],
      ['2025-04', 1_200_000, 1_000_000, true],
      ['2025-05', 1_300_000, 1_000_000, true],
      ['2025-06', 1_400_000, 1_000_000, false],
    ] as const)
      await acme.sql(
        `insert into {s}.kpi_actual (entity_id, owner_kind, kpi_id, sheet_id, month, ends_on, weight, value, target, status, counts)
         values (1, 'entity', $1, $2, $3, ($3 || '-28')::date, 10, $4, $5, 'approved', $6)`,
        [revenue, sheet!.sheet_id, month, value, target, counts],
      );
    const { tiles } = await ok<{ tiles: { figures: { rows: Row[]; note: string } }[] }>(
      people.group!.call(
        'POST',
        '/tapi/dashboard/board_dashboard',
        { tiles: ['money'], filters: { company: '1' } },
        { 'x-entity-id': '1' },
      ),
    );
    // In lakhs; June is not approved yet.
    expect(tiles[0]!.figures.rows).toMatchObject([
      { kpi: 'Revenue, ₹ lakh', actual: 13, budget: 10, last_year: 11, ytd: 25, ytd_budget: 20, ytd_last_year: 21 },
    ]);
    expect(tiles[0]!.figures.note).toMatch(
      /^Of May 2025, provisional( until it is frozen|, \d+ of \d+ KPIs approved)$/,
    );
  });

  test('the register, the composition by rule, attendance, skills and terms are reports on a day', async () => {
    type Answer = {
      rows: Row[];
      columns: { name: string; title: string }[];
      note?: string;
      figures?: Row[];
      chart: { x: string[]; series: Row[] } | null;
      timeline?: { bars: Row[] };
    };
    const report = (name: string, query: string) =>
      ok<Answer>(people.admin!.call('GET', `/tapi/report/${name}/rows?unit=${ids.board}${query}`));
    const register = await report('board_register', `&on_day=${today}`);
    expect(register.rows.find(({ member }) => member === 'Asha Rao')).toMatchObject({
      din: '01234567',
      designation: 'ID',
      from_date: yearsAgo(1),
      basis: 'board',
      resolution_no: 'BR/1',
      other_offices: 'Director, Rao Steel',
    });
    // Nobody was in office before.
    expect((await report('board_register', `&on_day=${yearsAgo(3)}`)).rows).toEqual([]);

    const composition = await report('board_composition', `&on_day=${today}`);
    const least = composition.rows.find(({ rule: name }) => name === 'MIN')!;
    const board = (await read('board_unit', ids.board!)).member_ids as number[];
    expect(least).toMatchObject({ unit: 'Board of directors', needed: 3, have: board.length, source: 's. MIN' });
    // A new rule applies from its day on.
    await add('board_rule', {
      code: 'WOM',
      name: 'WOM',
      check: 'min_woman',
      value: '1',
      board_type_id: (await read('board_unit', ids.board!)).board_type_id,
      source: 's. 149',
      valid_from: today,
    });
    expect((await report('board_composition', `&on_day=${today}`)).rows.map(({ rule: name }) => name)).toContain('WOM');
    const then = await report('board_composition', `&on_day=${yearsAgo(3)}`);
    expect(then.rows.map(({ rule: name }) => name)).not.toContain('WOM');
    expect(then.rows.find(({ rule: name }) => name === 'MIN')).toMatchObject({
      result: 'violated',
      have: 0,
      missing: 3,
      remedy: 'Appoint 3 directors.',
    });
    expect(then.figures).toContainEqual(expect.objectContaining({ title: 'Errors', value: '1' }));
    // The chart counts the violated rules of each unit by severity.
    const violated = then.rows.filter(({ result }) => result === 'violated');
    expect(then.chart).toEqual({
      x: ['Board of directors'],
      series: [{ title: 'Errors', values: [violated.filter(({ severity }) => severity === 'error').length] }],
    });

    const declared = await ok<Answer & { figures: { title: string; value: string }[] }>(
      people.admin!.call('GET', '/tapi/report/board_declarations/rows'),
    );
    const all = (await list('board_disclosure')).filter(({ state }) => state !== 'withdrawn');
    const noted = all.filter(({ state }) => state === 'noted').length;
    expect(declared.rows).toHaveLength(all.length);
    expect(declared.rows.find(({ member }) => member === 'Asha Rao')).toMatchObject({ due_on: expect.any(String) });
    expect(declared.figures.map(({ title, value }) => [title, value])).toContainEqual([
      'Complete',
      `${((100 * noted) / all.length).toFixed(2)} %`,
    ]);
    expect(declared.chart!.series.flatMap(({ values }) => values as number[]).reduce((a, b) => a + b, 0)).toBe(
      all.length,
    );

    const attendance = await report('board_attendance', '');
    expect(attendance.columns.map(({ name }) => name)).toEqual(expect.arrayContaining(['member', 'attended']));
    expect(attendance.rows.find(({ member }) => member === 'Asha Rao')).toMatchObject({ attended: 100 });

    const skill = await add('competencies', {
      code: 'LAW',
      name: 'Company law',
      skillsgroup_id: await add('skillsgroup', { code: 'GOV', name: 'Governance' }),
    });
    const { version } = await read('board_unit', ids.board!);
    await ok(people.admin!.call('PUT', `/tapi/board_unit/${ids.board}`, { version, skills: [skill] }));
    const covered = { title: 'Required skills covered', value: '0.00 %', tone: 'warning' };
    expect(await report('board_skills', '')).toMatchObject({
      figures: [covered],
      note: expect.stringContaining('missing: Company law'),
    });
    const asha = await read('board_member', ids.asha!);
    await ok(
      people.admin!.call('PUT', `/tapi/board_member/${ids.asha}`, {
        version: asha.version,
        skills: [{ competency_id: skill, level: 4 }],
      }),
    );
    const matrix = await report('board_skills', '');
    expect(matrix.rows.find(({ member }) => member === 'Asha Rao')).toMatchObject({ [`${skill}.level`]: 4 });
    expect(matrix.figures).toEqual([{ title: 'Required skills covered', value: '100.00 %' }]);

    const terms = await report('board_terms', '&days=3660');
    expect(terms.rows.find(({ holder }) => holder === 'Asha Rao')).toMatchObject({
      term_no: 1,
      renewals: 1,
      successor: 'Asha Rao',
    });
    const [held, never] = [
      terms.rows.find(({ holder }) => holder !== null)!,
      terms.rows.find(({ holder }) => !holder)!,
    ];
    const created = String((await read('board_position', Number(never.seat_id))).sanctioned_on);
    expect([held.vacant_days, never.vacant_days]).toEqual([0, (Date.parse(today) - Date.parse(created)) / 86_400_000]);
    const soon = await report('board_terms', '&days=30');
    expect(soon.rows.map(({ holder }) => holder)).not.toContain('Asha Rao');
    // The timeline has every seat, whatever ends when: terms past, present and proposed, and days without a holder.
    const bars = soon.timeline!.bars.filter(({ title }) => String(title).startsWith('Asha Rao'));
    expect(bars.map(({ title, from, tone }) => [title, from, tone])).toEqual([
      ['Asha Rao', yearsAgo(1), 'brand'],
      ['Asha Rao (proposed)', expect.any(String), 'neutral'],
    ]);
    expect(String(bars[1]!.from) > String(bars[0]!.until)).toBe(true);
    const empty = await list('board_position', ['and', ['unit_id', 'eq', ids.board], ['holder_id', 'empty']]);
    expect(soon.timeline!.bars.filter(({ tone }) => tone === 'danger')).toHaveLength(empty.length);
  });

  test('interested members neither vote nor count; the page of a unit shows its own members and quorum', async () => {
    const [declared] = await list('board_disclosure', [
      'and',
      ['board_member_id', 'eq', ids.mina],
      ['kind', 'eq', 'interest_mbp1'],
    ]);
    await ok(
      people.admin!.call('PUT', `/tapi/board_disclosure/${declared!.id}`, {
        version: declared!.version,
        interests: [{ body: 'Rao Steel', nature: 'Director', shareholding: '30' }],
      }),
    );
    const interests = async () =>
      (
        await ok<{ rows: Row[] }>(
          people.admin!.call('GET', `/tapi/report/board_interests/rows?unit=${ids.board}&on_day=${today}`),
        )
      ).rows;
    expect(await interests()).toEqual([]);
    await ok(step('board_disclosure', declared!.id, 'receive', { file: null }));
    const members = (await read('board_unit', ids.board!)).member_ids as number[];
    expect(await interests()).toMatchObject([
      { body: 'Rao Steel', member: 'Mina Nair', sits: 'Yes', may_vote: members.length - 1, quorum: 2 },
    ]);
    const page = await ok<{ tiles: { name: string; list?: { rows: unknown[] }; value?: unknown }[] }>(
      people.admin!.call('POST', '/tapi/dashboard/committee_board', {
        filters: {},
        tiles: ['members', 'seated', 'quorum'],
      }),
    );
    expect(page.tiles.find(({ name }) => name === 'members')?.list?.rows ?? []).toEqual([]);
  });

  test('the plan of a unit with confidential papers is for its members and its secretary', async () => {
    const { version } = await read('board_unit', ids.board!);
    await ok(
      people.admin!.call('PUT', `/tapi/board_unit/${ids.board}`, {
        version,
        confidential: true,
        work_plan: [{ month: 5, item: 'Dividend' }],
      }),
    );
    const item = async (by: string) =>
      ((await read('board_unit', ids.board!, by)).work_plan as Row[] | undefined)?.[0]?.item ?? null;
    expect([await item('chairman'), await item('finance')]).toEqual([null, 'Dividend']);
  });

  test('latest papers are of the reader’s own units', async () => {
    const [file] = await acme.sql<{ id: number }>(
      `insert into {s}.file (name, size, type, sha256, path) values ('Accounts.pdf', 1, 'application/pdf', 'a', 'a') returning id`,
    );
    await acme.sql(
      `update {s}.board_meeting__agenda set paper = $2 where id = (select min(a.id) from {s}.board_meeting__agenda a
         join {s}.board_meeting m on m.id = a.parent_id where m.unit_id = $1 and m.state not in ('cancelled', 'adjourned'))`,
      [ids.board, file!.id],
    );
    const papers = async (by: string) => {
      const { tiles } = await ok<{ tiles: { figures: { rows: Row[] } }[] }>(
        people[by]!.call('POST', '/tapi/dashboard/board_dashboard', { tiles: ['papers_latest'] }),
      );
      return tiles.map(({ figures }) => figures.rows.map(({ paper }) => paper));
    };
    // The chairman's account does not sit in the unit until it is among its members.
    expect(await papers('chairman')).toEqual([[]]);
    await acme.sql('update {s}.board_unit set member_user_ids = array_append(member_user_ids, $2) where id = $1', [
      ids.board,
      people.chairman!.userId,
    ]);
    await acme.sql(`update {s}.board_meeting set confidential = true where unit_id = $1`, [ids.board]);
    // Another filter: a page keeps its figures for some seconds.
    const { tiles } = await ok<{ tiles: { figures: { rows: Row[] } }[] }>(
      people.chairman!.call('POST', '/tapi/dashboard/board_dashboard', {
        tiles: ['papers_latest'],
        filters: { month: today.slice(0, 7) },
      }),
    );
    expect(tiles[0]!.figures.rows).toMatchObject([{ paper: 'Accounts.pdf', unit: 'Board of directors' }]);
  });

  test('a self-assessment is answered without names; its means are shown when it is closed', async () => {
    const evaluation = await add('board_evaluation', {
      unit_id: ids.audit,
      financial_year: '2025-2026',
      due_on: today,
      questions: [{ question: 'Papers arrive in time' }, { question: 'Everybody can speak' }],
    });
    const few = await step('board_evaluation', evaluation, 'ask');
    expect([few.statusCode, few.body]).toEqual([422, expect.stringContaining('At least three members')]);
    const three = ['chairman', 'finance', 'outsider'];
    const accounts = three.map((name) => people[name]!.userId);
    await acme.sql('update {s}.board_evaluation set member_user_ids = $2 where id = $1', [evaluation, accounts]);
    await ok(step('board_evaluation', evaluation, 'ask'));
    const answers = await list('board_evaluation_answer');
    expect(new Set(answers.map(({ user_id: user }) => user))).toEqual(new Set(accounts));
    for (const [at, name] of three.entries()) {
      const own = answers.find(({ user_id: user }) => user === people[name]!.userId)!.id;
      const early = await step('board_evaluation_answer', own, 'give', {}, name);
      expect([early.statusCode, early.body]).toEqual([422, expect.stringContaining('Rate each question')]);
      const { version, ratings } = await read('board_evaluation_answer', own, name);
      await ok(
        people[name]!.call('PUT', `/tapi/board_evaluation_answer/${own}`, {
          version,
          ratings: (ratings as Row[]).map((row, place) => ({ ...row, stars: place === 0 ? 4 : 3 + at })),
        }),
      );
      await ok(step('board_evaluation_answer', own, 'give', {}, name));
      // Nobody else sees the stars, not even an administrator; another member sees no form of theirs.
      const seen = (await read('board_evaluation_answer', own)).ratings as Row[];
      expect(seen.map(({ stars }) => stars ?? null)).toEqual([null, null]);
      const other = people[three[(at + 1) % 3]!]!;
      expect((await other.call('GET', `/tapi/board_evaluation_answer/${own}`)).statusCode).not.toBe(200);
    }
    const open = await read('board_evaluation', evaluation);
    expect([open.given, open.mean ?? null]).toEqual([3, null]);
    await ok(step('board_evaluation', evaluation, 'close'));
    const closed = await read('board_evaluation', evaluation);
    expect([Number(closed.mean), (closed.questions as Row[]).map(({ mean }) => Number(mean))]).toEqual([4, [4, 4]]);
    const { tiles } = await ok<{ tiles: { figures: { rows: Row[]; note: string } }[] }>(
      people.admin!.call('POST', '/tapi/dashboard/committee_board', {
        tiles: ['assessment'],
        filters: { unit: String(ids.audit) },
      }),
    );
    expect(tiles[0]!.figures.rows).toMatchObject([
      { question: 'Papers arrive in time', mean: 4 },
      { question: 'Everybody can speak', mean: 4 },
    ]);
    expect(tiles[0]!.figures.note).toContain('3 of 3 members answered, 4.00 of 5 on average');
  });

  test('a committee’s page begins with the reader’s own unit; that of another is refused and stored in the activity log', async () => {
    const page = (by: string, filters: object = {}) =>
      people[by]!.call('POST', '/tapi/dashboard/committee_board', { filters, tiles: ['seated', 'plan'] });
    const { filters } = await ok<{ filters: { unit: number | null } }>(page('finance'));
    expect(filters.unit).toBe(ids.board);
    expect((await ok<{ filters: { unit: number | null } }>(page('outsider'))).filters.unit).toBeNull();
    const denied = () =>
      acme.sql<{ summary: string; entity_id: number }>(
        `select summary, entity_id from {s}.audit_log where action = 'deny' and actor_user_id = $1 order by seq`,
        [people.outsider!.userId],
      );
    expect(await denied()).toEqual([]);
    const refused = await page('outsider', { unit: String(ids.board) });
    expect([refused.statusCode, refused.body]).toEqual([403, expect.stringContaining('You do not sit in this unit.')]);
    await expect.poll(denied).toEqual([{ summary: `Committee board, unit ${ids.board}`, entity_id: 1 }]);
    const report = await people.outsider!.call('GET', `/tapi/report/board_skills/rows?unit=${ids.board}`);
    expect(report.statusCode, report.body).toBe(403);
    await expect.poll(async () => (await denied()).at(-1)?.summary).toBe(`Skills matrix, unit ${ids.board}`);
    // Exports are another door to the same rows.
    await acme.sql('update {s}.users__companies set role_ids = array_append(role_ids, $2) where parent_id = $1', [
      people.outsider!.userId,
      await acme.role({ modules: ['LEADERSHIP_STRUCTURE'], actions: ['EXPORT_DATA'] }),
    ]);
    people.outsider = await world.signIn(acme, 'outsider');
    const before = (await denied()).length;
    for (const format of ['xlsx', 'pdf']) {
      const sent = await people.outsider!.call('GET', `/tapi/report/board_skills/export.${format}?unit=${ids.board}`);
      expect([sent.statusCode, sent.body]).toEqual([403, expect.stringContaining('You do not sit in this unit.')]);
    }
    const line = { summary: `Skills matrix, unit ${ids.board}`, entity_id: 1 };
    await expect.poll(async () => (await denied()).slice(before)).toEqual([line, line]);
  });
});

test('the chart shows everybody in the company with managers and vacant posts; only some people may move others', async () => {
  const [{ designation_id: designation, department_id: department }] = (await list('employee')) as [Doc];
  await add('org_vacancy', {
    designation_id: designation,
    department_id: department,
    manager_id: ids.chairman,
    wanted: 2,
  });
  type Chart = { people: { id: number; parent: number | null; wanted: number }[]; me: number; may_move: boolean };
  const chartOf = (by: string) => people[by]!.call('GET', '/tapi/organisation_chart');
  const chart = await ok<Chart>(chartOf('outsider'));
  const managers = new Map(
    chart.people.flatMap(({ id, parent, wanted }) => (wanted === 0 ? [[id, parent] as const] : [])),
  );
  expect(managers).toEqual(
    new Map<number | undefined, number | null | undefined>([
      [ids.chairman, null],
      [ids.finance, ids.chairman],
      [ids.outsider, ids.finance],
    ]),
  );
  expect(chart.people.filter(({ wanted }) => wanted > 0)).toMatchObject([{ parent: ids.chairman, wanted: 2 }]);
  expect([chart.me, chart.may_move]).toEqual([ids.outsider, false]);
  expect((await ok<Chart>(chartOf('admin'))).may_move).toBe(true);
  // A loop in data from elsewhere stands in the tray of the unplaced, with everybody below it, and never in the chart.
  await acme.sql('update {s}.employee set reporting_to_id = $2 where id = $1', [ids.chairman, ids.finance]);
  const looped = new ChartTree((await ok<{ people: ChartPerson[] }>(chartOf('outsider'))).people);
  expect(looped.roots).toEqual([]);
  expect(looped.unplaced.map((id) => looped.whyUnplaced(id))).toEqual([expect.stringMatching(/^A cycle: .+ → .+ → /)]);
  expect([...layOutChart(looped, new Set(looped.people.keys()), 'down').ids]).toEqual([]);
  await acme.sql('update {s}.employee set reporting_to_id = null where id = $1', [ids.chairman]);
  // The print has what its reader may see, and the same people read it.
  const print = (by: string) => people[by]!.call('POST', '/tapi/organisation_chart/print', { direction: 'right' });
  const paper = await print('outsider');
  expect([paper.statusCode, paper.headers['content-type']]).toEqual([200, 'application/pdf']);
  expect(paper.body.startsWith('%PDF-')).toBe(true);
});

test('a plan is carried out as a whole or not at all', async () => {
  const managers = async () => {
    const { people: all } = await ok<{ people: { id: number; parent: number | null }[] }>(
      people.admin!.call('GET', '/tapi/organisation_chart'),
    );
    return new Map(all.filter(({ id }) => id > 0).map(({ id, parent }) => [id, parent]));
  };
  const before = await managers();
  const [chairman, finance, outsider] = [ids.chairman!, ids.finance!, ids.outsider!];
  const plan = (name: string, moves: object[], more: object = {}) =>
    add('org_plan', { name, effective_on: today, reason: 'Closer to the customers', moves, ...more });
  const refusal = async (id: number, status: number) => {
    const answer = await step('org_plan', id, 'apply');
    expect(answer.statusCode, answer.body).toBe(status);
    expect(await managers()).toEqual(before);
    return answer.body;
  };

  const loop = await plan('Loop', [
    { employee_id: outsider, to_manager_id: chairman },
    { employee_id: chairman, to_manager_id: finance },
  ]);
  expect(await refusal(loop, 422)).toContain('would be their own manager');
  // Only people with the right carry a plan out.
  const answer = await people.chairman!.call('POST', `/tapi/org_plan/${loop}/apply`, { version: 1 });
  expect([403, 404]).toContain(answer.statusCode);

  // The first move is possible, the second meets a change that is already planned for today.
  const swap = await plan('Swap', [
    { employee_id: finance, to_manager_id: outsider },
    { employee_id: outsider, to_manager_id: chairman },
  ]);
  const planned = await add('employee_history', {
    employee_id: finance,
    change: 'manager',
    effective_from: today,
    no_manager: true,
  });
  await refusal(swap, 409);
  expect(await list('employee_history', ['employee_id', 'eq', outsider])).toEqual([]);
  const { version } = await read('employee_history', planned);
  await people.admin!.call('DELETE', `/tapi/employee_history/${planned}?version=${version}`);

  // Both together swap two people: finance is below its former report.
  await ok(step('org_plan', swap, 'apply'));
  expect([(await managers()).get(outsider), (await managers()).get(finance)]).toEqual([chairman, outsider]);
  expect(await list('employee_history', ['employee_id', 'eq', finance])).toMatchObject([
    { state: 'done', reporting_to_id: outsider },
  ]);

  // A move may bring a department, also below the same manager.
  const department = await add('department', { code: 'PLAN', name: 'Planned' });
  const place = await plan('Place', [{ employee_id: finance, to_manager_id: outsider, new_department_id: department }]);
  await ok(step('org_plan', place, 'apply'));
  expect(await read('employee', finance)).toMatchObject({ reporting_to_id: outsider, department_id: department });
  expect(await list('employee_history', ['department_id', 'eq', department])).toMatchObject([
    { employee_id: finance, change: 'transfer', state: 'done' },
  ]);

  // A later plan waits for its day and can be taken back until then; what has changed meanwhile refuses it.
  const later = await plan('Later', [{ employee_id: finance, to_manager_id: chairman }], {
    effective_on: '2099-01-01',
  });
  await ok(step('org_plan', later, 'schedule'));
  expect((await managers()).get(finance)).toBe(outsider);
  await ok(step('org_plan', later, 'take_back'));
  const move = (to: number) =>
    people.admin!.call('POST', `/tapi/employee/${finance}/move`, {
      effective_from: today,
      reporting_to_id: to,
      reason: 'Taken back',
    });
  await ok(move(chairman));
  expect((await step('org_plan', later, 'schedule')).body).toContain('reports there already');
  // A second move of the same day is possible: the first is undone.
  await ok(move(outsider));
  expect((await managers()).get(finance)).toBe(outsider);

  // On its day the plan is carried out without anybody; one that has become impossible stays, with the reason.
  const [dawn, other] = await Promise.all(
    ['Dawn', 'Other'].map((name) =>
      plan(name, [{ employee_id: finance, to_manager_id: chairman }], { effective_on: '2098-01-01' }),
    ),
  );
  for (const id of [dawn!, other!]) await ok(step('org_plan', id, 'schedule'));
  await world.sweep(new Date('2097-12-31T12:00:00Z'));
  expect((await managers()).get(finance)).toBe(outsider);
  await world.sweep(new Date('2098-01-01T12:00:00Z'));
  expect((await managers()).get(finance)).toBe(chairman);
  const states = (await list('org_plan', ['id', 'in', [dawn, other]])).map(({ status }) => status);
  expect(new Set(states)).toEqual(new Set(['applied', 'planned']));
  expect(await list('employee_history', ['effective_from', 'eq', '2098-01-01'])).toMatchObject([
    { employee_id: finance, state: 'done', reporting_to_id: chairman },
  ]);
});
