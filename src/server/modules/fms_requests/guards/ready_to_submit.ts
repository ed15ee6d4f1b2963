import { Exact } from '../../../../descriptor/exact.ts';
import type { FieldError } from '../../../../descriptor/types.ts';
import type { Guard } from '../../../engine/modules.ts';

type Row = Record<string, unknown>;
/** A quantity above so many times the largest request so far is probably a mistake. */
const FAR_ABOVE = 25;
const isEmpty = (value: unknown) => value === null || value === undefined || value === '';

/**
 * A complete request has the ticket and lift required by its type, the photo and old serial number required by reason
 * and material, and a remark where it asks for much or for the same again.
 */
export const readyToSubmit: Guard = {
  async check({ unit, record }) {
    const errors: FieldError[] = [];
    const [needs] = await unit.query<{
      ticket: boolean;
      lift: boolean;
      photo: boolean;
      serial: boolean;
      other_type: boolean;
      type: string;
    }>(
      `select coalesce(t.needs_ticket, false) as ticket, coalesce(t.needs_lift, false) as lift, coalesce(r.needs_photo, false) as photo,
         coalesce(r.needs_old_serial, false) as serial, t.name as type,
         cardinality(coalesce(r.mr_type_ids, '{}')) > 0 and not t.id = any(r.mr_type_ids) as other_type
       from {mr_type} t, {reason_for_requirement} r where t.id = $1 and r.id = $2`,
      [record.mr_type_id, record.reason_id],
    );
    if (needs?.other_type)
      errors.push({
        field: 'reason_id',
        message: `This reason does not apply to requests of the type "${needs.type}". Choose another.`,
      });
    if (needs?.ticket && isEmpty(record.ticket_id))
      errors.push({ field: 'ticket_id', message: 'Requests of this type are made for a ticket. Choose it.' });
    if (needs?.lift && isEmpty(record.lift_id))
      errors.push({ field: 'lift_id', message: 'Requests of this type are made for a lift. Choose it.' });
    const lines = (record.lines ?? []) as Row[];
    const materials = await unit.query<{
      id: number;
      name: string;
      photo: boolean;
      serial: boolean;
      warns: string | null;
    }>(
      `select id, name, coalesce(needs_photo, false) as photo, coalesce(needs_old_serial, false) as serial, qty_warning::text as warns from {material_mstr} where id = any($1::bigint[])`,
      [lines.map(({ material_id: id }) => id).filter((id) => typeof id === 'number')],
    );
    const hasPhoto = Array.isArray(record.photos) && record.photos.length > 0;
    for (const [at, line] of lines.entries()) {
      const material = materials.find(({ id }) => id === line.material_id);
      if ((needs?.photo || material?.photo) && isEmpty(line.photo) && !hasPhoto)
        errors.push({ field: `lines.${at}.photo`, message: 'Add a photo of the part.' });
      if ((needs?.serial || material?.serial) && isEmpty(line.old_serial_no))
        errors.push({ field: `lines.${at}.old_serial_no`, message: 'Enter the serial number of the old part.' });
    }
    if (await isForOtherParts(unit, record, lines))
      errors.push({
        field: 'root_cause_id',
        message: 'No part of this request belongs to this root cause. Choose another.',
      });
    if (isEmpty(record.remark)) {
      errors.push(...(await farAboveUsual(unit, record, lines)));
      if (await isAskedAgain(unit, record, lines))
        errors.push({
          field: 'remark',
          message:
            'The same material was asked for or fitted in this lift in the last 30 days, or is still on its way. Say in the remark why it is needed again.',
        });
      for (const line of lines) {
        const material = materials.find(({ id }) => id === line.material_id);
        if (material?.warns && new Exact(String(line.qty ?? 0)).greaterThan(material.warns))
          errors.push({
            field: 'remark',
            message: `More than ${new Exact(material.warns).toString()} of "${material.name}" is unusual. Say in the remark why so many are needed.`,
          });
      }
    }
    return errors;
  },
};

/** Quantities far above the largest request of the same item so far: often a slip of the keyboard. */
async function farAboveUsual(
  unit: Parameters<Guard['check']>[0]['unit'],
  record: Row,
  lines: readonly Row[],
): Promise<FieldError[]> {
  const most = await unit.query<{ item: number; qty: string }>(
    `select l.item_id as item, max(l.qty)::text as qty from {mr.lines} l join {mr} m on m.id = l.parent_id
     where m.entity_id = $1 and m.id <> $2 and m.state not in ('draft', 'rejected', 'cancelled') and l.item_id = any($3::bigint[]) group by l.item_id`,
    [unit.session.entityId, record.id, lines.map(({ item_id: id }) => id).filter((id) => typeof id === 'number')],
  );
  return lines.flatMap((line) => {
    const largest = most.find(({ item }) => Number(item) === line.item_id);
    if (!largest || !new Exact(String(line.qty ?? 0)).greaterThan(new Exact(largest.qty).times(FAR_ABOVE))) return [];
    const [qty, usual] = [String(line.qty), largest.qty].map((one) => new Exact(one).toString());
    return [
      {
        field: 'remark',
        message: `${qty} is more than ${FAR_ABOVE} times the largest request of this item so far (${usual}). Correct it, or say in the remark why so many are needed.`,
      },
    ];
  });
}

/** Whether the same material has an open request for the lift, or was requested or fitted within 30 days. */
async function isAskedAgain(
  unit: Parameters<Guard['check']>[0]['unit'],
  record: Row,
  lines: readonly Row[],
): Promise<boolean> {
  const rows = await unit.query(
    `select 1 from {mr} m join {mr.lines} l on l.parent_id = m.id
     where m.active and m.lift_id = $1 and m.id <> $2 and m.state not in ('draft', 'rejected', 'cancelled')
       and (m.mr_date >= $3::date - 30 or m.state not in ('supplied', 'closed')) and (l.material_id = any($4::bigint[]) or l.item_id = any($5::bigint[]))
     union all select 1 from {lift_part} p where p.active and p.lift_id = $1 and p.item_id = any($5::bigint[]) and p.removed_on is null
       and p.fitted_on >= $3::date - 30 limit 1`,
    [
      record.lift_id ?? null,
      record.id,
      record.mr_date,
      lines.map(({ material_id: id }) => id).filter((id) => typeof id === 'number'),
      lines.map(({ item_id: id }) => id).filter((id) => typeof id === 'number'),
    ],
  );
  return rows.length > 0;
}

/** Whether the root cause is limited to spare groups of which the request has no part. */
async function isForOtherParts(
  unit: Parameters<Guard['check']>[0]['unit'],
  record: Row,
  lines: readonly Row[],
): Promise<boolean> {
  const [row] = await unit.query<{ other: boolean }>(
    `select cardinality(coalesce(c.spare_group_ids, '{}')) > 0 and not exists (
       select 1 from {material_mstr} m where m.id = any($2::bigint[]) and m.spare_group_id = any(c.spare_group_ids)
       union all select 1 from {item_mstr} i where i.id = any($3::bigint[]) and i.spare_group_id = any(c.spare_group_ids)) as other
     from {root_cause_mstr} c where c.id = $1`,
    [
      record.root_cause_id ?? null,
      lines.map(({ material_id: id }) => id).filter((id) => typeof id === 'number'),
      lines.map(({ item_id: id }) => id).filter((id) => typeof id === 'number'),
    ],
  );
  return row?.other === true;
}
