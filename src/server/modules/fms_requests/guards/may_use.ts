import type { FieldError } from '../../../../descriptor/types.ts';
import type { Guard } from '../../../engine/modules.ts';
import { rowsOf } from '../request_lines.ts';
import { tagErrors } from './tags.ts';

/**
 * Used parts need a kit as their source, and the old serial number if the material requires it; tools come back and are
 * never used up.
 */
export const mayUse: Guard = {
  async check({ unit, record }) {
    const errors: FieldError[] = await tagErrors(unit, rowsOf(record), record.lift_id);
    if (typeof record.from_stock_point_id !== 'number')
      errors.push({ field: 'technician_id', message: 'This technician has no kit yet. Issue parts first.' });
    const tools = await unit.query<{ id: number; code: string }>(
      `select i.id, i.item_code as code from {item_mstr} i join {item_type} t on t.id = i.item_type_id where t.return_after_use and i.id = any($1::bigint[])`,
      [rowsOf(record).map(({ item_id: id }) => id)],
    );
    for (const [at, row] of rowsOf(record).entries()) {
      const tool = tools.find(({ id }) => id === row.item_id);
      if (tool)
        errors.push({ field: `lines.${at}.item_id`, message: `${tool.code} comes back after use: return it instead.` });
    }
    const needs = await unit.query<{ id: number }>(
      `select i.id from {item_mstr} i join {material_mstr} m on m.id = i.material_id where m.needs_old_serial and i.id = any($1::bigint[])`,
      [rowsOf(record).map(({ item_id: id }) => id)],
    );
    for (const [at, row] of rowsOf(record).entries())
      if (
        row.removed_condition !== 'none_removed' &&
        (row.old_serial_no === null || row.old_serial_no === '') &&
        needs.some(({ id }) => Number(id) === row.item_id)
      )
        errors.push({ field: `lines.${at}.old_serial_no`, message: 'Enter the serial number of the old part.' });
    return errors;
  },
};
