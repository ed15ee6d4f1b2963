import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { World } from '../world.ts';
import { startWorld } from '../world.ts';
import type { MoneyWorld } from './money_world.ts';
import { companyDay as day } from '../../company_day.ts';
import { moneyWorld } from './money_world.ts';

// What the clock does about money: bills that are due, reminders, statements, month-ends, and lines that end early.

let world: World;
let money: MoneyWorld;

beforeAll(async () => {
  world = await startWorld({});
  money = await moneyWorld(world);
});
afterAll(() => world.close());

/** Runs a job of money to its end. @returns what its last run came to */
async function runJob(name: string): Promise<Record<string, unknown>> {
  const { jobs } = world.app;
  await jobs.runNow(money.acme, name, { userId: money.admin.userId, companies: [1] });
  await jobs.drain();
  const [last] = (await jobs.log(money.acme.schema, { name })) as unknown as Record<string, unknown>[];
  return last!;
}

describe('jobs of money', () => {
  it('run to their end', async () => {
    const { ids, acme, add, bill, read, customer } = money;
    const group = await add('customer_group_mstr', { code: 'G', name: 'Group', one_statement: true });
    const late = await customer({
      name: 'Late',
      email: 'late@example.com',
      credit_limit: '1000.00',
      customer_group_id: group,
    });
    // The second customer of a group with one statement gets none of its own.
    const second = await customer({
      name: 'Of the same group',
      customer_group_id: group,
    });
    await bill('1000', { customer_id: second });
    const old = await bill('5000', { customer_id: late });
    await acme.sql(`update {s}.billing set bill_date = $2::date, due_on = $3::date where id = $1`, [
      old.id,
      day(-90),
      day(-61),
    ]);
    await acme.sql(
      `insert into {s}.billing_schedule (entity_id, customer_id, building_id, branch_id, service_id, contract_year, seq_no, period_from, period_to, bill_on, amount, status, bill_as)
       select 1, $1, $2, $3, $4, 1, n, $5::date, $6::date, $5::date, 1000, 'planned', 'tax_invoice' from generate_series(1, 3) n`,
      [late, ids.building, ids.branch, ids.service, day(0), day(90)],
    );
    // People choose a day up to the 28th, and this test runs on any day: it is there while the statements are made.
    await acme.sql('alter table {s}.customer_dtl drop constraint if exists customer_dtl_statement_day_check');
    const statementOn = (of: number | null) =>
      acme.sql('update {s}.customer_dtl set statement_day = $2 where id = any($1::bigint[])', [[late, second], of]);
    // No server ran yesterday, when the bill was 60 days late and the statement was due.
    await acme.sql(
      `insert into {s}.job_run (job, key, ended_at) select job, $1, now() from unnest(array['dunning', 'statements']) job`,
      [`1/${day(-2)}`],
    );
    await acme.sql('update {s}.employee set user_id = $2 where id = $1', [ids.manager, money.head.userId]);
    await acme.sql('update {s}.branch set head_id = $2 where id = $1', [ids.branch, ids.manager]);
    const said: Record<string, Record<string, unknown>> = {};
    for (const name of [
      'bills_due',
      'dunning',
      'statements',
      'receipts_watch',
      'tds_certificates',
      'note_deadline',
      'month_end_dues',
    ]) {
      if (name === 'statements') await statementOn(Number(day(-1).slice(8)));
      said[name] = await runJob(name);
      await statementOn(null);
    }
    for (const [name, { state, error }] of Object.entries(said))
      expect([name, state, error]).toEqual([name, 'done', null]);
    expect(said.bills_due!.message).toBe('1 drafts created, 0 of them posted, 0 exceptions.');
    expect(said.dunning!.message).toBe('1 customers reminded, credit stopped for 1.');
    expect(await acme.sql(`select user_id as user from {s}.notification where event_code = 'fms.dues_late'`)).toEqual([
      { user: money.head.userId },
    ]);
    expect(said.statements!.message).toBe('1 statements sent.');
    expect(await acme.sql('select closing::text from {s}.account_statement')).toEqual([{ closing: '7080.00' }]);
    const [held] = await acme.sql<{ status: string }>(
      `select status from {s}.billing_schedule where customer_id = $1 limit 1`,
      [late],
    );
    expect(held!.status).toBe('drafted');
    expect(await read('customer_dtl', late)).toMatchObject({ credit_stop: true });
  });
});
