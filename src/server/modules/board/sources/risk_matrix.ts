import type { FilterExpression } from '../../../../descriptor/types.ts';
import type { ReportCall, ReportSource } from '../../../engine/reports/report_source.ts';
import { pageCompanies } from '../page_period.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';

/** Levels of the matrix at least. */
const LEVELS = 5;

/** The list of the open risks of a cell: as judged today, or without controls where nobody has judged them. */
function listOf(call: ReportCall, likelihood: number, impact: number): string {
  const at = (of: 'likelihood' | 'impact', level: number): FilterExpression => [
    'or',
    [`assessed_${of}`, 'eq', level],
    ['and', [`assessed_${of}`, 'empty'], [`inherent_${of}`, 'eq', level]],
  ];
  const filter: FilterExpression = [
    'and',
    ['status', 'ne', 'closed'],
    ['entity_id', 'in', pageCompanies(call)],
    at('likelihood', likelihood),
    at('impact', impact),
  ];
  return `/audit_risk?filter=${encodeURIComponent(JSON.stringify(filter))}`;
}

const levels = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

/** Open risks by likelihood and impact, as judged today or without controls. */
const riskMatrix: ReportSource = {
  reads: {
    audit_risk: ['inherent_likelihood', 'inherent_impact', 'assessed_likelihood', 'assessed_impact'],
  },
  async rows(call) {
    const reader = new SourceReader(call);
    const risks = await reader.query<{ likelihood: number; impact: number; n: number }>(
      (values) => `select coalesce(r.assessed_likelihood, r.inherent_likelihood) as likelihood,
          coalesce(r.assessed_impact, r.inherent_impact) as impact, count(*)::int as n
        from {audit_risk} r where r.status <> 'closed' and ${reader.seen('audit_risk', 'r', values)} group by 1, 2`,
    );
    if (risks.length === 0) return { rows: [] };
    const most = (of: 'likelihood' | 'impact') => Math.max(LEVELS, ...risks.map((risk) => risk[of]));
    return {
      rows: levels(most('likelihood'))
        .toReversed()
        .flatMap((likelihood) =>
          levels(most('impact')).map((impact) => ({
            likelihood: String(likelihood),
            impact: String(impact),
            n: risks.find((risk) => risk.likelihood === likelihood && risk.impact === impact)?.n ?? 0,
            n__to: listOf(call, likelihood, impact),
          })),
        ),
    };
  },
};

export default riskMatrix;
