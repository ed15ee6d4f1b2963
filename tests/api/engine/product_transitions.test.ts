import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTenant } from '../../../src/server/db/tenants.ts';
import type { PageType, Screen } from '../../../src/descriptor/types.ts';
import { relationNamed } from '../../../src/server/engine/workflow/relations.ts';
import { DEMO_PASSWORD } from '../demo_template.ts';
import { upload } from '../multipart.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { productScreens, startWorld } from '../world.ts';
import type { Person, Row, Subject } from './walked_transitions.ts';
import { otherWays, takeAll } from './walked_transitions.ts';

// Every transition of what clients have with states, from every state, by all kinds of people, with a record of the demo
// company, and every other door into their states. transitions_walk.test.ts has each of those who may take it, and the
// doors of all states, for a type of its own.

const { screens } = await productScreens();
/** Types of which the demo company has no record that any state can be written into: one is made at their list. */
const NEW: Record<string, () => Promise<Row>> = {
  incident: async () => ({
    fms_ticket_id: await idOf('fms_ticket'),
    incident_kind: 'near_miss',
    happened_at: new Date().toISOString(),
  }),
  // One of a scheme stands for its period.
  incentive_run: async () => ({ run_kind: 'awards', month: '2026-04' }),
};
// A part is read and changed by the doors of its parent, which the tests of the parent take.
const TYPES = [...screens.values()]
  .filter(({ scope, workflow, part }) => scope !== 'platform' && workflow && !part)
  .map(({ name }) => name);
const DECIDES: readonly PageType[] = ['landing', 'view_screen', 'approval_screen'];
const ALL: readonly PageType[] = ['landing', 'add_screen', 'edit_screen', 'view_screen', 'approval_screen'];

/** What all who walk may do beside the pages; more is held by those who have every page. */
const ACTIONS = ['IMPORT_DATA', 'MANAGE_INTEGRATIONS', 'CREATE_USERS'];
/** The actions that types require to write, and those that transitions name, as a right or among those who take it. */
const NAMED = [
  ...TYPES.flatMap((type) => screens.get(type)!.access.action ?? []),
  ...TYPES.flatMap((type) => screens.get(type)!.workflow!.transitions).flatMap(({ right, who }) => [
    ...(right?.action === undefined ? [] : [right.action]),
    ...(who ?? []).filter((one) => one.startsWith('action:')).map((one) => one.slice('action:'.length)),
  ]),
];
const actionsOf = (pages: readonly PageType[]): string[] => [
  ...new Set(pages === ALL ? [...ACTIONS, ...NAMED] : ACTIONS),
];

/** How people stand to the record, where it is not that they made it. */
const RELATED: Record<string, Record<string, string[]>> = {
  delegation: { walk_all: ['owner'], walk_deputy: ['deputy'] },
  appraisal: { walk_all: ['member'], walk_deputy: ['member'], walk_edits: ['manager'], walk_views: ['reviewer'] },
  appraisal_feedback: { walk_all: ['author'], walk_deputy: ['author'] },
  kpi_feedback_request: { walk_all: ['member'], walk_deputy: ['member'], walk_edits: ['asked'] },
  leave: { walk_all: ['person'], walk_deputy: ['person'] },
  board_evaluation_answer: { walk_all: ['author'], walk_deputy: ['author'] },
};

/** The fields of the record that name whoever it concerns, by the name of a walker. */
const CONCERNED: Record<string, Record<string, string>> = {
  appraisal: { employee_id: 'walk_all', manager_id: 'walk_edits', reviewer_id: 'walk_views' },
  appraisal_feedback: { reviewer_id: 'walk_all' },
  kpi_feedback_request: { employee_id: 'walk_all', asked_id: 'walk_edits' },
  leave: { employee_id: 'walk_all' },
  board_evaluation_answer: { user_id: 'walk_all' },
};

