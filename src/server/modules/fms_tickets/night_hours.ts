import type { Unit } from '../../engine/records/unit.ts';
import { clockAt } from './day_at.ts';

type Row = Readonly<Record<string, unknown>>;

/** Default night hours without a COVERAGE policy. */
const NIGHT = { from: '21:00', to: '07:00' };

/** Whether a call was reported at night, by the COVERAGE policy, in the zone of its branch. */
export async function isAtNight(unit: Unit, ticket: Row): Promise<boolean> {
  const [policy] = await unit.query<{ parameters: { night_from?: string; night_to?: string } | null }>(
    `select p.parameters from {policy_definition} p join {policy_type_mstr} t on t.id = p.policy_type_id
     where t.code = 'COVERAGE' and p.active and p.entity_id = $1 and p.valid_from <= $2::timestamptz::date and coalesce(p.valid_to, 'infinity') >= $2::timestamptz::date
     order by p.priority desc nulls last, p.valid_from desc, p.id desc limit 1`,
    [unit.session.entityId, ticket.reported_at],
  );
  const from = policy?.parameters?.night_from ?? NIGHT.from;
  const to = policy?.parameters?.night_to ?? NIGHT.to;
  const clock = clockAt(unit, ticket, new Date(String(ticket.reported_at)));
  return from <= to ? clock >= from && clock < to : clock >= from || clock < to;
}
