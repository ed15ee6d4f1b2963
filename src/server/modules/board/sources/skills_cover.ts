import { skillsCover } from '../../../../domain/board/board_score.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { chosenUnit } from '../chosen_unit.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';

/** How many of the skills required in a unit its members cover, and which are missing (board.md §5.8). */
const cover: ReportSource = {
  reads: { board_unit: ['skills'], board_member: ['skills'] },
  async rows(call) {
    const unit = await chosenUnit(call);
    if (!unit) return { rows: [] };
    const reader = new SourceReader(call);
    const required = await reader.query<{ id: number; name: string }>(
      (values) => `select c.id, c.name from {competencies} c
        where c.id = any((select skills from {board_unit} where id = ${values.bind(unit.id)})::bigint[]) order by c.name`,
    );
    const held = await reader.query<{ skill: number; level: number }>(
      (values) => `select k.competency_id as skill, k.level from {board_member.skills} k
        where k.parent_id = any((select member_ids from {board_unit} where id = ${values.bind(unit.id)})::bigint[])`,
    );
    const result = skillsCover(
      required.map(({ id }) => id),
      held,
    );
    if (!result) return { rows: [], note: 'The unit has no required skills.' };
    const names = new Map(required.map(({ id, name }) => [id, name]));
    const missing = result.missing.map((id) => names.get(id)).join(', ');
    return {
      rows: [{ cover: Number(result.percent) }],
      note: missing === '' ? 'Every skill is covered.' : `Missing: ${missing}`,
      opens: `/BoardUnits/view/${unit.id}`,
    };
  },
};

export default cover;
