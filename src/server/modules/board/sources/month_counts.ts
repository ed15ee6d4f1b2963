import { monthTitle } from '../../../../domain/month_names.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';
import { pageDay } from '../page_period.ts';

/** What is counted in the latest month with figures: KPIs of the company and its units by colour, members by rating. */
const COUNTED = {
  goals: {
    name: 'colour',
    from: `{kpi_actual} t where t.employee_id is null and t.colour is not null and t.status in ('approved', 'frozen')`,
    type: 'kpi_actual',
    opens: '/actual_ViewLanding',
  },
  ratings: {
    name: 'band',
    from: `{kpi_score} t where t.employee_id is not null and t.band is not null`,
    type: 'kpi_score',
    opens: null,
  },
} as const;

const monthCounts: ReportSource = {
  reads: { kpi_actual: ['colour'], kpi_score: ['band'] },
  async rows(call) {
    const { name, from, type, opens } = COUNTED[call.args?.as as keyof typeof COUNTED];
    const reader = new SourceReader(call);
    const rows = await reader.query<{ name: string; n: number; month: string }>((values) => {
      const seen = () => `${from} and ${reader.seen(type, 't', values)}`;
      return `select t.${name} as name, count(*)::int as n, t.month from ${seen()}
        and t.month = (select max(t.month) from ${seen()} and t.month <= ${values.bind(pageDay(call).slice(0, 7))})
        group by t.${name}, t.month order by count(*) desc, 1`;
    });
    const [first] = rows;
    if (!first) return { rows: [] };
    const filter = JSON.stringify(['month', 'eq', first.month]);
    return {
      rows: rows.map(({ name: value, n }) => ({ [name]: value, n })),
      note: `Of ${monthTitle(first.month)}`,
      ...(opens !== null && { opens: `${opens}?filter=${encodeURIComponent(filter)}` }),
    };
  },
};

export default monthCounts;
