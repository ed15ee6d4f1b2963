import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTenant } from '../../../src/server/db/tenants.ts';
import type { PageType, Screen } from '../../../src/descriptor/types.ts';
import type { TestTenant, World } from '../world.ts';
import { productScreens, startWorld } from '../world.ts';
import type { Person, Row } from './walked_transitions.ts';
import { takeAll } from './walked_transitions.ts';

// Every transition of the product's own documents, from every state, with a record of the demo company. That of all kinds
// of people and doors is in transitions_walk.test.ts.

const { screens } = await productScreens();
const TYPES = [...screens.values()]
  .filter(({ scope, workflow }) => scope === 'entity' && workflow)
  .map(({ name }) => name);
const ALL: readonly PageType[] = ['landing', 'add_screen', 'edit_screen', 'view_screen', 'approval_screen'];

let world: World;
let demo: TestTenant;
const people: Person[] = [];

beforeAll(async () => {
  world = await startWorld({ demo: true });
  demo = await world.known((await findTenant(world.database.directory, 'demo'))!);
  const codes = new Map(
    TYPES.map((type) => [screens.get(type)!.access.screens[0]!, screens.get(type)!.access.modules[0]!]),
  );
  const kinds: [string, number, readonly PageType[]][] = [
    ['walk_all', 1, ALL],
    ['walk_edits', 1, ALL.filter((page) => page !== 'approval_screen')],
    ['walk_views', 1, ['landing', 'view_screen']],
    ['walk_nothing', 1, []],
    ['walk_elsewhere', 2, ALL],
  ];
  for (const [name, company, pages] of kinds) {
    const role = await demo.role({
      modules: [...new Set(codes.values())],
      screens: Object.fromEntries([...codes].map(([code, module]) => [code, { module, pages: [...pages] }])),
    });
    await demo.user(name, { companies: [{ company, roles: [role] }] });
    const { call } = await world.signIn(demo, name);
    people.push({ name, call, host: demo.host, pages: company === 1 ? pages : [], is: [] });
  }
}, 120_000);
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

describe.each(TYPES)('%s', (type) => {
  it('takes the transitions that its descriptor allows, by those whom it allows, and no others', async () => {
    const screen = screens.get(type)!;
    const [found] = await demo.sql<Row>(
      `select * from {s}.${type} where entity_id = $1 and active order by id limit 1`,
      [demo.entityIds[0]],
    );
    expect(found, 'a record of the demo company').toBeDefined();
    const { wrong } = await takeAll({
      screen,
      table: `{s}.${type}`,
      people,
      record: found!,
      id: Number(found!.id),
      answers: answersOf(screen, found!),
      sql: demo.sql,
      mayRefuse: true,
    });
    expect(wrong).toEqual([]);
  });
});
