import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../src/server/db/database.ts';
import { median } from './load.ts';

const ROLES = 500;
const SCREENS = 500;
const PAGES = ['landing', 'add_screen', 'edit_screen', 'view_screen', 'approval_screen', 'transfer_screen'];

/** So many screens beside the product's own that there are 500 of them. */
export function writeRightsScreens(schemasDir: string): void {
  const folder = join(schemasDir, 'rights_bench');
  mkdirSync(folder, { recursive: true });
  for (let at = 0; at < SCREENS; at++) {
    const schema = {
      required: ['code', 'name'],
      properties: { code: { $ref: 'types#code' }, name: { $ref: 'types#name' } },
    };
    const descriptor = {
      $schema: '../meta/screen.schema.json',
      title: `Bench list ${at}`,
      access: { screen: `SCN_BENCH_RIGHTS_${at}` },
      menu: { hidden: true },
      schema,
    };
    writeFileSync(join(folder, `rights_bench_${at}.json`), JSON.stringify(descriptor));
  }
}

/** What a client with 500 roles of 500 screens waits for: the matrix, its save, and the first call with other rights. */
export async function rightsBench(
  port: number,
  guest: Database,
  signIn: (email: string) => Promise<string>,
): Promise<[string, string, string][]> {
  const codes = Array.from({ length: SCREENS }, (_, at) => `SCN_BENCH_RIGHTS_${at}`);
  await guest.query(
    `insert into cmp_demo.role (code, role_name) select 'BENCH' || i, 'Bench role ' || i from generate_series(1, ${ROLES}) i`,
  );
  await guest.query(
    `insert into cmp_demo.module_rights (role_id, module_code, active) select id, 'MASTERS', true from cmp_demo.role where code like 'BENCH%'`,
  );
  await guest.query(
    `insert into cmp_demo.screen_rights (role_id, modules_rights_id, screen_code, ${PAGES.join(', ')})
     select r.id, m.id, c.code, true, r.id % 2 = 0, true, true, false, false from cmp_demo.role r join cmp_demo.module_rights m on m.role_id = r.id cross join unnest($1::text[]) as c(code) where r.code like 'BENCH%'`,
    [codes],
  );
  const roles = await guest.query<{ id: number }>(`select id from cmp_demo.role where code like 'BENCH%' order by id`);
  const ids = roles.map(({ id }) => id);
  await guest.query(
    `update cmp_demo.users__companies c set role_ids = $1 from cmp_demo.users u where u.id = c.parent_id and u.username = 'secretary'`,
    [ids.slice(0, 1)],
  );
  const [admin, holder] = await Promise.all([signIn('admin'), signIn('secretary')]);

  const call = async (
    token: string,
    method: string,
    path: string,
    body?: object,
  ): Promise<{ ms: number; answer: Record<string, unknown> }> => {
    const from = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return { ms: performance.now() - from, answer };
  };
  const next = () => call(holder, 'GET', '/tapi/rights_bench_0?size=20&count=none');
  await next();
  const loads: number[] = [];
  for (const id of ids.slice(0, 20)) loads.push((await call(admin, 'GET', `/tapi/screen_rights/${id}`)).ms);
  const [saves, after, afterAll]: [number[], number[], number[]] = [[], [], []];
  const save = async (id: number, add: boolean) => {
    const { answer } = await call(admin, 'GET', `/tapi/screen_rights/${id}`);
    const { version } = (answer.data as { role: { version: number } }).role;
    const screens = codes.map((code) => ({
      screen_code: code,
      landing: true,
      add_screen: add,
      edit_screen: true,
      view_screen: true,
      approval_screen: false,
      transfer_screen: false,
      data_scope: 'company',
    }));
    const { ms, answer: saved } = await call(admin, 'PUT', `/tapi/screen_rights/${id}`, { version, screens });
    if ((saved.data as { changes: number }).changes !== SCREENS)
      throw new Error(`Not ${SCREENS} changes: ${JSON.stringify(saved)}`);
    saves.push(ms);
  };
  for (let round = 0; round < 6; round++) {
    await save(ids[0]!, round % 2 === (ids[0]! % 2 === 0 ? 1 : 0));
    after.push((await next()).ms);
  }
  await guest.query(
    `update cmp_demo.users__companies c set role_ids = $1 from cmp_demo.users u where u.id = c.parent_id and u.username = 'secretary'`,
    [ids],
  );
  for (let round = 0; round < 3; round++) {
    await guest.query('update cmp_demo.rights_version set version = version + 1');
    await save(ids[0]!, round % 2 === (ids[0]! % 2 === 0 ? 1 : 0));
    afterAll.push((await next()).ms);
  }
  const ms = (values: number[]) => `${Math.round(median(values))} ms, longest ${Math.round(Math.max(...values))} ms`;
  return [
    [`matrix of one of ${ROLES} roles, more than ${SCREENS} screens`, ms(loads), '< 300 ms'],
    [`${SCREENS} screens changed in one save, version and log with it`, ms(saves), '< 1,000 ms'],
    ['first call of somebody whose role was changed', ms(after), '< 300 ms'],
    [`first call by a user with all ${ROLES} roles`, ms(afterAll), '< 300 ms'],
  ];
}
