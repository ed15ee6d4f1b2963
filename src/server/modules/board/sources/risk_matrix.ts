import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';

/** Levels of the matrix at least. */
const LEVELS = 5;

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
          })),
        ),
      opens: '/audit_risk',
    };
  },
};

export default riskMatrix;
