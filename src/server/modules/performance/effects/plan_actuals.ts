import type { EntryPeriod } from '../../../../domain/performance/entry_periods.ts';
import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';
import { daysAfter } from '../kpi_months.ts';
import { ownerOf } from '../sheet_owner.ts';
import { newParts } from '../figures_by_dimension.ts';
import { entryPeriods } from '../entries.ts';
import { autoAcknowledgeDays, performanceSettings } from '../performance_settings.ts';
import { kpisOf, linesOf, needsNumber, numberOf, periodsOf, startMonthOf } from '../sheet_lines.ts';
import { WHOLE, intoParts, partKeyOf, partKeySql, partNames, placeKey } from '../line_part.ts';
import { followBelow, kpisBelow, rollUpInto } from '../rolled_up.ts';
import { calendarsOf } from '../update_calendar.ts';

/** Updates below count into the part of the KPI that the sheet has now, otherwise into the whole KPI. */
async function followParts(unit: Unit, sheet: number): Promise<void> {
  const rows = await unit.query<{ id: number; into: string }>(
    `select u.id, u.into from (
       select a.id, a.into_part_key, case when exists (select 1 from {kpi_sheet.lines} l where l.parent_id = $1 and l.kpi_id = a.kpi_id
         and ${partKeySql('l')} = a.part_key) then a.part_key else '${WHOLE}' end as into
       from {kpi_actual} a where a.parent_sheet_id = $1 and a.active and a.status <> 'frozen') u where u.into <> u.into_part_key`,
    [sheet],
  );
  await unit.changeMany(
    'kpi_actual',
    rows.map(({ id, into }) => ({ id, set: { into_part_key: into } })),
  );
}

/** Creates the updates of an approved sheet: one for each line and period in force, with target, weight and days. */
export const planActuals: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const lines = linesOf(record);
    const kpis = await kpisOf(unit, lines);
    const startMonth = await startMonthOf(unit);
    const settings = await performanceSettings(unit);
    const calendarOf = await calendarsOf(unit);
    const below = await kpisBelow(unit, record.id, 'in force');
    const updates: Record<string, unknown>[] = [];
    const parts = await partNames(unit, lines);
    const into = await intoParts(unit, record.id);
    /** The days, weeks or parts of updates, by KPI, part and month. */
    const entered = new Map<string, Record<string, Record<string, unknown>[]>>();
    for (const [at, line] of lines.entries()) {
      const kpi = kpis.get(line.kpi_id as number);
      if (!kpi) continue;
      const part = partKeyOf(line);
      const source = below.has(placeKey(kpi.id, part)) && kpi.source !== 'formula' ? 'rollup' : kpi.source;
      const { opens, due, freeze } = calendarOf(kpi.frequency, kpi.kpi_type_id);
      for (const { month, endsOn, column } of periodsOf(record, kpi.frequency, startMonth)) {
        const entries = source === 'manual' ? await entryPeriods(unit, record, kpi.frequency, month, startMonth) : [];
        const lastEntry = entries.at(-1)?.to_day;
        const last = lastEntry !== undefined && lastEntry > endsOn ? lastEntry : endsOn;
        const key = `${placeKey(kpi.id, part)} ${month}`;
        const withDays = ({ to_day: end }: EntryPeriod) => ({
          due_on: daysAfter(end, due),
          freezes_on: daysAfter(end, freeze),
        });
        const split = source === 'manual' ? await newParts(unit, kpi.dimension) : [];
        if (entries.length > 0) entered.set(key, { entries: entries.map((one) => ({ ...one, ...withDays(one) })) });
        else if (split.length > 0) entered.set(key, { parts: split });
        updates.push({
          sheet_id: record.id,
          ...ownerOf(record),
          ...(typeof line.updater_id === 'number' && { responsible_id: line.updater_id }),
          manager_id: record.manager_id ?? null,
          approver_id: line.approver_id ?? null,
          kpi_id: kpi.id,
          part: parts[at],
          part_key: part,
          method: kpi.achievement_method,
          seen_by: kpi.confidential ? 'line' : 'all',
          source,
          needs_approval: kpi.approval_required && source === 'manual',
          parent_sheet_id: line.parent_sheet_id ?? null,
          into_part_key: into.get(placeKey(kpi.id, part)) ?? WHOLE,
          contribution_weight: numberOf(line.contribution_weight) ?? '1',
          month,
          ends_on: endsOn,
          opens_on: daysAfter(last, opens),
          due_on: daysAfter(last, due),
          freezes_on: daysAfter(last, freeze),
          weight: numberOf(line.weight) ?? '0',
          target: needsNumber(kpi) ? numberOf(line[column]) : null,
          base_value: numberOf(line.base_value),
          range_low: numberOf(line.range_low),
          range_high: numberOf(line.range_high),
          target_day: numberOf(line.target_day),
          threshold_percent: numberOf(line.threshold_percent) ?? settings.threshold_percent,
          cap_percent: numberOf(line.cap_percent) ?? settings.cap_percent,
          stretch_percent: numberOf(line.stretch_percent),
          tolerance: numberOf(line.tolerance),
        });
      }
    }
    const days = await autoAcknowledgeDays(unit);
    if (days !== null)
      await unit.update('kpi_sheet', record.id, { acknowledge_by: daysAfter(dayOfRecord(unit, record), days) });
    await unit.createMany('kpi_actual', updates, { skip: ['sheet_id', 'kpi_id', 'part_key', 'month'] });
    if (entered.size > 0) {
      const made = await unit.query<{ id: number; key: string }>(
        `select a.id, a.kpi_id || ' ' || a.part_key || ' ' || a.month as key from {kpi_actual} a where a.sheet_id = $1 and a.active and a.status = 'to_enter'
           and not exists (select 1 from {kpi_actual.entries} e where e.parent_id = a.id)
           and not exists (select 1 from {kpi_actual.parts} p where p.parent_id = a.id)`,
        [record.id],
      );
      for (const { id, key } of made) if (entered.has(key)) await unit.update('kpi_actual', id, entered.get(key)!);
    }
    await followParts(unit, record.id);
    for (const place of below.values()) await rollUpInto(unit, place, null);
    for (const line of lines) {
      const { kpi_id: kpi, parent_sheet_id: above } = line;
      if (typeof above !== 'number') continue;
      const part = into.get(placeKey(kpi, partKeyOf(line))) ?? WHOLE;
      const place = { sheet_id: above, kpi_id: Number(kpi), part_key: part };
      await followBelow(unit, place);
      await rollUpInto(unit, place, null);
    }
    const { entityId } = unit.session;
    if (updates.some(({ source }) => source === 'system')) unit.enqueue('take_figures', {}, `company ${entityId}`);
    if (updates.some(({ source }) => source === 'import')) unit.enqueue('take_imports', {}, `company ${entityId}`);
  },
};
