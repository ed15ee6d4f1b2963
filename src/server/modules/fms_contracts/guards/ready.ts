import type { FieldError } from '../../../../descriptor/types.ts';
import type { Guard } from '../../../engine/modules.ts';
import { linesOf } from '../contract_lines.ts';
import { pricesOf } from '../prices.ts';
import { noOverlap } from './no_overlap.ts';

/** The requirements before a contract is submitted: free lifts of its customer, visits, prices, and signatories. */
export const ready: Guard = {
  async check(call) {
    const { unit, record } = call;
    const lines = linesOf(record);
    const errors: FieldError[] = await noOverlap.check(call);
    const others = await unit.query<{ id: number; lift_no: string; owner: string }>(
      `select l.id, l.lift_no, c.name as owner from {lift} l join {customer_dtl} c on c.id = l.customer_id
       where l.id = any($1::bigint[]) and l.customer_id <> $2`,
      [lines.map(({ lift_id: id }) => id), record.customer_id],
    );
    const foreign = new Map(others.map((one) => [one.id, one]));
    const planned = record.contract_kind === 'amc' || record.contract_kind === 'warranty';
    lines.forEach((line, at) => {
      const other = foreign.get(line.lift_id);
      if (other)
        errors.push({
          field: `lines.${at}.lift_id`,
          message: `Lift ${other.lift_no} belongs to ${other.owner}. Transfer it first, or choose another lift.`,
        });
      if (planned && line.visits_per_year === null && !errors.some(({ field }) => field === 'schedule_visit_id'))
        errors.push({ field: 'schedule_visit_id', message: 'Choose the visit frequency.' });
    });
    if (!(await someoneSigns(call)))
      errors.push({
        field: 'customer_signatory',
        message: 'Enter who signs for the customer, or give the customer a contact who may sign contracts.',
      });
    const mayPrice = unit.session.rights.refuseAction('FMS_PRICE_OVERRIDE') === null;
    if (!mayPrice)
      for (const { at, isOwn } of await pricesOf(unit, record))
        if (isOwn)
          errors.push({
            field: `lines.${at}.year_prices`,
            message:
              'These prices differ from the escalated prices. Clear them, or ask someone who may override prices.',
          });
    return errors;
  },
};

async function someoneSigns({ unit, record }: Parameters<Guard['check']>[0]): Promise<boolean> {
  if (record.customer_signatory !== null || record.contract_kind === 'warranty') return true;
  const [found] = await unit.query<{ found: boolean }>(
    `select exists (select 1 from {customer_dtl.contacts} k join {customer_designation} d on d.id = k.customer_designation_id
       where k.parent_id = $1 and d.may_sign_contract) as found`,
    [record.customer_id],
  );
  return found!.found;
}