/** Which record of the demo it is, where not any: one that everybody with the right sees, and that no step reads at once. */
const WHICH: Record<string, string> = {
  // Nothing of it was posted, so that nothing of it was used: those that the demo company wrote last.
  grn: 'po_id is null and transfer_id is null',
  mr_issue: 'id = (select max(id) from {s}.mr_issue)',
  mr_transfer: 'id = (select max(id) from {s}.mr_transfer)',
  stock_adjustment: 'id = (select max(id) from {s}.stock_adjustment)',
  // Not the one by which one of the walkers acts for another.
  delegation: `number = 'WALKED'`,
  // Nobody whose own session it is.
  users: `username = 'walked'`,
  incentive_run: `run_kind = 'awards'`,
  // Nobody withdraws leave that has begun.
  leave: 'from_date > current_date + 6 and from_date < current_date + 15',
  transcription: `file is not null and visibility = 'shared' and engine not like 'file %'`,
};

let world: World;
let demo: TestTenant;
const people: (Person & { company: number })[] = [];
/** The record is theirs: whoever made it does not decide it. */
let maker: number;
/** The members of staff that the walkers are, by name. */
const employees = new Map<string, number>();
/** Their accounts. */
const users = new Map<string, number>();

beforeAll(async () => {
  world = await startWorld({ demo: true });
  demo = await world.known((await findTenant(world.database.directory, 'demo'))!);
  const codes = new Map(
    TYPES.map((type) => screens.get(type)!.access)
      .filter(({ everyone }) => !everyone)
      .map(({ screens: [code], modules: [module] }) => [code!, module!]),
  );
  const kinds: [string, number, readonly PageType[]][] = [
    ['walk_all', 1, ALL],
    ['walk_edits', 1, ALL.filter((page) => page !== 'approval_screen')],
    ['walk_views', 1, ['landing', 'view_screen']],
    ['walk_nothing', 1, []],
    ['walk_elsewhere', 2, ALL],
    ['walk_maker', 1, ALL],
    ['walk_deputy', 1, []],
    ['walk_service', 1, ALL],
  ];
  const accounts: Record<string, number> = {};
  for (const [name, company, pages] of kinds) {
    const role = await demo.role({
      modules: [...new Set(codes.values())],
      screens: Object.fromEntries([...codes].map(([code, module]) => [code, { module, pages: [...pages] }])),
      actions: actionsOf(pages),
    });
    accounts[name] = await demo.user(name, { companies: [{ company, roles: [role] }] });
    users.set(name, accounts[name]);
  }
  await employ(accounts);
  await handOver(employees.get('walk_all')!, employees.get('walk_deputy')!);
  for (const [name, company, own] of kinds) {
    // A deputy decides in place of others, and does nothing else for them.
    const pages = name === 'walk_deputy' ? DECIDES : own;
    const call = name === 'walk_service' ? await keyOf(accounts[name]!) : (await world.signIn(demo, name)).call;
    people.push({ name, call, host: demo.host, company, pages, actions: actionsOf(own), is: [] });
  }
  // Without a password: who is enabled is invited.
  const walked = await demo.user('walked', { companies: [{ company: 1 }] });
  await demo.sql('delete from {s}.credential where user_id = $1', [walked]);
  maker = accounts.walk_maker!;
  for (const [type, record] of Object.entries(NEW)) {
    const made = await people[0]!.call('POST', `/tapi/${type}`, await record());
    expect(made.statusCode, `${type}: ${made.body}`).toBe(201);
  }
  // The stores are those of another company: this one gets a walk-in of theirs.
  await demo.sql(
    `update {s}.walkin w set entity_id = $1, branch_id = e.branch_id, salesman_id = e.id from {s}.employee e
     where w.id = (select min(id) from {s}.walkin) and e.id = (select min(id) from {s}.employee where entity_id = $1 and branch_id is not null)`,
    [demo.entityIds[0]],
  );
});

/** The first record of the demo company of a type. */
async function idOf(type: string): Promise<number> {
  const [found] = await demo.sql<{ id: number }>(`select min(id) as id from {s}.${type} where entity_id = $1`, [
    demo.entityIds[0],
  ]);
  return Number(found!.id);
}

