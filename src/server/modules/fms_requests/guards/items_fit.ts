import { Exact } from '../../../../descriptor/exact.ts';
import type { FieldError } from '../../../../descriptor/types.ts';
import type { Guard } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { dayOfAct } from '../request_day.ts';
import { storesSetting } from '../stores_setting.ts';

type Row = Record<string, unknown>;

interface ItemOfLift {
  id: number;
  active: boolean;
  fits: boolean;
  only_make: string | null;
  per_lift: string | null;
}

/**
 * Which items are in use and fit the lift by their part lists (an empty list fits every lift), which make the lift
 * takes parts of only, and how many of the part a lift has.
 */
async function itemsFor(unit: Unit, request: Row, items: readonly unknown[]) {
  return unit.query<ItemOfLift>(
    `select i.id, i.active and (i.discontinued_on is null or i.discontinued_on > $3::date) as active,
       $2::bigint is null or i.spare_part_id is null or not exists (select 1 from {spare_parts_master.fits} f where f.parent_id = i.spare_part_id)
       or exists (select 1 from {spare_parts_master.fits} f, {lift} l where f.parent_id = i.spare_part_id and l.id = $2
         and (f.lift_make_id is null or f.lift_make_id = l.lift_make_id) and (f.lift_type_id is null or f.lift_type_id = l.lift_type_id)
         and (f.controller_id is null or f.controller_id = l.controller_id) and (f.drive_type_id is null or f.drive_type_id = l.drive_type_id)
         and (f.capacity_from_kg is null or l.capacity_kg >= f.capacity_from_kg) and (f.capacity_to_kg is null or l.capacity_kg <= f.capacity_to_kg)
         and (f.year_from is null or extract(year from l.commissioned_on) >= f.year_from)
         and (f.year_to is null or extract(year from l.commissioned_on) <= f.year_to)) as fits,
       (select m.name from {lift} l join {lift_make_mstr} m on m.id = l.lift_make_id
         where l.id = $2 and m.oem_only_parts and p.id is not null and p.lift_make_id is distinct from m.id) as only_make,
       case when $2::bigint is not null then nullif(p.qty_per_lift, 0) end::text as per_lift
     from {item_mstr} i left join {spare_parts_master} p on p.id = i.spare_part_id where i.id = any($1::bigint[])`,
    [items, request.lift_id ?? null, dayOfAct(unit, request)],
  );
}

/** Why the item of a line needs a reason; null = it needs none. */
function doubtOf({ fits, only_make, per_lift }: ItemOfLift, line: Row): string | null {
  if (!fits) return 'The part list of this item does not name this lift. Say why it fits.';
  if (only_make !== null) return `A lift of ${only_make} takes parts of its maker only. Say why this one is used.`;
  if (per_lift !== null && new Exact(String(line.approved_qty ?? 0)).greaterThan(per_lift))
    return `A lift has ${new Exact(per_lift).toString()} of this part. Say why more are needed.`;
  return null;
}

/**
 * The technical approval needs an active item on every line, a reason for one that does not fit the lift, its make or
 * its number, and a different person from the commercial approver.
 */
export const itemsFit: Guard = {
  async check({ unit, record }) {
    const errors: FieldError[] = [];
    const lines = (record.lines ?? []) as Row[];
    const items = await itemsFor(
      unit,
      record,
      lines.map(({ approved_item_id: id }) => id).filter((id) => typeof id === 'number'),
    );
    for (const [at, line] of lines.entries()) {
      const item = items.find(({ id }) => id === line.approved_item_id);
      if (!item) errors.push({ field: `lines.${at}.approved_item_id`, message: 'Choose the exact item.' });
      else if (!item.active)
        errors.push({
          field: `lines.${at}.approved_item_id`,
          message: 'This item is no longer in use. Choose its replacement.',
        });
      else if (line.fit_reason === null || line.fit_reason === '') {
        const doubt = doubtOf(item, line);
        if (doubt !== null) errors.push({ field: `lines.${at}.fit_reason`, message: doubt });
      }
      if (line.approved_qty === null || Number(line.approved_qty) <= 0)
        errors.push({ field: `lines.${at}.approved_qty`, message: 'Enter the approved quantity.' });
    }
    const setting = await storesSetting(unit);
    if (!setting.same_person_may_approve_both && (await didApprove(unit, record.id)))
      errors.push({ field: 'state', message: 'Another person must approve this.' });
    return errors;
  },
};

/** Whether the acting person gave the last commercial approval. */
async function didApprove(unit: Unit, id: number): Promise<boolean> {
  const [last] = await unit.query<{ by: number | null }>(
    `select by from {transition_log} where record_type = 'mr' and record_id = $1 and transition = 'approve' order by id desc limit 1`,
    [id],
  );
  return last?.by === unit.session.userId;
}
