import { Readable } from 'node:stream';
import { Decimal } from 'decimal.js';
import type { Effect } from '../../../../engine/modules.ts';
import { monthTitle } from '../../../../../domain/month_names.ts';
import { formatNumber } from '../../../../../descriptor/format.ts';
import { peopleWithAction } from '../../people_with_action.ts';
import { moveRun } from '../payout_states.ts';

/** The right of people who hand incentives to payroll. */
const PAYROLL = 'RUN_INCENTIVE';

const quoted = (value: string): string => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

interface PayrollLine extends Record<string, unknown> {
  empno: string;
  name: string;
  component: string;
  amount: string;
}

/**
 * Writes the payroll file, one line per member with the run's non-zero amounts, and notifies payroll; members get their
 * statements by mail (performance.md §6).
 */
export const exportRun: Effect = {
  elevated: true,
  async apply({ unit: person, services, record }) {
    const unit = person.elevated();
    const lines = await unit.query<PayrollLine>(
      `select e.empno, e.name, coalesce(i.payroll_component, 'AWARD') as component, sum(p.amount)::text as amount
       from {incentive_payout} p join {employee} e on e.id = p.employee_id left join {incentive} i on i.id = p.incentive_id
       where p.run_id = $1 and p.active and p.state = 'approved' group by e.empno, e.name, i.payroll_component
       having sum(p.amount) <> 0 order by e.empno`,
      [record.id],
    );
    const rows = [
      ['Employee no.', 'Name', 'Component', 'Pay month', 'Amount', 'Run'],
      ...lines.map(({ empno, name, component, amount }) => [
        empno,
        name,
        component,
        String(record.pay_month),
        amount,
        String(record.run_no),
      ]),
    ];
    const text = `\uFEFF${rows.map((row) => row.map(quoted).join(',')).join('\r\n')}\r\n`;
    const name = `payroll ${String(record.run_no).replaceAll('/', '-')}.csv`;
    const file = await services.files.save(
      unit.session,
      name,
      Readable.from([Buffer.from(text)]),
      'incentive_run.payroll_file',
    );
    await unit.update('incentive_run', record.id, { payroll_file: file.id });
    await moveRun(unit, record.id, 'with_payroll', null);
    const total = lines.reduce((sum, { amount }) => sum.plus(amount), new Decimal(0));
    await unit.notify({
      event: 'incentive.exported',
      to: (await peopleWithAction(unit, unit.session.entityId, PAYROLL)).filter((id) => id !== unit.session.userId),
      entityId: unit.session.entityId,
      link: `/incentives/view/${record.id}`,
      record: { type: 'incentive_run', id: record.id },
      values: {
        run: String(record.run_no),
        month: monthTitle(String(record.month)),
        pay_month: monthTitle(String(record.pay_month)),
        members: String(lines.length),
        amount: formatNumber(total.toNumber(), 2),
      },
    });
    unit.enqueue('send_statements', { run: record.id }, `statements ${record.id}`);
  },
};