/** Members of staff without an account or an appraisal get those of walkers: the first ones, and the last, whom few records name. */
async function employ(accounts: Readonly<Record<string, number>>): Promise<void> {
  const free = await demo.sql<{ id: number }>(
    `select id from {s}.employee e where entity_id = $1 and status = 'active' and not exists (select 1 from {s}.users u where u.employee_id = e.id)
       and not exists (select 1 from {s}.appraisal a where a.employee_id = e.id) order by id`,
    [demo.entityIds[0]],
  );
  const [first, second] = free;
  const [last, beforeLast] = free.toReversed();
  for (const [name, employee] of Object.entries({
    walk_all: first,
    walk_deputy: second,
    walk_edits: last,
    walk_views: beforeLast,
  })) {
    employees.set(name, employee!.id);
    await demo.sql('update {s}.users set employee_id = $2 where id = $1', [accounts[name], employee!.id]);
  }
}

/** One of the staff hands over to another. */
async function handOver(delegator: number, deputy: number): Promise<void> {
  await demo.sql(
    `insert into {s}.delegation (entity_id, number, from_employee_id, to_employee_id, from_date, to_date, scope, transaction_types, reason, state)
     values ($1, 'WALK', $2, $3, current_date - 1, current_date + 5, 'types', $4, 'Leave', 'active'),
            ($1, 'WALKED', $2, $3, current_date + 50, current_date + 55, 'types', $4, 'Leave', 'draft')`,
    [demo.entityIds[0], delegator, deputy, TYPES],
  );
}

/** The interface key of an account, which becomes one of a service. */
async function keyOf(account: number): Promise<Caller['call']> {
  await demo.sql('update {s}.users set is_service = true where id = $1', [account]);
  const boss = await world.signIn(demo, 'admin', DEMO_PASSWORD);
  const made = await boss.call('POST', '/tapi/api_config', {
    name: 'Walk',
    direction: 'inbound',
    service_user_id: account,
    rate_per_min: 6000,
    expires_on: new Date(Date.now() + 300 * 86_400_000).toISOString().slice(0, 10),
  });
  expect(made.statusCode, made.body).toBe(201);
  const authorization = `Bearer ${made.json<{ key: string }>().key}`;
  return (method, url, payload) =>
    world.inject({
      method: method as 'GET',
      url,
      headers: { host: demo.host, authorization },
      ...(payload !== undefined && { payload: payload as object }),
    });
}

/** The relations in which whoever made a record stands to it. */
const ofMaker = (screen: Screen): string[] =>
  ['requester', ...Object.keys(screen.relations ?? {})].filter((name) => {
    const relation = relationNamed(screen, name);
    return relation?.path.join() === 'created_by' && relation.above === undefined && relation.when === undefined;
  });

/** Whether a record without the right to its page is seen by whoever made it. */
const makerSees = (screen: Screen): boolean =>
  !screen.scopes?.own || ofMaker(screen).some((name) => screen.scopes!.own!.includes(name));

async function subjectOf(type: string): Promise<Subject> {
  const screen = screens.get(type)!;
  const isOfCompany = screen.scope === 'entity';
  const concerned = Object.entries(CONCERNED[type] ?? {});
  const set = concerned
    .map(([field, name]) => `, ${field} = ${(field === 'user_id' ? users : employees).get(name)}`)
    .join('');
  const [found] = await demo.sql<Row>(
    `update {s}.${type} set created_by = $2${set} where id = (select min(id) from {s}.${type} where active and ${isOfCompany ? 'entity_id = $1' : '$1::bigint > 0'} and ${WHICH[type] ?? 'true'}) returning *`,
    [demo.entityIds[0], maker],
  );
  expect(found, 'a record of the demo company').toBeDefined();
  return {
    screen,
    table: `{s}.${type}`,
    people: people.map((one) => ({
      ...one,
      // Everybody has the page, and sees of it what is theirs.
      ...(screen.access.everyone && {
        pages: (one.name === 'walk_maker' && makerSees(screen)) || RELATED[type]?.[one.name] ? ALL : [],
      }),
      ...(RELATED[type]?.[one.name] && { is: RELATED[type][one.name]! }),
      ...(one.name === 'walk_maker' && { is: ofMaker(screen) }),
      ...(isOfCompany && one.company !== 1 && { pages: [] }),
    })),
    record: found!,
    id: Number(found!.id),
    answers: answersOf(screen, found!),
    sql: demo.sql,
    mayRefuse: true,
    inTurn: true,
  };
}
afterAll(() => world.close());

