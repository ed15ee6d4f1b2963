import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';
import { earlierDay, pageCompanies } from '../page_period.ts';
import { runsOn, vacantOn } from '../terms_on_day.ts';

/** Each unit in office on one line: its members, its vacant seats, and what it lacks by the rules (board.md §7). */
const unitComposition: ReportSource = {
  reads: { board_unit: ['member_ids'], board_finding: ['remedy'], board_position: ['holder_id'] },
  counts: ['board_tenure'],
  async rows(call) {
    const reader = new SourceReader(call);
    const companies = pageCompanies(call);
    const day = earlierDay(call);
    const rows = await reader.query<{
      unit_id: number;
      company_id: number;
      unit: string;
      missing: string | null;
      members: number;
      vacant: number;
    }>((values) => {
      const on = day === null ? null : values.bind(day);
      const isOpen =
        on === null
          ? `f.state = 'open'`
          : `f.since <= ${on}::date and (f.ended_on is null or f.ended_on > ${on}::date)`;
      return `select u.id as unit_id, u.entity_id as company_id, u.name || case when ${values.bind(companies.length > 1)} then ', ' || e.name else '' end as unit,
          (select count(distinct t.board_member_id)::int from {board_tenure} t join {board_position} s on s.id = t.seat_id
            where s.unit_id = u.id and t.active and ${runsOn('t', on)}) as members,
          (select count(*)::int from {board_position} s where s.unit_id = u.id and s.active and ${vacantOn('s', on)}
            and ${reader.seen('board_position', 's', values)}) as vacant,
          (select string_agg(distinct coalesce(f.remedy, r.name), ' ') from {board_finding} f join {board_rule} r on r.id = f.rule_id
            where f.unit_id = u.id and ${isOpen} and ${reader.seen('board_finding', 'f', values)}) as missing
        from {board_unit} u join {entity} e on e.id = u.entity_id
        where ${on === null ? `u.state = 'constituted'` : `u.state in ('constituted', 'dissolved') and u.constituted_on <= ${on}::date and (u.dissolved_on is null or u.dissolved_on > ${on}::date)`} and u.entity_id = any(${values.bind(companies)}::bigint[]) and ${reader.seen('board_unit', 'u', values)}
        order by e.name, u.kind <> 'board', u.name limit 30`;
    });
    return { rows: rows.map((row) => ({ ...row, result: row.missing === null ? 'met' : 'violated' })) };
  },
};

export default unitComposition;
