import { expect } from 'vitest';
import type { Caller, TestTenant, World } from '../world.ts';
import { branchWithMembers } from '../fms/branch_with_members.ts';

type Row = Record<string, unknown>;
/** A record as the interface answers it. */
export type Doc = Row & { id: number; version: number; status: string; documents: Row[] };

/** A day so many days from today, where the company is. */
export const day = (offset: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format(Date.now() + offset * 86_400_000);

/** A company in Chennai with a clerk who prepares filings, a head who reviews them, and an administrator. */
export interface ComplianceCompany {
  acme: TestTenant;
  admin: Caller;
  clerk: Caller;
  head: Caller;
  ids: Record<string, number>;
  ok(answer: ReturnType<Caller['call']>, status?: number): Promise<Doc>;
  add(type: string, record: object): Promise<number>;
  read(type: string, id: number): Promise<Doc>;
  list(type: string, filter?: unknown): Promise<Doc[]>;
  step(by: Caller, type: string, id: number, name: string, more?: object): ReturnType<Caller['call']>;
  run(name: string): Promise<string>;
}

export async function complianceCompany(
  world: World,
  rights: { clerk: string[]; head: string[]; screens: string[] },
): Promise<ComplianceCompany> {
  const acme = await world.tenant({ products: ['CHCK', 'BOARD', 'SURVEY'], companies: 1, everyTable: true });
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  const pages = ['landing', 'add_screen', 'edit_screen', 'view_screen'] as const;
  const screens = Object.fromEntries(rights.screens.map((code) => [code, [...pages]]));
  const clerks = await acme.role({ modules: ['COMPLIANCE'], screens, actions: rights.clerk });
  const heads = await acme.role({ modules: ['COMPLIANCE'], screens, actions: rights.head });
  await acme.user('clerk', { companies: [{ company: 1, roles: [clerks] }] });
  await acme.user('head', { companies: [{ company: 1, roles: [heads] }] });
  const [admin, clerk, head] = (await Promise.all([
    world.signIn(acme, 'admin'),
    world.signIn(acme, 'clerk'),
    world.signIn(acme, 'head'),
  ])) as [Caller, Caller, Caller];
  const ids: Record<string, number> = { clerks, heads };
  const ok = async (answer: ReturnType<Caller['call']>, status = 200): Promise<Doc> => {
    const got = await answer;
    expect(got.statusCode, got.body).toBe(status);
    return got.json<{ data: Doc }>().data;
  };
  const add = async (type: string, record: object) => (await ok(admin.call('POST', `/tapi/${type}`, record), 201)).id;
  const read = (type: string, id: number) => ok(admin.call('GET', `/tapi/${type}/${id}`));
  const [tn] = await acme.sql<{ id: number; city: number; country_id: number }>(
    `select s.id, s.country_id, (select c.id from {s}.city_mstr c where c.state_id = s.id order by c.id limit 1) as city from {s}.state_mstr s where s.gst_code = '33'`,
  );
  const { branch, member } = await branchWithMembers(
    add,
    { city: tn!.city, state_id: tn!.id, country: tn!.country_id },
    {
      branch: { code: 'CHN' },
      department: { code: 'D1', name: 'Accounts' },
      designation: { code: 'A1', name: 'Accountant' },
    },
  );
  ids.branch = branch;
  ids.head = await member('E10002');
  ids.clerk = await member('E10001', { reporting_to_id: ids.head });
  for (const [who, caller] of [
    ['clerk', clerk],
    ['head', head],
  ] as const) {
    await acme.sql('update {s}.users set employee_id = $2 where id = $1', [caller.userId, ids[who]]);
    await acme.sql('update {s}.employee set user_id = $2 where id = $1', [ids[who], caller.userId]);
  }
  return {
    acme,
    admin,
    clerk,
    head,
    ids,
    ok,
    add,
    read,
    async list(type, filter) {
      const by = filter === undefined ? '' : `&filter=${encodeURIComponent(JSON.stringify(filter))}`;
      const got = await admin.call('GET', `/tapi/${type}?size=200&columns=*&sort=id${by}`);
      expect(got.statusCode, got.body).toBe(200);
      return got.json<{ data: Doc[] }>().data;
    },
    step: async (by, type, id, name, more = {}) =>
      by.call('POST', `/tapi/${type}/${id}/${name}`, { version: (await read(type, id)).version, ...more }),
    async run(name) {
      await world.app.jobs.runNow(acme, name, { userId: admin.userId, companies: acme.entityIds });
      const last = async () =>
        ((await world.app.jobs.log(acme.schema, { name })) as { state: string; message: string }[])[0]!;
      // Another file's server may have taken the run.
      await expect
        .poll(async () => {
          await world.app.jobs.drain();
          return (await last()).state;
        })
        .toMatch(/^(done|failed)$/);
      const { state, message } = await last();
      expect(state, message).toBe('done');
      return message;
    },
  };
}
