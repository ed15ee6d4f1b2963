import { Exact } from '../../../../descriptor/exact.ts';
import { formatMoney } from '../../../../descriptor/format.ts';
import type { FieldError, WireRecord } from '../../../../descriptor/types.ts';
import type { Guard } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { coverOfLines } from '../cover_facts.ts';
import { dayOfAct, shownDay } from '../request_day.ts';
import { rowsOf } from '../request_lines.ts';
import { storesSetting } from '../stores_setting.ts';
import { tagErrors } from './tags.ts';

const SUPPLIED = ['released', 'planned', 'ready', 'issued'];
const NO_COVER = 'No cover or order for this line. Ask for commercial approval first.';

/**
 * An issue needs cover or an order for each part, a kit within its value limit, and not too many overdue faulty parts.
 */
export const mayIssue: Guard = {
  elevated: true,
  async check({ unit, record }) {
    const errors = [...(await coverErrors(unit, record)), ...(await tagErrors(unit, rowsOf(record), record.lift_id))];
    if (record.override_reason !== null && record.override_reason !== '') return errors;
    const setting = await storesSetting(unit);
    const [overdue] = await unit.query<{ count: number }>(
      `select count(*)::int as count from {mr_return_due} where active and technician_id = $1 and state in ('due', 'handed_over') and due_on < $2::date`,
      [record.technician_id, dayOfAct(unit, record)],
    );
    if ((overdue?.count ?? 0) > setting.return_block_count)
      errors.push({
        field: 'override_reason',
        message: `${overdue!.count} faulty parts are overdue (limit ${setting.return_block_count}). Issue with a reason, or ask for their return first.`,
      });
    const [kit] = await unit.query<{ value: string | null; limit: string | null }>(
      `select (select sum(b.on_hand * v.value / nullif(v.qty, 0)) from {stock_balance} b join {stock_value} v on v.item_id = b.item_id and v.condition = b.condition and v.entity_id = b.entity_id
           where b.stock_point_id = p.id) as value, p.value_limit as limit
       from {stock_point} p where p.active and p.kind = 'technician' and p.employee_id = $1 and p.entity_id = $2 order by p.id limit 1`,
      [record.technician_id, unit.session.entityId],
    );
    const costs = await unit.query<{ item: number; condition: string; cost: string | null }>(
      `select item_id as item, condition, value / nullif(qty, 0) as cost from {stock_value} where entity_id = $1 and item_id = any($2::bigint[])`,
      [unit.session.entityId, rowsOf(record).map(({ item_id: id }) => id)],
    );
    const issued = rowsOf(record).reduce((sum, { item_id: item, condition, qty }) => {
      const cost = costs.find((one) => Number(one.item) === item && one.condition === condition)?.cost ?? '0';
      return sum.plus(new Exact(cost).times(String(qty)));
    }, new Exact(0));
    const limit = new Exact(kit?.limit ?? setting.kit_value_limit);
    const over = new Exact(kit?.value ?? 0).plus(issued).minus(limit);
    if (over.greaterThan(0))
      errors.push({
        field: 'override_reason',
        message: `${formatMoney(over.toFixed(2))} over the kit limit of ${formatMoney(limit.toFixed(2))}. Issue less, or say why.`,
      });
    return errors;
  },
};

/** Lines of a request without cover, or whose cover has changed since its approval. */
async function coverErrors(unit: Unit, record: WireRecord): Promise<FieldError[]> {
  if (typeof record.mr_id !== 'number') return [];
  const request = await unit.elevated().read('mr', record.mr_id, { lock: true });
  const [type] = await unit.query<{ emergency: boolean }>(
    'select coalesce(issue_before_approval, false) as emergency from {mr_type} where id = $1',
    [request.mr_type_id],
  );
  const { emergency_limit: limit } = await storesSetting(unit);
  const isEmergency =
    type?.emergency === true &&
    ['submitted', 'commercially_approved'].includes(String(request.state)) &&
    new Exact(String(request.free_value ?? 0)).plus(String(request.charge_value ?? 0)).lessThanOrEqualTo(limit);
  const errors: FieldError[] = [];
  for (const [at, { mr_line: id, qty }] of rowsOf(record).entries()) {
    const line = rowsOf(request).find((one) => one.id === id);
    if (!line) errors.push({ field: `lines.${at}.item_id`, message: 'This item is not open in the request.' });
    else if (!isEmergency && !SUPPLIED.includes(String(line.line_status)))
      errors.push({ field: `lines.${at}.item_id`, message: NO_COVER });
    else if (new Exact(String(line.issued_qty)).plus(String(qty)).greaterThan(String(line.approved_qty ?? line.qty)))
      errors.push({ field: `lines.${at}.qty`, message: 'This is more than was approved.' });
  }
  if (errors.length > 0 || isEmergency) return errors;
  return changedCover(unit, record, request);
}

/** Computes the cover of lines again if their contract has ended or the approval has expired. */
async function changedCover(unit: Unit, record: WireRecord, request: WireRecord): Promise<FieldError[]> {
  const day = dayOfAct(unit, request);
  const valid = request.cover_valid_to;
  const now = await coverOfLines(unit, request, { exact: true, day });
  const isOld = typeof valid === 'string' && valid < day;
  const errors: FieldError[] = [];
  for (const [at, { mr_line: id }] of rowsOf(record).entries()) {
    const place = rowsOf(request).findIndex((one) => one.id === id);
    const line = rowsOf(request)[place]!;
    const again = now.lines[place]!;
    if (line.cover !== line.proposed_cover || again.cover === null || again.cover.cover === line.cover) continue;
    if (line.cover === 'chargeable') continue;
    if (isOld || line.cover === 'contract')
      errors.push({
        field: `lines.${at}.item_id`,
        message: `The cover has changed${isOld ? ` since ${shownDay(valid)}` : ''}: ${again.because} Ask for commercial approval first.`,
      });
  }
  return errors;
}
