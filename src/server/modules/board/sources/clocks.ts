import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';
import { pageCompanies } from '../page_period.ts';

const days = (count: number) => `${count} ${count === 1 ? 'day' : 'days'}`;
const timeLeft = (left: number) => (left === 0 ? 'Today' : left > 0 ? days(left) : `${days(-left)} late`);

/** What expires next, by days left: terms, certificates, declarations and vacant seats. */
const clocks: ReportSource = {
  reads: {
    board_tenure: ['until_date'],
    board_member: ['signature_valid_to', 'databank_valid_to'],
    board_disclosure: ['due_on'],
    board_position: ['vacant_since'],
    board_unit: [],
    board_meeting: ['notice_by', 'draft_minutes_by', 'minutes_by'],
  },
  async rows(call) {
    const reader = new SourceReader(call);
    const rows = await reader.query<{ what: string; whose: string; day: string; what__to: string; days_left: number }>(
      (values) => {
        const company = `any(${values.bind(pageCompanies(call))}::bigint[])`;
        const today = `${values.bind(call.today)}::date`;
        const inOffice = `exists (select 1 from {board_tenure} o join {board_position} p on p.id = o.seat_id where o.board_member_id = m.id and o.state = 'active' and p.entity_id = ${company})`;
        return `select what, whose, day::text, list || '/view/' || id as "what__to", (day - ${today})::int as days_left from (
        select 'Term ends' as what, m.name || ', ' || u.name as whose, t.until_date as day, '/board_tenures' as list, t.id
          from {board_tenure} t join {board_position} s on s.id = t.seat_id join {board_unit} u on u.id = s.unit_id join {board_member} m on m.id = t.board_member_id
          where t.state = 'active' and t.until_date is not null and s.entity_id = ${company} and ${reader.seen('board_position', 's', values)}
        union all select 'Signature certificate ends', m.name, m.signature_valid_to, '/board_members', m.id from {board_member} m where m.signature_valid_to is not null and ${inOffice} and ${reader.seen('board_member', 'm', values)}
        union all select 'Entry in the databank ends', m.name, m.databank_valid_to, '/board_members', m.id from {board_member} m where m.databank_valid_to is not null and ${inOffice} and ${reader.seen('board_member', 'm', values)}
        union all select 'Declaration is due', m.name, d.due_on, '/board_disclosures', d.id from {board_disclosure} d join {board_member} m on m.id = d.board_member_id where d.state in ('due', 'overdue') and d.entity_id = ${company} and ${reader.seen('board_disclosure', 'd', values)}
        union all select 'Seat is to be filled', coalesce(s.title, s.number) || ', ' || u.name, (s.vacant_since + interval '3 months')::date, '/board_positions', s.id
          from {board_position} s join {board_unit} u on u.id = s.unit_id where s.holder_id is null and s.vacant_since is not null and s.entity_id = ${company} and ${reader.seen('board_position', 's', values)}
        union all select x.what, u.name, x.day, '/board_meetings', g.id from {board_meeting} g join {board_unit} u on u.id = g.unit_id
          cross join lateral (values ('Notice is due', g.notice_by, 'planned'), ('Draft minutes are due', g.draft_minutes_by, 'held'),
            ('Minutes are to be entered', g.minutes_by, 'minuted')) x(what, day, state)
          where g.state = x.state and g.entity_id = ${company} and ${reader.seen('board_meeting', 'g', values)}
        union all select 'Meeting is to be held', u.name, max(g.held_on) + t.max_gap_days, '/BoardUnits', u.id from {board_meeting} g
          join {board_unit} u on u.id = g.unit_id join {board_type} t on t.id = u.board_type_id
          where g.state in ('held', 'minuted', 'entered') and u.state = 'constituted' and t.max_gap_days is not null and g.entity_id = ${company}
            and ${reader.seen('board_meeting', 'g', values)} group by u.id, u.name, t.max_gap_days
      ) clocks where day <= ${today} + 180 order by day, what, whose limit 20`;
      },
    );
    return { rows: rows.map(({ days_left: left, ...row }) => ({ ...row, left: timeLeft(left) })) };
  },
};

export default clocks;
