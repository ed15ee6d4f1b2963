import { skillsCover } from '../../../../domain/board/board_score.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';
import { chosenUnit } from '../chosen_unit.ts';

/** The level of each member of a unit in each skill, and how many required skills are covered (board.md §5.8, 7). */
const skillsReport: ReportSource = {
  reads: { board_unit: ['skills'], board_member: ['skills'], competencies: [] },
  async rows(call) {
    const unit = await chosenUnit(call);
    if (!unit) return { rows: [] };
    const reader = new SourceReader(call);
    const skills = await reader.query<{ id: number; name: string; required: boolean }>(
      (
        values,
      ) => `select c.id, c.name, c.id = any(coalesce(u.skills, '{}')) as required from {board_unit} u join {competencies} c
          on c.id = any(coalesce(u.skills, '{}')) or exists (select 1 from {board_member.skills} s where s.parent_id = any(u.member_ids) and s.competency_id = c.id)
        where u.id = ${values.bind(unit.id)} order by 3 desc, c.name`,
    );
    const levels = await reader.query<{ member: string; skill: number | null; level: number | null }>(
      (
        values,
      ) => `select m.name as member, s.competency_id as skill, s.level::int as level from {board_unit} u join {board_member} m on m.id = any(u.member_ids)
          left join {board_member.skills} s on s.parent_id = m.id
        where u.id = ${values.bind(unit.id)} and ${reader.seen('board_member', 'm', values)} order by m.name`,
    );
    const names = new Map(skills.map(({ id, name }) => [id, name]));
    const cover = skillsCover(
      skills.flatMap(({ id, required }) => (required ? [id] : [])),
      levels.flatMap(({ skill, level }) => (skill === null || level === null ? [] : [{ skill, level }])),
    );
    return {
      rows: levels.map(({ member, skill, level }) => ({ member, skill: skill === null ? null : String(skill), level })),
      pivot: skills.map(({ id, name, required }) => ({ value: String(id), title: required ? `${name} *` : name })),
      figures:
        cover === null
          ? []
          : [
              {
                title: 'Required skills covered',
                value: `${cover.percent} %`,
                ...(cover.missing.length > 0 && { tone: 'warning' as const }),
              },
            ],
      note: [
        unit.name,
        ...(cover === null ? ['no skill is required'] : ['required skills have a *']),
        ...(cover && cover.missing.length > 0
          ? [`missing: ${cover.missing.map((id) => names.get(id) ?? '').join(', ')}`]
          : []),
      ].join('; '),
    };
  },
};
export default skillsReport;
