import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Bench, SessionOptions } from './fixture.ts';
import { startBench } from './fixture.ts';

let bench: Bench;
const ids: Record<string, number> = {};

beforeAll(async () => {
  bench = await startBench();
  const add = async (type: string, code: string, more: Record<string, unknown> = {}) => {
    ids[code] = (await bench.engine.create(bench.session(), bench.screen(type), { code, ...more })).id;
  };
  await add('t_site', 'EAST', { name: 'East yard' });
  await add('t_site', 'WEST', { name: 'West yard' });
  await add('t_rack', 'R1', { t_site_id: ids.EAST });
  await add('t_rack', 'R2', { t_site_id: ids.EAST });
  await add('t_rack', 'R3', { t_site_id: ids.WEST });
  await add('t_bin', 'B1', { rack_id: ids.R1 });
  await add('t_bin', 'B2', { rack_id: ids.R1 });
  await add('t_bin', 'B3', { rack_id: ids.R3 });
});
afterAll(() => bench.close());

const nodes = (query: { root?: number; q?: string } = {}, who: SessionOptions = {}) =>
  bench.engine.hierarchy(bench.session(who), bench.screen('t_site'), { root: null, q: '', ...query });
/** Label, type, what it stands below and how many are right below it. */
async function drawn(query: { root?: number; q?: string } = {}, who: SessionOptions = {}) {
  const all = await nodes(query, who);
  const name = new Map(all.map((node) => [node.id, node.label]));
  return all.map(
    (node) =>
      `${node.type} ${node.label} < ${node.parent === null ? '-' : (name.get(node.parent) ?? '?')} (${node.children_count})`,
  );
}

test('records of several types form one tree, each below its reference', async () => {
  expect(await drawn()).toEqual([
    't_site East yard < - (2)',
    't_site West yard < - (1)',
    't_rack R1 < East yard (2)',
    't_rack R2 < East yard (0)',
    't_rack R3 < West yard (1)',
    't_bin B1 < R1 (0)',
    't_bin B2 < R1 (0)',
    't_bin B3 < R3 (0)',
  ]);
  const all = await nodes();
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(all.find(({ label }) => label === 'R2')).toMatchObject({
    type: 't_rack',
    record: ids.R2,
    version: 1,
    detail: null,
  });
  expect(all[0]).toMatchObject({ record: ids.EAST, detail: 'EAST', parent: null });
});

test('a branch is loaded on opening, and a search includes the parents of its results', async () => {
  const rack = (await nodes()).find(({ label }) => label === 'R1')!;
  expect((await nodes({ root: rack.id })).map(({ label, parent }) => [label, parent])).toEqual([
    ['B1', rack.id],
    ['B2', rack.id],
  ]);
  const bin = (await nodes()).find(({ label }) => label === 'B1')!;
  expect(await nodes({ root: bin.id })).toEqual([]);
  expect((await drawn({ q: 'b3' })).sort()).toEqual([
    't_bin B3 < R3 (0)',
    't_rack R3 < West yard (1)',
    't_site West yard < - (1)',
  ]);
  expect((await nodes({ q: 'west' })).map(({ label }) => label)).toEqual(['West yard']);
  expect(await nodes({ q: '%' })).toEqual([]);
});

test('the tree ends at types that a person may not list, and excludes other companies', async () => {
  expect(await drawn({}, { refuses: ['t_rack'] })).toEqual(['t_site East yard < - (0)', 't_site West yard < - (0)']);
  expect((await drawn({}, { refuses: ['t_bin'] })).at(-1)).toBe('t_rack R3 < West yard (0)');
  expect(await nodes({}, { entityId: bench.companies[1] })).toEqual([]);
});

test('inactive records are left out, and not counted', async () => {
  await bench.engine.setActive(bench.session(), bench.screen('t_bin'), ids.B2!, 1, false);
  expect(await drawn()).toContain('t_rack R1 < East yard (1)');
  expect((await nodes()).map(({ label }) => label)).not.toContain('B2');
});
