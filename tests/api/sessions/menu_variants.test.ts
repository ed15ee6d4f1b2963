import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MenuNode } from '../../../src/descriptor/types.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

describe('a company’s own menu', () => {
  let world: World;
  let acme: TestTenant;
  let chief: Caller;

  const menu = async (caller: Caller, company?: number) =>
    (
      await caller.call('GET', '/tapi/menu', undefined, company === undefined ? {} : { 'x-entity-id': String(company) })
    ).json<{ data: { tree: MenuNode[]; hidden?: string[] } }>().data;
  const change = async (body: object) => chief.call('POST', '/tapi/menu_setting', body);
  const named = (nodes: MenuNode[], name: string): MenuNode | undefined => nodes.find((node) => node.name === name);
  const routes = (nodes: MenuNode[]): string[] =>
    nodes.flatMap((node) => [...(node.route ? [node.route] : []), ...routes(node.children ?? [])]);

  beforeAll(async () => {
    world = await startWorld();
    acme = await world.tenant({ companies: 2, products: ['FMS', 'TKT', 'CHCK'] });
    await acme.user('chief', { isAdmin: true, companies: [{ company: 1 }, { company: 2 }] });
    chief = await world.signIn(acme, 'chief');
  });
  afterAll(() => world.close());

  it('is a set of rows: two companies of one client have different menus from the next call on', async () => {
    const [first, second] = acme.entityIds as [number, number];
    const before = (await menu(chief, first)).tree;
    expect(routes(before)).toEqual(expect.arrayContaining(['/branch', '/holiday', '/weekoff']));
    for (const body of [
      { change: 'hide', entry: '/weekoff', companies: [second] },
      { change: 'rename', entry: 'Masters', name: 'Lists', companies: [second] },
      { change: 'rename', entry: 'Team', name: 'People', companies: [second] },
      { change: 'move', entry: '/branch', under: 'Home', position: 1, companies: [second] },
      { change: 'add', entry: 'https://www.gst.gov.in', name: 'GST portal', under: 'home', companies: [second] },
      { change: 'add', entry: '/department', name: 'Teams', under: 'Home', position: 2, companies: [second] },
    ]) {
      const answer = await change(body);
      expect(answer.statusCode, answer.body).toBe(201);
    }
    expect((await menu(chief, first)).tree).toEqual(before);
    const { tree, hidden } = await menu(chief, second);
    expect(hidden).toEqual(['/weekoff']);
    expect(routes(tree)).not.toContain('/weekoff');
    expect(named(tree, 'Masters')).toBeUndefined();
    expect(named(tree, 'Lists')).toBeDefined();
    // The client's word stands alone, without what else the group is called.
    expect([named(before, 'Team')!.subtitle, named(tree, 'People')!.subtitle]).toEqual(['Accountability', undefined]);
    const home = named(tree, 'Home')!.children!;
    expect(home[0]).toMatchObject({ route: '/branch' });
    expect(home[1]).toMatchObject({ name: 'Teams', route: '/department' });
    expect(home.at(-1)).toMatchObject({ name: 'GST portal', route: 'https://www.gst.gov.in', newTab: true });
    // Once in Home, not in its old group.
    expect(routes(tree).filter((route) => route === '/branch')).toHaveLength(1);
  });

  it('applies to all companies if none is named, until it is deactivated', async () => {
    const answer = await change({ change: 'hide', entry: 'Masters > Organisation' });
    expect(answer.statusCode, answer.body).toBe(201);
    for (const company of acme.entityIds)
      expect(routes((await menu(chief, company)).tree)).not.toContain('/designation');
    const { id, version } = answer.json<{ data: { id: number; version: number } }>().data;
    await chief.call('POST', `/tapi/menu_setting/${id}/deactivate`, { version });
    expect(routes((await menu(chief, acme.entityIds[0])).tree)).toContain('/designation');
  });

  it('shows nobody more than their rights allow, and removes no right', async () => {
    const role = await acme.role({ modules: ['MASTERS'], screens: { SCN_BRANCH: ['landing', 'view_screen'] } });
    await acme.user('clerk', { companies: [{ company: 2, roles: [role] }] });
    const clerk = await world.signIn(acme, 'clerk');
    const { tree } = await menu(clerk);
    expect(routes(tree)).toContain('/branch');
    expect(routes(tree)).toContain('https://www.gst.gov.in');
    expect(routes(tree)).not.toContain('/department');
    expect((await clerk.call('GET', '/tapi/department')).statusCode).toBe(403);
    expect(
      (await chief.call('GET', '/tapi/weekoff', undefined, { 'x-entity-id': String(acme.entityIds[1]) })).statusCode,
    ).toBe(200);
    expect((await clerk.call('POST', '/tapi/menu_setting', { change: 'hide', entry: '/branch' })).statusCode).toBe(403);
  });

  it('reports unknown entries with suggestions', async () => {
    const problem = async (body: object) =>
      (await change(body)).json<{ error: { details: { field: string; message: string }[] } }>().error.details;
    expect(await problem({ change: 'hide', entry: 'Mastres' })).toEqual([
      { field: 'entry', message: 'The menu has no "Mastres". Did you mean "Masters"?' },
    ]);
    expect(await problem({ change: 'move', entry: 'Masters', under: 'Masters > Organisation' })).toEqual([
      { field: 'under', message: '"Masters" cannot stand below itself. Choose another group.' },
    ]);
    expect((await problem({ change: 'add', entry: '/nowhere', under: 'Home' }))[0]).toMatchObject({ field: 'entry' });
    expect((await problem({ change: 'add', entry: 'javascript:alert(1)', name: 'x', under: 'Home' }))[0]).toMatchObject(
      { field: 'entry' },
    );
    expect(await problem({ change: 'rename', entry: 'Masters' })).toMatchObject([{ field: 'name' }]);
  });
});
