import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';

/** Who held which office on a day: the statutory register of directors and officers (board.md §7). */
const registerReport: ReportSource = {
  reads: { board_tenure: ['board_member_id', 'from_date'], board_member: ['din', 'other_offices'], board_unit: [] },
  async rows(call) {
    const { unit } = call.parameters;
    const day = typeof call.parameters.on_day === 'string' ? call.parameters.on_day : call.today;
    const reader = new SourceReader(call);
    const rows = await reader.query<{
      tenure_id: number;
      unit: string;
      member: string;
      din: string | null;
      designation: string;
      from_date: string;
      until_date: string | null;
      term_no: number | null;
      basis: string;
      resolution_no: string | null;
      filing_ref: string | null;
      filed_on: string | null;
      other_offices: string | null;
    }>((values) => {
      const on = `${values.bind(day)}::date`;
      return `select t.id as tenure_id, u.name as unit, m.name as member, m.din, d.name as designation, t.from_date::text,
          coalesce(t.ended_on, t.until_date)::text as until_date, t.term_no, t.basis, t.resolution_no, t.filing_ref, t.filed_on::text,
          (select string_agg(o.office || ', ' || o.company, '; ' order by o.company) from {board_member.other_offices} o
            where o.parent_id = m.id and (o.from_date is null or o.from_date <= ${on}) and (o.to_date is null or o.to_date >= ${on})) as other_offices
        from {board_tenure} t join {board_unit} u on u.id = t.unit_id join {board_member} m on m.id = t.board_member_id
        join {board_designation} d on d.id = t.designation_id
        where t.state in ('active', 'ended') and t.from_date <= ${on} and coalesce(t.ended_on, t.until_date, ${on}) >= ${on}
          and ${reader.seen('board_tenure', 't', values)} ${typeof unit === 'number' ? `and t.unit_id = ${values.bind(unit)}` : ''}
        order by u.kind, u.name, d.order_no nulls last, m.name`;
    });
    return { rows };
  },
};
export default registerReport;
