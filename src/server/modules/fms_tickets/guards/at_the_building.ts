import { distanceKm } from '../../../../domain/fms/best_order.ts';
import type { Place } from '../../../../domain/fms/best_order.ts';
import type { FieldError } from '../../../../descriptor/types.ts';
import type { Guard } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { clockAt } from '../day_at.ts';

type Row = Readonly<Record<string, unknown>>;

/** Planned work waits for the end of the quiet hours of a type of building, unless the technician says why not. */
async function quietHours(unit: Unit, record: Row): Promise<FieldError[]> {
  if (record.ticket_type !== 'preventive') return [];
  const [quiet] = await unit.query<{ name: string; from: string; to: string }>(
    `select k.name, to_char(k.quiet_from, 'HH24:MI') as "from", to_char(k.quiet_to, 'HH24:MI') as "to"
     from {building} b join {building_type_mstr} k on k.id = b.building_type_id
     where b.id = $1 and k.quiet_from is not null and k.quiet_to is not null
       and case when k.quiet_from <= k.quiet_to then $2::time >= k.quiet_from and $2::time < k.quiet_to
         else $2::time >= k.quiet_from or $2::time < k.quiet_to end`,
    [record.building_id, clockAt(unit, record, unit.at)],
  );
  return quiet
    ? [
        {
          field: 'arrive_note',
          message: `${quiet.name}: quiet hours from ${quiet.from} to ${quiet.to}. Come back later, or enter why you start now.`,
        },
      ]
    : [];
}

/**
 * The technician must be at the building, as strictly as the ticket type requires, and planned work waits for the end of
 * quiet hours; the scanned label must be the lift's.
 */
export const atTheBuilding: Guard = {
  elevated: true,
  async check({ unit, record, input }) {
    const [found] = await unit.query<{
      geofence: 'off' | 'warn' | 'block';
      geo: Place | null;
      fence: number | null;
      lift_no: string;
      position: string | null;
    }>(
      `select d.geofence, b.geo, coalesce(b.geofence_m, 150) as fence, l.lift_no, l.position_name as position
       from {ticket_definition} d, {lift} l join {building} b on b.id = l.building_id where d.id = $1 and l.id = $2`,
      [record.ticket_definition_id, record.lift_id],
    );
    if (!found) return [];
    const said = typeof input.arrive_note === 'string' && input.arrive_note.trim() !== '';
    const scanned = typeof input.arrive_scan === 'string' && input.arrive_scan.trim() !== '' ? input.arrive_scan : null;
    if (scanned !== null) {
      const [label] = await unit.query<{ id: number; lift_no: string; position_name: string | null }>(
        `select l.id, l.lift_no, l.position_name from {lift} l where l.entity_id = $2 and (l.lift_no = $1 or $1 like '%' || l.lift_no) order by length(l.lift_no) desc limit 1`,
        [scanned.trim(), unit.session.entityId],
      );
      if (label && label.id !== record.lift_id && !said)
        return [
          {
            field: 'arrive_note',
            message: `This label is ${label.lift_no}${label.position_name ? ` (${label.position_name})` : ''}. Your job is ${found.lift_no}. Say why you work at another lift, or scan the right label.`,
          },
        ];
    }
    const quiet = said ? [] : await quietHours(unit, record);
    if (quiet.length > 0) return quiet;
    if (found.geofence === 'off' || !found.geo) return [];
    const here = (input.arrive_geo ?? null) as Place | null;
    if (here === null)
      return said
        ? []
        : [{ field: 'arrive_note', message: 'Your position is unknown. Enter the reason, with a photo of the place.' }];
    const metres = Math.round(distanceKm(here, found.geo) * 1000);
    if (metres <= (found.fence ?? 150)) return [];
    if (found.geofence === 'block')
      return [
        {
          field: 'arrive_geo',
          message: `You are ${metres} m from the building; you can arrive within ${found.fence} m.`,
        },
      ];
    return said
      ? []
      : [{ field: 'arrive_note', message: `You are ${metres} m from the building. Enter why you start here.` }];
  },
};
