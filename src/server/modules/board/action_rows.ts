import type { ActionStanding } from '../../../domain/board/meeting_actions.ts';
import { standingOf } from '../../../domain/board/meeting_actions.ts';
import type { ReportCall } from '../../engine/reports/report_source.ts';
import { SourceReader } from '../../engine/reports/source_reader.ts';
import { maySeePapers } from './may_see_papers.ts';

/** An action of a meeting, as boards and reports show it. */
export interface ActionRow {
  meeting_id: number;
  meeting: string;
  unit: string;
  held_on: string;
  what: string;
  owner_id: number;
  owner: string;
  due_on: string;
  done_on: string | null;
  state: string | null;
  standing: ActionStanding;
  /** Days since the meeting. */
  age: number;
  /** The owner has left the unit or the company: the action needs a new owner. */
  hand_over: boolean;
}

/** Limits the actions; without a value there is no limit. */
interface Which {
  /** The day as of which they are; default: today. */
  day?: string | undefined;
  unit?: number | null;
  owner?: number | null;
  from?: string | null;
  to?: string | null;
}

/**
 * The actions of meetings that the reader may see, by their due day. Those of confidential units are for its members, its
 * secretary and their owner.
 */
export async function actionRows(
  call: ReportCall,
  { day = call.today, unit, owner, from, to }: Which = {},
): Promise<ActionRow[]> {
  const reader = new SourceReader(call);
  const rows = await reader.query<Omit<ActionRow, 'standing'>>((values) => {
    const today = `${values.bind(day)}::date`;
    const sits = `exists (select 1 from {board_tenure} t join {board_member} m on m.id = t.board_member_id
      where t.unit_id = g.unit_id and t.active and coalesce(m.employee_id, -1) = a.owner_id and t.state = `;
    return `select g.id as meeting_id, g.number as meeting, u.name as unit, g.held_on::text, a.what, a.owner_id, coalesce(e.name, '') as owner,
        a.due_on::text, a.done_on::text, a.state, ${today} - g.held_on as age,
        coalesce(e.status = 'left', false) or (${sits}'ended') and not ${sits}'active')) as hand_over
      from {board_meeting.actions} a join {board_meeting} g on g.id = a.parent_id join {board_unit} u on u.id = g.unit_id
      left join {employee} e on e.id = a.owner_id
      where g.state in ('held', 'minuted', 'entered') and a.due_on is not null and g.held_on <= ${today} and ${reader.seen('board_meeting', 'g', values)}
        and (${maySeePapers(call, values)} or a.owner_id = ${values.bind(call.session.employeeId)}::bigint)
        ${unit ? `and g.unit_id = ${values.bind(unit)}` : ''} ${owner ? `and a.owner_id = ${values.bind(owner)}` : ''}
        ${from ? `and a.due_on >= ${values.bind(from)}::date` : ''} ${to ? `and a.due_on <= ${values.bind(to)}::date` : ''}
      order by a.due_on, u.name, a.what`;
  });
  return rows.map((row) => ({ ...row, standing: standingOf(asOf(row, day, call.today), day) }));
}

/** As it stood on an earlier day: what was closed later was open then. */
function asOf<Row extends { state: string | null; done_on: string | null }>(row: Row, day: string, today: string): Row {
  return day < today && row.done_on !== null && row.done_on > day ? { ...row, state: 'open', done_on: null } : row;
}

export const isOpen = ({ standing }: Pick<ActionRow, 'standing'>): boolean =>
  standing === 'open' || standing === 'late';

/** The types that actions are read from, with the field that they reveal. */
export const ACTION_READS = { board_meeting: ['actions'], board_unit: [] } as const;
