import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureTables } from '../../../src/server/db/tenants.ts';
import type { Adopted, Offer, Offered } from '../../../src/domain/adoption.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

type Row = Record<string, unknown> & { id: number; version: number };

describe('libraries of the platform', () => {
  let world: World;
  let acme: TestTenant;
  let chief: Caller;
  const main = () => world.database.directory.main;
  const one = async (text: string, values: unknown[] = []) =>
    (await main().query<{ id: number }>(`${text} returning id`, values))[0]!.id;
  const offer = async (type: string, caller = chief) =>
    (await caller.call('GET', `/tapi/${type}/library`)).json<Offer>();
  async function take(type: string, ids: number[], caller = chief): Promise<Adopted> {
    const answer = await caller.call('POST', `/tapi/${type}/library`, { ids });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json<{ data: Adopted }>().data;
  }
  const rows = async (type: string) =>
    (await chief.call('GET', `/tapi/${type}?columns=*&sort=id`)).json<{ data: Row[] }>().data;
  const idOf = (list: Offered[], code: string) => list.find((row) => row.code === code)!.id;

  beforeAll(async () => {
    world = await startWorld({ alone: true });
    await ensureTables({ db: main(), schema: 'public' }, world.app.store.screens(), [
      'admin_dept',
      'admin_desig',
      'admin_function',
      'admin_competencies',
      'admin_skills_group',
      'admin_role_assignments_group',
      'kpiroles',
      'industry',
      'client_account',
      'partner',
    ]);
    acme = await world.tenant({ suffix: 'lib', companies: 2, products: ['PMS'] });
    const lifts = await one(`insert into public.industry (code, name) values ('ELV', 'Lifts')`);
    const jewels = await one(`insert into public.industry (code, name) values ('JWL', 'Jewellery')`);
    await one(
      `insert into public.client_account (code, name, sub_domain, state, legal_name, plan, licensed_users, valid_from, valid_to, contact_name, contact_email, admin_name, admin_email, admin_username, industry_id)
       values ('ACME', 'Acme', $1, 'active', 'Acme', 'trial', 5, current_date, current_date + 300, 'R', 'r@acme.in', 'A', 'a@acme.in', 'admin', $2)`,
      [acme.subDomain, lifts],
    );
    const service = await one(
      `insert into public.admin_function (code, name, published) values ('SRV', 'Service', true)`,
    );
    const field = await one(
      `insert into public.admin_function (code, name, published, parent_function_id) values ('FLD', 'Field service', true, $1)`,
      [service],
    );
    const head = await one(
      `insert into public.admin_dept (code, name, published, function_id) values ('OPS', 'Operations', true, $1)`,
      [service],
    );
    await one(
      `insert into public.admin_dept (code, name, published, parent_department_id, function_id) values ('REP', 'Repairs', true, $1, $2)`,
      [head, field],
    );
    await one(`insert into public.admin_dept (code, name, published) values ('SECRET', 'Not out yet', false)`);
    await one(
      `insert into public.admin_dept (code, name, published, industries) values ('GOLD', 'Gold buying', true, $1)`,
      [[jewels]],
    );
    await one(`insert into public.admin_dept (code, name, published, industries) values ('SAFE', 'Safety', true, $1)`, [
      [lifts, jewels],
    ]);
    const group = await one(
      `insert into public.admin_skills_group (code, name, published) values ('TEC', 'Technical', true)`,
    );
    const wiring = await one(
      `insert into public.admin_competencies (code, name, skillsgroup_id, competency_type, assessed, published) values ('WIR', 'Wiring', $1, 'technical', true, true)`,
      [group],
    );
    const brakes = await one(
      `insert into public.admin_competencies (code, name, skillsgroup_id, competency_type, assessed, published) values ('BRK', 'Brakes', $1, 'technical', true, true)`,
      [group],
    );
    await main().query(
      `insert into public.admin_competencies__levels (parent_id, position, level, label, behaviour) values ($1, 0, 1, 'Helps', 'Hands tools'), ($1, 1, 5, 'Teaches', 'Trains others')`,
      [wiring],
    );
    const technician = await one(
      `insert into public.admin_desig (code, name, level_no, department_id, published) values ('TECH', 'Technician', 9, $1, true)`,
      [head],
    );
    await main().query(
      'insert into public.admin_desig__competencies (parent_id, position, competency_id, required_level) values ($1, 0, $2, 3), ($1, 1, $3, 4)',
      [technician, wiring, brakes],
    );
    const kpi = await one(
      `insert into public.kpiroles (code, role_name, level, published) values ('KSRV', 'Service head', 'head', true)`,
    );
    await one(
      `insert into public.admin_role_assignments_group (code, role_name, department_id, designation_id, kpirole_id, published) values ('RSH', 'Service head', $1, $2, $3, true)`,
      [head, technician, kpi],
    );
    await acme.user('chief', { isAdmin: true, companies: [{ company: 1 }, { company: 2 }] });
    chief = await world.signIn(acme, 'chief');
    await chief.call('PUT', '/tapi/session/entity', { entity_id: acme.entityIds[0] });
  });
  afterAll(() => world.close());

  it('offer the published records for the client’s industry', async () => {
    const { data, industry } = await offer('department');
    expect(industry).toBe('Lifts');
    expect(data.map(({ code, above, state }) => [code, above, state])).toEqual([
      ['OPS', null, 'new'],
      ['REP', 'Operations', 'new'],
      ['SAFE', null, 'new'],
    ]);
    expect((await chief.call('GET', '/tapi/branch/library')).statusCode).toBe(404);
  });

  it('are adopted several at once, with parents and origin; references without a match stay empty', async () => {
    const { data } = await offer('department');
    // The lower one first: the one above comes before it all the same.
    const answer = await take('department', [idOf(data, 'REP'), idOf(data, 'OPS')]);
    expect(answer).toMatchObject({ added: [{ label: 'Operations' }, { label: 'Repairs' }], linked: [], errors: [] });
    const [ops, rep] = await rows('department');
    expect(ops).toMatchObject({ code: 'OPS', library_code: 'OPS', function_id: null });
    expect(rep).toMatchObject({ code: 'REP', library_code: 'REP', parent_department_id: ops!.id });
    expect((await offer('department')).data.map(({ code, state }) => [code, state])).toEqual([
      ['OPS', 'taken'],
      ['REP', 'taken'],
      ['SAFE', 'new'],
    ]);
    expect(await take('department', [idOf(data, 'OPS')])).toMatchObject({ added: [], linked: [], errors: [] });
    // Departments are each company's own.
    expect(
      (
        await chief.call('GET', '/tapi/department/library', undefined, { 'x-entity-id': String(acme.entityIds[1]) })
      ).json<{ data: Offered[] }>().data[0]!.state,
    ).toBe('new');
    const [first] = (await chief.call('GET', `/tapi/department/${ops!.id}/history`)).json<{
      data: { op: string; what: string }[];
    }>().data;
    expect(first).toMatchObject({ op: 'I', what: 'library' });
  });

  it('link an existing record with the same key, and leave it unchanged', async () => {
    const made = (
      await chief.call('POST', '/tapi/function', { code: 'S1', name: 'service', description: 'Our own words' })
    ).json<{ data: Row }>().data;
    const { data } = await offer('function');
    expect(data.find(({ code }) => code === 'SRV')).toMatchObject({
      state: 'same',
      own_id: made.id,
      own_label: 'service',
    });
    expect(
      await take(
        'function',
        data.map(({ id }) => id),
      ),
    ).toMatchObject({ added: [{ label: 'Field service' }], linked: [{ id: made.id }] });
    const [own, below] = await rows('function');
    expect(own).toMatchObject({ code: 'S1', name: 'service', description: 'Our own words', library_code: 'SRV' });
    expect(below).toMatchObject({ code: 'FLD', parent_function_id: made.id });
    const ops = (await rows('department'))[0]!;
    expect(ops.function_id).toBeNull();
  });

  it('are added beside an existing record under another key, with all checks', async () => {
    const mine = (await chief.call('POST', '/tapi/skillsgroup', { code: 'TEC', name: 'Technology' })).json<{
      data: Row;
    }>().data;
    const { data } = await offer('skillsgroup');
    const id = idOf(data, 'TEC');
    expect(data.find((row) => row.id === id)).toMatchObject({
      state: 'same',
      own_id: mine.id,
      clashes: [{ field: 'code', title: 'Code', value: 'TEC', own_label: 'Technology' }],
    });
    const take2 = async (set: object) =>
      (await chief.call('POST', '/tapi/skillsgroup/library', { ids: [id], as: [{ id, set }] })).json<{
        data: Adopted;
        error?: { field: string };
      }>();
    expect((await take2({ code: 'tec' })).data).toMatchObject({
      added: [],
      linked: [],
      errors: [{ label: 'Technical', message: expect.stringContaining('already exists') as string }],
    });
    expect((await take2({ code: 'far too long a code' })).data).toMatchObject({ added: [], errors: [{ id }] });
    expect((await take2({ library_code: 'X' })).error).toMatchObject({ field: 'library_code' });
    expect(await rows('skillsgroup')).toHaveLength(1);
    expect((await take2({ code: 'TCH' })).data).toMatchObject({
      added: [{ label: 'Technical' }],
      linked: [],
      errors: [],
    });
    const [own, made] = await rows('skillsgroup');
    expect(own).toMatchObject({ code: 'TEC', name: 'Technology', library_code: null, version: mine.version });
    expect(made).toMatchObject({ code: 'TCH', name: 'Technical', library_code: 'TEC' });
    expect((await offer('skillsgroup')).data.find((row) => row.id === id)).toMatchObject({
      state: 'taken',
      own_id: made!.id,
      clashes: [],
    });
    for (const { id: gone } of [own!, made!]) await chief.call('DELETE', `/tapi/skillsgroup/${gone}`);
  });

  it('include required references, and rows whose references exist', async () => {
    const competencies = (await offer('competencies')).data;
    const taken = await take('competencies', [idOf(competencies, 'WIR')]);
    expect(taken.added.map(({ label }) => label)).toEqual(['Technical (Skills group)', 'Wiring']);
    const [wiring] = await rows('competencies');
    expect((await chief.call('GET', `/tapi/competencies/${wiring!.id}`)).json<{ data: Row }>().data).toMatchObject({
      skillsgroup_id__label: 'Technical',
      library_code: 'WIR',
      levels: [
        { level: 1, label: 'Helps' },
        { level: 5, label: 'Teaches' },
      ],
    });
    await take('designation', [idOf((await offer('designation')).data, 'TECH')]);
    const [technician] = await rows('designation');
    // Brakes are not here.
    expect((await chief.call('GET', `/tapi/designation/${technician!.id}`)).json<{ data: Row }>().data).toMatchObject({
      level_no: 9,
      department_id__label: 'Operations',
      competencies: [{ competency_id: wiring!.id, required_level: 3 }],
    });
    await take('distinct_role_assignments', [idOf((await offer('distinct_role_assignments')).data, 'RSH')]);
    expect((await rows('distinct_role_assignments'))[0]).toMatchObject({
      role_name: 'Service head',
      department_id__label: 'Operations',
      designation_id: technician!.id,
      kpirole_code: 'KSRV',
    });
  });

  it('are for people who may add, and give a reason for each record that could not be adopted', async () => {
    const reader = await acme.role({
      modules: ['MASTERS'],
      screens: { SCN_COMPETENCIES: ['landing', 'view_screen'], SCN_DEPARTMENT: ['landing', 'add_screen'] },
      actions: ['CREATE_MASTERS'],
    });
    await acme.user('clerk', { companies: [{ company: 1, roles: [reader] }] });
    const clerk = await world.signIn(acme, 'clerk');
    expect((await clerk.call('GET', '/tapi/competencies/library')).statusCode).toBe(403);
    expect((await clerk.call('POST', '/tapi/competencies/library', { ids: [1] })).statusCode).toBe(403);
    const { data } = await offer('department', clerk);
    await chief.call('POST', '/tapi/department', { code: 'SAFETY', name: 'Safety' });
    await chief.call(
      'PUT',
      `/tapi/department/${(await rows('department')).find(({ code }) => code === 'SAFETY')!.id}`,
      { version: 1, code: 'SF' },
    );
    const answer = await take('department', [idOf(data, 'SAFE'), 999_999], clerk);
    // Linking changes a record of the client: whoever may only add does not do it.
    expect(answer).toMatchObject({
      added: [],
      linked: [],
      errors: [
        { label: 'Safety', message: expect.stringMatching(/^Safety already exists/) as string },
        { label: '999999', message: 'The library no longer offers this.' },
      ],
    });
    expect(await take('department', [idOf(data, 'SAFE')])).toMatchObject({ linked: [{ label: 'Safety' }] });
    expect((await chief.call('POST', '/tapi/department/library', { ids: 'all' })).statusCode).toBe(400);
  });

  it('show updates and differences, and adopt only the updates; withdrawn records stay', async () => {
    const platform = (text: string, values: unknown[]) => main().query(text, values);
    const change = async (code: string, field: string, value: unknown) => {
      const [was] = await main().query<{ id: number; before: unknown }>(
        `select id, ${field} as before from public.admin_dept where code = $1`,
        [code],
      );
      await platform(`update public.admin_dept set ${field} = $2 where id = $1`, [was!.id, value]);
      await platform(
        `insert into public.history (record_type, record_id, version, op, what, change) values ('admin_dept', $1, 2, 'U', 'form', $2)`,
        [was!.id, JSON.stringify({ [field]: [was!.before, value] })],
      );
      return was!.id;
    };
    const find = async (code: string) =>
      (await rows('department')).find(({ library_code: origin }) => origin === code)!;
    const [{ id: field }] = (await main().query<{ id: number }>(
      `select id from public.admin_function where code = 'FLD'`,
    )) as [{ id: number }];
    const rep = await find('REP');
    // Their own words of another field are theirs.
    await chief.call('PUT', `/tapi/department/${rep.id}`, { version: rep.version, cost_centre: 'CC-9', code: 'RP' });
    const id = await change('REP', 'name', 'Repairs and rescue');
    await change('REP', 'function_id', field);
    await change('OPS', 'published', true);
    const { data } = await offer('department');
    expect(data.find((row) => row.id === id)).toMatchObject({
      state: 'taken',
      changes: [
        { title: 'Name', from: 'Repairs', to: 'Repairs and rescue' },
        { title: 'Function', from: null, to: 'Field service' },
      ],
    });
    expect(data.find(({ code }) => code === 'OPS')).toMatchObject({ state: 'taken', changes: [] });
    const reader = await acme.role({
      modules: ['MASTERS'],
      screens: { SCN_DEPARTMENT: ['landing', 'add_screen'] },
      actions: ['CREATE_MASTERS'],
    });
    await acme.user('adder', { companies: [{ company: 1, roles: [reader] }] });
    expect(await take('department', [id], await world.signIn(acme, 'adder'))).toMatchObject({
      updated: [],
      errors: [{ message: expect.stringMatching(/^It already exists/) as string }],
    });
    // Whose rows alone one sees: others' records are not compared, the rest of the library is there.
    const own = await acme.role({
      modules: ['MASTERS'],
      screens: { SCN_DEPARTMENT: { pages: ['landing', 'add_screen'], scope: 'own' } },
      actions: ['CREATE_MASTERS'],
    });
    await acme.user('alone', { companies: [{ company: 1, roles: [own] }] });
    expect(
      (await offer('department', await world.signIn(acme, 'alone'))).data.find((row) => row.id === id),
    ).toMatchObject({ state: 'taken', changes: [] });
    expect(await take('department', [id])).toEqual({
      added: [],
      linked: [],
      updated: [{ id: rep.id, label: 'Repairs and rescue' }],
      errors: [],
    });
    expect(await find('REP')).toMatchObject({
      code: 'RP',
      name: 'Repairs and rescue',
      function_id__label: 'Field service',
      cost_centre: 'CC-9',
    });
    expect((await offer('department')).data.find((row) => row.id === id)!.changes).toEqual([]);
    expect((await offer('department')).withdrawn).toEqual([]);
    await change('REP', 'published', false);
    expect((await offer('department')).withdrawn).toEqual([{ id: rep.id, label: 'Repairs and rescue', code: 'REP' }]);
  });

  it('offer the KPIs of roles, each once, with the type and the unit that the client has under their codes', async () => {
    const roles = [
      { code: 'KSAL', role: 'Sales head', kpis: ['SALES_LAC', 'WON_DEALS'] },
      { code: 'KREP', role: 'Sales representative', kpis: ['SALES_LAC', 'VISITS_MADE'] },
    ];
    for (const { code, role, kpis } of roles) {
      const parent = await one(`insert into public.kpiroles (code, role_name, published) values ($1, $2, true)`, [
        code,
        role,
      ]);
      for (const [at, kpi] of kpis.entries())
        await main().query(
          `insert into public.kpiroles__kpis (parent_id, position, kpi, code, kpi_type, unit, direction, weight) values ($1, $2, $3, $4, $5, 'NOS', 'higher', 50)`,
          [parent, at, `${kpi.toLowerCase()} of the year`, kpi, kpi === 'VISITS_MADE' ? 'PROCESS' : 'FIN'],
        );
    }
    const add = async (type: string, record: object) =>
      (await chief.call('POST', `/tapi/${type}`, record)).json<{ data: Row }>().data.id;
    const kpi_type_id = await add('kpi_type', { code: 'FIN', name: 'Financial', perspective: 'financial' });
    const uom_id = await add('uom', { code: 'NOS', name: 'Numbers', decimals: 0, dimension: 'count', uqc: 'NOS' });
    const { data } = await offer('kpi');
    expect(data.map(({ code, within, state }) => [code, within, state])).toEqual([
      ['SALES_LAC', 'Sales head', 'new'],
      ['VISITS_MADE', 'Sales representative', 'new'],
      ['WON_DEALS', 'Sales head', 'new'],
    ]);
    const made = await take(
      'kpi',
      data.map(({ id }) => id),
    );
    expect(made.added.map(({ label }) => label)).toEqual(['sales_lac of the year', 'won_deals of the year']);
    expect(made.errors.map(({ message }) => message)).toEqual(['There is no kpi type "PROCESS". Add it first.']);
    expect((await rows('kpi'))[0]).toMatchObject({
      code: 'SALES_LAC',
      kpi_type_id,
      uom_id,
      direction: 'higher',
      frequency: 'monthly',
      library_code: 'SALES_LAC',
    });
    expect((await offer('kpi')).data.map(({ state }) => state)).toEqual(['taken', 'new', 'taken']);
    await add('kpi_type', { code: 'PROCESS', name: 'Process', perspective: 'process' });
    expect((await take('kpi', [data[1]!.id])).added).toHaveLength(1);
  });
});
