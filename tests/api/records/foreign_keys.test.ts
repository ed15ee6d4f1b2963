import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Queryable } from '../../../src/server/db/database.ts';
import { openPool } from '../../../src/server/db/pool.ts';
import { refusal, startBench } from './fixture.ts';
import type { Bench } from './fixture.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.close());

type Row = Record<string, unknown>;
const screen = (name: string) => bench.screen(name);
const insert = (tx: Queryable, records: Row[]) =>
  bench.engine.insertMany(tx, bench.session(), screen('t_site'), records, 'import 1');
const area = async (code: string) =>
  (await bench.engine.create(bench.session(), screen('t_area'), { code, name: code })).id;
const sites = (prefix: string, areas: (number | null)[], count = 400) =>
  Array.from({ length: count }, (_, at): Row => ({
    code: `${prefix}${at}`,
    name: `${prefix} ${at}`,
    kind: 'lift',
    area_id: areas[at % areas.length],
  }));
/** Runs while a transaction is open; tells what it was asked. */
const recorded = (tx: Queryable, told: string[]): Queryable => ({
  query: (statement, values) => {
    told.push(typeof statement === 'string' ? statement : statement.text);
    return tx.query(statement, values);
  },
});

describe('the references of many new records', () => {
  test('are checked at once, not per row; their rows are locked until the end', async () => {
    const areas = [await area('FK1'), await area('FK2'), null];
    const told: string[] = [];
    let removal: Promise<unknown> = Promise.resolve();
    await bench.tenant.db.transaction(async (tx) => {
      expect(await insert(recorded(tx, told), sites('FK', areas))).toHaveLength(400);
      expect(
        await tx.query(
          `select current_user = session_user as own, current_setting('session_replication_role') as mode`,
        ),
      ).toMatchObject([{ mode: 'origin' }]);
      // Somebody wants to take one of them away meanwhile: they wait, and are told that it is in use.
      removal = bench
        .sql(`delete from {s}.t_area where id = ${areas[0]}`)
        .catch((error: unknown) => (error as { code: string }).code);
      await new Promise((resolve) => setTimeout(resolve, 100));
    });
    expect(await removal).toBe('23503');
    expect(told.filter((text) => text.includes('for key share')).length).toBeGreaterThan(0);
    // The history is written when all is as always again: what hears of it, such as webhooks, does.
    const at = (words: string) => told.findIndex((text) => text.includes(words));
    expect([at('= replica') < at('= origin'), at('= origin') < at('.history')]).toEqual([true, true]);
    expect(told.filter((text) => text.includes('session_replication_role = replica'))).toHaveLength(1);
    const [counted] = await bench.sql<{
      sites: number;
      lost: number;
      history: number;
    }>(`select count(*)::int as sites, count(*) filter (where area_id is not null and a.id is null)::int as lost,
      (select count(*)::int from {s}.history h where h.record_type = 't_site' and h.what = 'import 1') as history from {s}.t_site t left join {s}.t_area a on a.id = t.area_id where t.code like 'FK%'`);
    expect(counted).toEqual({ sites: 400, lost: 0, history: 400 });
    // Afterwards PostgreSQL looks at each again, on every connection.
    for (let at = 0; at < 12; at++)
      await expect(bench.sql(`update {s}.t_site set area_id = 999999999 where code = 'FK1'`)).rejects.toMatchObject({
        code: '23503',
      });
  });

  test('to rows that were deleted meanwhile are refused as always, and nothing is stored', async () => {
    const gone = await area('GONE');
    await bench.sql(`delete from {s}.t_area where id = ${gone}`);
    const error = await refusal(bench.tenant.db.transaction((tx) => insert(tx, sites('GO', [gone, null]))));
    expect(error).toMatchObject({
      status: 422,
      code: 'reference_not_allowed',
      message: 'Choose Area again: the chosen one no longer exists.',
      field: 'area_id',
    });
    expect(await bench.sql(`select 1 from {s}.t_site where code like 'GO%'`)).toEqual([]);
    // So is a key with two columns: a branch of another company.
    const [branch] = await bench.sql<{ id: number }>(
      `select id from {s}.branch where entity_id <> ${bench.session().entityId} limit 1`,
    );
    const foreign = sites('BR', [null]).map((row) => ({ ...row, branch_id: branch?.id ?? 999_999_999 }));
    expect(await refusal(bench.tenant.db.transaction((tx) => insert(tx, foreign)))).toMatchObject({
      code: 'reference_not_allowed',
      field: 'branch_id',
    });
  });

  test('a duplicate key is reported as always, and the connection checks again', async () => {
    const taken = sites('TK', [null]);
    await bench.tenant.db.transaction((tx) => insert(tx, taken.slice(0, 1)));
    expect(await refusal(bench.tenant.db.transaction((tx) => insert(tx, taken)))).toMatchObject({
      code: 'duplicate',
      message: 'Code TK0 already exists.',
    });
    for (let at = 0; at < 12; at++)
      expect(await bench.sql(`select current_setting('session_replication_role') as mode`)).toEqual([
        { mode: 'origin' },
      ]);
  });

  test('of a database whose user may not disable the checks are checked by the database', async () => {
    const plainArea = await area('PLAIN');
    const name = `u${randomBytes(4).toString('hex')}`;
    const url = new URL(bench.tenant.db.url);
    const owner = openPool({ name: 'owner', url: url.href, size: 1 });
    await owner.query(
      `create role ${name} login; grant usage on schema ${bench.tenant.schema} to ${name}; grant all on all tables in schema ${bench.tenant.schema} to ${name}; grant all on all sequences in schema ${bench.tenant.schema} to ${name}`,
    );
    url.username = name;
    const plain = openPool({ name: 'plain', url: url.href, size: 1 });
    const told: string[] = [];
    await plain.transaction((tx) => insert(recorded(tx, told), sites('PL', [plainArea, null])));
    expect(told.some((text) => text.includes('session_replication_role ='))).toBe(false);
    expect(await bench.sql(`select count(*)::int as n from {s}.t_site where code like 'PL%'`)).toEqual([{ n: 400 }]);
    await plain.close();
    await owner.query(`drop owned by ${name}; drop role ${name}`);
    await owner.close();
  });

  test('of types with effects are checked by the database, and the effects run', async () => {
    const told: string[] = [];
    await bench.sql(
      `create function {s}.fk_effect() returns trigger language plpgsql as $$ begin insert into {s}.t_area (code, name) values ('EFFECT' || new.id, 'E'); return null; end $$; create trigger fk_effect after insert on {s}.t_site for each row execute function {s}.fk_effect()`,
    );
    await bench.tenant.db.transaction((tx) => insert(recorded(tx, told), sites('EF', [null], 250)));
    await bench.sql('drop trigger fk_effect on {s}.t_site; drop function {s}.fk_effect()');
    expect(told.some((text) => text.includes('session_replication_role ='))).toBe(false);
    expect(await bench.sql(`select count(*)::int as n from {s}.t_area where code like 'EFFECT%'`)).toEqual([
      { n: 250 },
    ]);
  });
});
