import { Decimal } from 'decimal.js';
import type { FieldError, WireRecord } from '../../../../descriptor/types.ts';
import { monthTitle } from '../../../../domain/month_names.ts';
import { formatDate } from '../../../../descriptor/format.ts';
import type { Guard } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';
import { entriesOf } from '../entries.ts';
import { numberOf } from '../sheet_lines.ts';

/** A figure this many times the usual one needs a remark. */
const UNUSUAL = 10;
/** Months that tell what is usual. */
const USUAL_MONTHS = 6;

/** Why a figure needs a remark: a percentage above 100, a year to date that fell, or one far above the usual (§10); null = it needs none. */
async function oddFigure(unit: Unit, record: WireRecord): Promise<string | null> {
  const value = numberOf(record.value);
  if (value === null) return null;
  const [found] = await unit.query<{
    to_date: boolean;
    above_hundred: boolean;
    before: string | null;
    month: string | null;
    usual: string | null;
  }>(
    `select coalesce(y.behaviour = 'cumulative', false) as to_date, o.dimension = 'percent' and $4::numeric > 100 as above_hundred, b.value::text as before, b.month, u.usual::text
     from {kpi} k join {uom} o on o.id = k.uom_id left join {target_type} y on y.id = k.target_type_id
     left join lateral (
       select a.value, a.month from {kpi_actual} a where a.sheet_id = $2 and a.kpi_id = k.id and a.part_key = $5 and a.month < $3 and a.active
         and a.counts and a.value is not null order by a.month desc limit 1) b on true
     left join lateral (
       select avg(l.value) as usual from (
         select a.value from {kpi_actual} a where a.sheet_id = $2 and a.kpi_id = k.id and a.part_key = $5 and a.month < $3 and a.active
           and a.counts and a.value is not null order by a.month desc limit ${USUAL_MONTHS}) l having count(*) = ${USUAL_MONTHS}) u on true
     where k.id = $1`,
    [record.kpi_id, record.sheet_id, record.month, value, record.part_key],
  );
  if (!found) return null;
  if (found.above_hundred) return `${new Decimal(value).toString()} is above 100 %. Correct it, or say why.`;
  if (found.to_date && found.before !== null && new Decimal(value).lt(found.before))
    return `A year to date cannot fall: ${new Decimal(found.before).toString()} by ${monthTitle(found.month!)}. Correct it, or say why.`;
  if (!found.to_date && found.usual !== null && Number(found.usual) > 0) {
    const times = new Decimal(value).div(found.usual);
    if (times.gte(UNUSUAL)) return `This is ${times.toFixed(0)} times the usual value. Correct it, or say why.`;
  }
  return null;
}

/** An update may be submitted from its first day, with a figure and the evidence and remark that its KPI requires. */
export const actualIsEntered: Guard = {
  elevated: true,
  async check({ unit: person, record }) {
    const unit = person.elevated();
    const errors: FieldError[] = [];
    const [kpi] = await unit.query<{ name: string; evidence: boolean; remark_below: string | null }>(
      'select name, evidence_required as evidence, comment_below_percent::text as remark_below from {kpi} where id = $1',
      [record.kpi_id],
    );
    const today = dayOfRecord(unit, record);
    if (typeof record.opens_on === 'string' && today < record.opens_on)
      errors.push({
        field: 'month',
        message: `${monthTitle(String(record.month))} ${today < `${String(record.month)}-01` ? 'has not started' : 'is not over'}. Enter it from ${formatDate(record.opens_on)} on.`,
      });
    const [sheet] = await unit.query<{ waits: boolean }>(
      `select s.status = 'approved' and coalesce((select c.ack_required_for_actuals from {calc_settings} c
         where c.entity_id = s.entity_id order by c.id limit 1), false) as waits from {kpi_sheet} s where s.id = $1`,
      [record.sheet_id],
    );
    if (sheet?.waits) errors.push({ field: 'sheet_id', message: 'The member must acknowledge the KPI sheet first.' });
    const field = record.method === 'milestone' ? 'done_on' : record.method === 'binary' ? 'done' : 'value';
    if (record.not_applicable === true) {
      if (numberOf(record.remark) === null)
        errors.push({ field: 'remark', message: 'Enter why it is not applicable.' });
      return errors;
    }
    const missing = entriesOf(record).filter(({ value }) => numberOf(value) === null);
    if (missing.length > 0 && numberOf(record.remark) === null)
      errors.push({
        field: 'remark',
        message: `${missing.length} of ${entriesOf(record).length} figures are missing, the first of ${formatDate(missing[0]!.from_day)}. Enter them, or say why there are none.`,
      });
    if (field !== 'done_on' && numberOf(record[field]) === null)
      errors.push({ field, message: 'Enter the actual, or mark it as not applicable.' });
    if (kpi?.evidence && record.evidence === null)
      errors.push({ field: 'evidence', message: `Attach evidence for ${kpi.name}.` });
    const odd = errors.length === 0 ? await oddFigure(unit, record) : null;
    if (odd !== null && numberOf(record.remark) === null) errors.push({ field: 'remark', message: odd });
    const below = kpi?.remark_below ?? null;
    const isBelow = below !== null && record.achievement !== null && Number(record.achievement) < Number(below);
    if (isBelow && numberOf(record.remark) === null)
      errors.push({ field: 'remark', message: `Below ${new Decimal(below).toString()} %: say why.` });
    return errors;
  },
};
