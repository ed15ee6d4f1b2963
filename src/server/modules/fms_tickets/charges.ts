import type { Cover } from '../../../domain/fms/call_charge.ts';
import { callCharges, chargedBecause } from '../../../domain/fms/call_charge.ts';
import type { WireRecord } from '../../../descriptor/types.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { assignmentsOf } from './ticket_rows.ts';
import { isAtNight } from './night_hours.ts';

interface Terms {
  charge: 'as_contract' | 'always' | 'never' | null;
  callbacks_included: number | null;
  night_calls: boolean | null;
  call_out_charge: string | null;
  labour_rate: string | null;
  service_id: number | null;
  calls_used: number;
}

/**
 * The chargeable lines of a call, in place of the proposed ones (C19); null = the ticket is not chargeable by this
 * rule, such as a planned visit. Lines for parts and lines that people entered stay.
 */
export async function proposedCharges(unit: Unit, ticket: WireRecord): Promise<Record<string, unknown>[] | null> {
  if (!['breakdown', 'rescue', 'complaint', 'request', 'repair'].includes(String(ticket.ticket_type))) return null;
  const [terms] = await unit.query<Terms>(
    `select k.charge, a.callbacks_included, a.night_calls, coalesce(a.call_out_charge, o.call_out_charge)::text as call_out_charge,
       coalesce(a.labour_rate, o.labour_rate)::text as labour_rate,
       (select s.id from {fmsservice} s where s.service_kind = 'call_out' and s.active order by s.id limit 1) as service_id,
       (select count(*)::int from {fms_ticket} t join {ticket_definition} d on d.id = t.ticket_definition_id
        where t.lift_id = $1 and t.contract_id = $3 and t.id <> $4 and t.active and t.status not in ('cancelled', 'duplicate') and t.repeat_of_id is null
          and d.ticket_type in ('breakdown', 'rescue') and t.reported_at < $5::timestamptz
          and t.reported_at >= (select c.start_on + (floor(extract(year from age($5::timestamptz::date, c.start_on))) || ' years')::interval from {contract} c where c.id = $3)) as calls_used
     from (select 1) one left join {ticket_category_mstr} k on k.id = $2 left join {amc_type_mstr} a on a.id = $6
       left join lateral (select x.call_out_charge, x.labour_rate from {amc_type_mstr} x where x.coverage = 'on_call' and x.active order by x.id limit 1) o on true`,
    [
      ticket.lift_id ?? null,
      ticket.category_id ?? null,
      ticket.contract_id ?? null,
      ticket.id,
      ticket.reported_at,
      ticket.amc_type_id ?? null,
    ],
  );
  const kept = rowsOf(ticket).filter(({ kind }) => kind !== 'call_out' && kind !== 'labour');
  const because = chargedBecause({
    cover: (ticket.cover ?? 'none') as Cover,
    charge: terms?.charge ?? 'as_contract',
    callbacksIncluded: terms?.callbacks_included ?? null,
    callsUsed: terms?.calls_used ?? 0,
    isRepeat: typeof ticket.repeat_of_id === 'number',
    nightCalls: terms?.night_calls === true,
    atNight: await isAtNight(unit, ticket),
  });
  const service = terms?.service_id ?? null;
  if (because === null || service === null) return kept;
  const labour = assignmentsOf(ticket).reduce((sum, row) => sum + Number(row.labour_min ?? 0), 0);
  const lines = callCharges({ callOut: terms!.call_out_charge, labourRate: terms!.labour_rate }, labour).map(
    ({ kind, qty, rate }) => ({
      kind,
      qty,
      rate,
      service_id: service,
      description:
        kind === 'call_out'
          ? `Call-out, ${String(ticket.ticket_no)}. ${because}`
          : `Labour ${labour} min, charged in half hours, ${String(ticket.ticket_no)}`,
    }),
  );
  return [...lines, ...kept];
}

const rowsOf = ({ charge_lines: rows }: WireRecord): Record<string, unknown>[] =>
  Array.isArray(rows) ? (rows as Record<string, unknown>[]) : [];
