import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';
import { pageCompanies } from '../page_period.ts';

/** Each unit in office on one line: its members, its vacant seats, and what it lacks by the rules (board.md §7). */
const unitComposition: ReportSource = {
  reads: { board_unit: ['member_ids'], board_finding: ['remedy'], board_position: ['holder_id'] },
  async rows(call) {
    const reader = new SourceReader(call);
    const companies = pageCompanies(call);
    const rows = await reader.query<{
      unit_id: number;
      company_id: number;
      unit: string;
      missing: string | null;
      members: number;
      vacant: number;
    }>(
      (
        values,
      ) => `select u.id as unit_id, u.entity_id as company_id, u.name || case when ${values.bind(companies.length > 1)} then ', ' || e.name else '' end as unit,
          coalesce(cardinality(u.member_ids), 0)::int as members,
          (select count(*)::int from {board_position} s where s.unit_id = u.id and s.active and s.holder_id is null and s.abolished_on is null
            and ${reader.seen('board_position', 's', values)}) as vacant,
          (select string_agg(distinct coalesce(f.remedy, r.name), ' ') from {board_finding} f join {board_rule} r on r.id = f.rule_id
            where f.unit_id = u.id and f.state = 'open' and ${reader.seen('board_finding', 'f', values)}) as missing
        from {board_unit} u join {entity} e on e.id = u.entity_id
        where u.state = 'constituted' and u.entity_id = any(${values.bind(companies)}::bigint[]) and ${reader.seen('board_unit', 'u', values)}
        order by e.name, u.kind <> 'board', u.name limit 30`,
    );
    return { rows: rows.map((row) => ({ ...row, result: row.missing === null ? 'met' : 'violated' })) };
  },
};

export default unitComposition;
