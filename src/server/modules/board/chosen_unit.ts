import { AppError } from '../../db/errors.ts';
import type { ReportCall } from '../../engine/reports/report_source.ts';
import { SourceReader } from '../../engine/reports/source_reader.ts';

/** A unit as dashboards show it. */
export interface ChosenUnit {
  id: number;
  name: string;
  entity_id: number;
  scorecard_of_id: number | null;
  kind: string;
  quorum_fraction: string | null;
  quorum_min: number;
  /** The reader may see its papers: they are not confidential, or the reader is a member or the secretary. */
  shows_papers: boolean;
}

/**
 * The unit of a page: the chosen one, otherwise the company's board or, on a committee page, the reader's first
 * committee.
 * @throws AppError 403 for a unit that the reader may not see
 */
export async function chosenUnit(call: ReportCall): Promise<ChosenUnit | null> {
  const reader = new SourceReader(call);
  const { unit } = call.parameters;
  const { userId, employeeId, entityId } = call.session;
  const [found] = await reader.query<ChosenUnit>(
    (values) => `select u.id, u.name, u.entity_id, u.scorecard_of_id, u.kind, t.quorum_fraction::text,
        coalesce(u.quorum_min, t.quorum_min, 2) as quorum_min, coalesce(not u.confidential
          or ${values.bind(userId)}::bigint = any(u.member_user_ids) or u.secretary_id = ${values.bind(employeeId)}::bigint, false) as shows_papers
      from {board_unit} u join {board_type} t on t.id = u.board_type_id
      where u.state = 'constituted' and u.entity_id = ${values.bind(entityId)} and ${reader.seen('board_unit', 'u', values)}
        ${typeof unit === 'number' ? `and u.id = ${values.bind(unit)}` : ''}
      order by ${
        call.args?.of === 'committee'
          ? `exists (select 1 from {board_member} m where m.id = any(u.member_ids) and (m.user_id = ${values.bind(userId)} or m.employee_id = ${values.bind(employeeId)})) desc, u.kind = 'committee' desc`
          : `u.kind = 'board' desc`
      }, u.id limit 1`,
  );
  if (!found && typeof unit === 'number')
    throw new AppError(403, 'forbidden', 'You do not sit in this unit.', { reason: 'row' });
  return found ?? null;
}