/** What a transition asks for, of the record's own values where it has some. */
function answersOf(screen: Screen, record: Row): Record<string, Row> {
  return Object.fromEntries(
    screen.workflow!.transitions.map(({ name, ask, reason }) => [
      name,
      {
        ...Object.fromEntries((ask ?? []).map((one) => [one.field, record[one.field]])),
        ...(reason !== undefined && { reason: 'Because' }),
      },
    ]),
  );
}

it('every step that a descriptor leaves to a function is named in the code that takes it', () => {
  const server = join(import.meta.dirname, '../../../src/server');
  const sources = new Map<string, string>();
  const sourceOf = (folder: string): string => {
    if (!sources.has(folder))
      sources.set(
        folder,
        readdirSync(join(server, folder), { recursive: true, withFileTypes: true })
          .filter((one) => one.isFile() && one.name.endsWith('.ts'))
          .map((one) => readFileSync(join(one.parentPath, one.name), 'utf8'))
          .join('\n'),
      );
    return sources.get(folder)!;
  };
  const left = [...screens.values()].flatMap(({ name: type, workflow }) =>
    (workflow?.transitions ?? []).flatMap(({ name, auto = [] }) =>
      // An import takes its steps as the descriptor names them.
      auto.flatMap(({ by }) => (by === undefined || by === 'import' ? [] : [{ type, name, by }])),
    ),
  );
  expect(left.length).toBeGreaterThan(20);
  // What the platform and the access to it do has its functions in the modules of those names.
  const foldersOf = (module: string) => [
    `modules/${module}`,
    ...(['admin', 'platform'].includes(module) ? ['platform', 'access'] : []),
  ];
  const untaken = left.filter(
    ({ name, by }) => !foldersOf(by.split('.')[0]!).some((folder) => sourceOf(folder).includes(`'${name}'`)),
  );
  expect(untaken.map(({ type, name, by }) => `${type}.${name}: ${by}`)).toEqual([]);
});

describe.each(TYPES)('%s', (type) => {
  it('takes only the transitions that its descriptor allows, by the permitted people', async () => {
    expect((await takeAll(await subjectOf(type))).wrong).toEqual([]);
  });

  it('has no other way into a state', async () => {
    const subject = await subjectOf(type);
    const [holder] = people;
    const read = await holder!.call('GET', `/tapi/${type}/${subject.id}`);
    expect(read.statusCode, read.body).toBe(200);
    const record = read.json<{ data: Row }>().data;
    const { action } = subject.screen.access;
    const insiders = subject.people.filter(
      ({ name, pages, actions }) =>
        pages.includes('edit_screen') &&
        // Whom it concerns reads other fields of it than others, and sends back what they read.
        (CONCERNED[type] === undefined || name === holder!.name) &&
        (action === null || action === undefined || actions?.includes(action) === true),
    );
    expect(await otherWays({ ...subject, record }, insiders)).toEqual([]);
    // Nor is a file asked for its state, unless the type opens records so (opening_records.test.ts).
    if (subject.screen.workflow!.import) return;
    const { field } = subject.screen.workflow!;
    const { title } = subject.screen.fields.find(({ name }) => name === field)!;
    const { payload, headers } = upload('chosen.csv', `"${title}"\n"x"`);
    const columns = encodeURIComponent(JSON.stringify([{ heading: title, field }]));
    const refused = await holder!.call('POST', `/tapi/${type}/import?columns=${columns}`, payload, headers);
    expect([refused.statusCode, refused.body]).toEqual([422, expect.stringContaining('a file cannot set that field')]);
  });
});
