import type { Fill } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';

interface Sending {
  email: string | null;
  bank_id: number | null;
  upi_id: string | null;
  payee: string | null;
}

/** Mail addresses and bank accounts of bills, in their order; read once per transaction. */
export function sendingOf(unit: Unit, bills: readonly Record<string, unknown>[]): Promise<Sending[]> {
  const keys = bills.map(
    ({ customer_id: customer, branch_id: branch }) => `fms_money.sending ${String(customer)} ${String(branch)}`,
  );
  return unit.onceEach(keys, (places) =>
    unit.query<Sending>(
      `select coalesce(k.email, c.email) as email, a.id as bank_id, a.upi_id, a.account_name as payee
       from unnest($2::bigint[], $3::bigint[]) with ordinality q(customer_id, branch_id, at)
       left join {customer_dtl} c on c.id = q.customer_id
       left join lateral (select x.email from {customer_dtl.contacts} x where x.parent_id = c.id and x.email is not null
         and x.gets::text like '%bills%' order by x.id limit 1) k on true
       left join lateral (select b.id, b.upi_id, b.account_name from {bank_mstr} b where b.active and b.print_on_bill
         and b.entity_id = $1 and (b.branch_id is null or b.branch_id = q.branch_id) order by b.branch_id is null, b.id limit 1) a on true
       order by q.at`,
      [
        unit.session.entityId,
        places.map((at) => bills[at]!.customer_id ?? null),
        places.map((at) => bills[at]!.branch_id ?? null),
      ],
    ),
  );
}

/**
 * The mail address of a bill (the first contact who receives bills, otherwise the customer) and the bank account for
 * its payment.
 */
export const billSending: Fill = {
  async run({ unit, record }) {
    const [found] = (await sendingOf(unit, [record])) as [Sending];
    return {
      email: found.email,
      bank_id: found.bank_id,
      upi_payee: found.upi_id ? `pa=${found.upi_id}&pn=${encodeURIComponent(found.payee ?? '')}` : null,
    };
  },
};
