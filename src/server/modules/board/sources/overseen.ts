import { humanise } from '../../../../descriptor/humanise.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { chosenUnit } from '../chosen_unit.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';

/** Areas whose names are abbreviations. */
const ABBREVIATED: Readonly<Record<string, string>> = { it: 'IT', hr: 'HR' };

/** The statutory areas that a unit oversees: what is overdue, and what is due within 30 days. */
const overseen: ReportSource = {
  reads: { board_unit: ['areas'], filing: ['overdue', 'category'] },
  async rows(call) {
    const unit = await chosenUnit(call);
    if (!unit) return { rows: [] };
    const reader = new SourceReader(call);
    const rows = await reader.query<{ area: string; overdue: number; next_30: number }>(
      (values) => `select a.area, count(*) filter (where f.overdue)::int as overdue,
          count(*) filter (where f.status in ('upcoming', 'in_preparation', 'under_review', 'ready')
            and f.last_day between ${values.bind(call.today)}::date and ${values.bind(call.today)}::date + 30)::int as next_30
        from (select unnest(areas) as area from {board_unit} where id = ${values.bind(unit.id)}) a
        left join {filing} f on f.category = a.area and f.entity_id = ${values.bind(call.session.entityId)} and ${reader.seen('filing', 'f', values)}
        group by a.area order by 2 desc, 3 desc, 1`,
    );
    return {
      rows: rows.map(({ area, overdue, next_30: next }) => {
        const to = `/dashboard_compliance?category=${area}`;
        return {
          area: ABBREVIATED[area] ?? humanise(area),
          overdue,
          next_30: next,
          area__to: to,
          overdue__to: to,
          next_30__to: to,
        };
      }),
    };
  },
};

export default overseen;
