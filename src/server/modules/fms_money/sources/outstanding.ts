import { Decimal } from 'decimal.js';
import { ALL_COMPANIES } from '../../../../domain/dashboard.ts';
import { dayOfMonth } from '../../../../domain/dashboard_span.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';
import { duesOf } from '../dues.ts';

/** What customers owe at the end of the page's month, of the bills that the reader may see (C16). */
const outstanding: ReportSource = {
  reads: { billing: ['outstanding'] },
  counts: ['receipt', 'advance_use'],
  async rows(call) {
    const { session, parameters, today } = call;
    const day = dayOfMonth(typeof parameters.month === 'string' ? parameters.month : null, today);
    const reader = new SourceReader(call);
    const companies = session.entityId === null ? session.entityIds : [session.entityId];
    let sum = new Decimal(0);
    for (const company of companies) {
      const [found] = await reader.query<{ sum: string }>((values) => {
        const of = values.bind(company);
        // Of today, bills know what is outstanding of them: the statement for another day takes much longer.
        if (day === today)
          return `select coalesce(sum(b.outstanding), 0)::text as sum from {billing} b where b.entity_id = ${of}
            and b.status = 'posted' and b.outstanding > 0 and ${reader.seen('billing', 'b', values)}`;
        values.bind(day);
        return `with ${duesOf(null)} select coalesce(sum(d.outstanding), 0)::text as sum from dues d
          join {billing} b on b.id = d.id where d.outstanding > 0 and ${reader.seen('billing', 'b', values)}`;
      });
      sum = sum.plus(found!.sum);
    }
    return {
      rows: [{ outstanding: sum.toFixed(2) }],
      opens: `/reports/outstanding?company=${companies.length === 1 ? companies[0] : ALL_COMPANIES}&as_on=${day}`,
    };
  },
};

export default outstanding;
