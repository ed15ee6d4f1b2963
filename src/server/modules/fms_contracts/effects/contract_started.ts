import { formatDate } from '../../../../descriptor/format.ts';
import { lastKept } from '../../../engine/print/kept_prints.ts';
import type { Effect } from '../../../engine/modules.ts';
import { linesOf } from '../contract_lines.ts';
import { mailCustomers } from '../customer_mail.ts';

/** Notifies the customer and the sales person of the start of a contract; the agreement is attached as issued. */
export const contractStarted: Effect = {
  elevated: true,
  late: true,
  async apply({ unit, record }) {
    const [from, to] = [formatDate(String(record.start_on)), formatDate(String(record.end_on))];
    const number = String(record.contract_no);
    const lifts = linesOf(record).filter(({ line_status: status }) => status === 'draft' || status === 'active').length;
    const print = await lastKept(unit.session, { type: 'contract', id: record.id }, 'agreement');
    await mailCustomers(
      unit,
      [Number(record.customer_id)],
      `Contract ${number}`,
      () =>
        `your contract ${number} for ${lifts === 1 ? 'one lift' : `${lifts} lifts`} has started. It runs from ${from} to ${to}. Please find the agreement attached.`,
      { prints: print === null ? [] : [print] },
    );
    const [seller] = await unit.query<{ account: number; customer: string }>(
      `select u.id as account, c.name as customer from {users} u, {customer_dtl} c
       where u.employee_id = $1 and c.id = $2 and u.active and u.status = 'active'`,
      [record.sales_person_id ?? null, record.customer_id],
    );
    if (seller)
      await unit.notify({
        event: 'fms.contract_started',
        to: [seller.account],
        entityId: unit.session.entityId,
        link: `/Contract/View/${record.id}`,
        record: { type: 'contract', id: record.id },
        values: { number, customer: seller.customer, from, to },
      });
  },
  // A mail that is sent stays sent.
  reverse: () => Promise.resolve(),
};
