import { lastDay } from '../../../../domain/fms/contract_years.ts';
import type { Fill } from '../../../engine/modules.ts';
import { linesOf } from '../contract_lines.ts';

/**
 * Days and visits of each lift: days from the contract, visits from its AMC type before the contract's own frequency.
 * Lines that have begun do not change.
 */
export const lineTerms: Fill = {
  async run({ unit, record }) {
    const lines = linesOf(record);
    const {
      start_on: start,
      months,
      ends_on: other,
    } = record as { start_on?: string; months?: number; ends_on?: string };
    const end = other ?? (start && months ? lastDay(start, Number(months)) : null);
    const types = lines.flatMap(({ amc_type_id: id }) => (typeof id === 'number' ? [id] : []));
    const visits = await unit.query<{ id: number; visits: number | null }>(
      `select t.id, v.visits_per_year as visits from {amc_type_mstr} t left join {schedule_visit_mstr} v on v.id = t.schedule_visit_id
       where t.id = any($1::bigint[])
       union all select 0, visits_per_year from {schedule_visit_mstr} where id = $2`,
      [types, record.schedule_visit_id ?? null],
    );
    const ofType = new Map(visits.map(({ id, visits: count }) => [id, count]));
    return {
      lines: lines.map((line) =>
        (line.line_status ?? 'draft') !== 'draft'
          ? { from_on: line.from_on, to_on: line.to_on, visits_per_year: line.visits_per_year }
          : {
              from_on: start ?? null,
              to_on: end,
              visits_per_year: ofType.get(0) ?? ofType.get(line.amc_type_id) ?? null,
            },
      ),
    };
  },
};
