import type { WireRecord } from '../../../../descriptor/types.ts';
import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';

/** The questions of a survey type in walking order, as often as each is asked. */
async function questionsOf(unit: Unit, record: WireRecord): Promise<Record<string, unknown>[]> {
  const times: Record<string, number> = {
    landing: Number(record.landings ?? 1),
    rope: Number(record.ropes ?? 1),
    car_door: Number(record.car_doors ?? 1),
  };
  const rows = await unit.query<{ id: number; value_group: string | null; per: string | null; part: number }>(
    `select f.id, case when f.input in ('choice', 'multi') then f.value_group end as value_group, g.repeat_per as per, g.id as part
     from {tis_survey_type.groups} g join {tis_survey_field} f on f.tis_survey_group_id = g.tis_survey_group_id and f.active
     where g.parent_id = $1 order by g.seq, g.id, f.seq, f.id`,
    [record.survey_type_id],
  );
  return [...Map.groupBy(rows, ({ part }) => part).values()].flatMap((part) => {
    const count = times[part[0]!.per ?? ''] ?? null;
    return Array.from({ length: count ?? 1 }, (_, at) =>
      part.map(({ id, value_group }) => ({
        tis_survey_field_id: id,
        repeat_no: count === null ? null : at + 1,
        value_group,
      })),
    ).flat();
  });
}

/** Puts the questions of the survey into an inspection that begins. */
export const askQuestions: Effect = {
  async apply({ unit, record }) {
    const answers = await questionsOf(unit, record);
    if (answers.length === 0)
      unit.refuse([
        { field: 'survey_type_id', message: 'This survey type has no questions. Add some to its groups first.' },
      ]);
    await unit.update('tis_inspection', record.id, { answers });
  },
};
