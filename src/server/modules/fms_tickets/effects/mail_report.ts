import { lastKept } from '../../../engine/print/kept_prints.ts';
import type { Effect } from '../../../engine/modules.ts';
import { mailCustomer } from '../customer_mail.ts';

/** After the sign-off, sends the issued service report to the contacts who receive ticket mails. */
export const mailReport: Effect = {
  elevated: true,
  late: true,
  async apply({ unit, record }) {
    const all = unit.elevated();
    const report = await lastKept(unit.session, { type: 'fms_ticket', id: record.id }, 'service_report');
    await mailCustomer(
      all,
      record,
      ({ number, building }) => `Service report ${number}: ${building}`,
      ({ number, lift }) =>
        `the work for ${number} at lift ${lift} is done. Please find the service report attached.${record.work_done ? `\n\n${String(record.work_done)}` : ''}${record.signed_by ? `\n\nSigned by ${String(record.signed_by)}.` : ''}`,
      report === null ? [] : [report],
    );
  },
  // A report is mailed once only.
  reverse: () => Promise.resolve(),
};
