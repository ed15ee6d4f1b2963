import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';
import { chosenUnit } from '../chosen_unit.ts';

const MOST = 12;

interface Risk extends Record<string, unknown> {
  risk_id: number;
  risk: string;
  kind: string;
  owner: string | null;
  score: number | null;
  tolerance: number | null;
}

/**
 * The open risks of the kinds that a unit oversees, and of kinds below them: the worst first, as judged today or without
 * controls where nobody has judged them.
 */
const unitRisks: ReportSource = {
  reads: { board_unit: ['risk_type_ids'], audit_risk: ['title', 'inherent_score', 'assessed_score', 'owner_id'] },
  counts: ['audit_risk_type'],
  async rows(call) {
    const unit = await chosenUnit(call);
    if (!unit) return { rows: [] };
    const reader = new SourceReader(call);
    const rows = await reader.query<Risk>(
      (values) => `with recursive kinds as (
          select unnest(u.risk_type_ids) as id from {board_unit} u where u.id = ${values.bind(unit.id)}
          union select t.id from {audit_risk_type} t join kinds k on t.parent_id = k.id)
        select r.id as risk_id, r.title as risk, t.name as kind, e.name as owner,
          coalesce(r.assessed_score, r.inherent_score) as score, t.tolerance_score as tolerance
        from {audit_risk} r join {audit_risk_type} t on t.id = r.risk_type_id left join {employee} e on e.id = r.owner_id
        where r.risk_type_id in (select id from kinds) and r.status <> 'closed' and r.entity_id = ${values.bind(call.session.entityId)}
          and ${reader.seen('audit_risk', 'r', values)}
        order by score desc nulls last, r.id limit ${MOST}`,
    );
    const above = rows.filter(({ score, tolerance }) => score !== null && tolerance !== null && score > tolerance);
    return {
      rows,
      ...(above.length > 0 && { note: `${above.length} above what is tolerated` }),
    };
  },
};

export default unitRisks;
