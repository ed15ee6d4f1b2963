import { seedOf } from '../../../../domain/questionnaire/shuffle.ts';
import { courseOf } from '../../../../domain/questionnaire/course.ts';
import { existingTables } from '../../../db/existing_tables.ts';
import type { Effect } from '../../../engine/modules.ts';
import { answersOf, asAnswers } from '../../../engine/questionnaire/answer_rows.ts';
import { attributesOf } from '../../../engine/questionnaire/answered_version.ts';
import { versionById } from '../../../engine/questionnaire/versions.ts';

/** Writes the answers of an issued inspection into the fields of the lift that its questions name. */
export const fillLift: Effect = {
  elevated: true,
  async apply({ unit, record, services }) {
    if (typeof record.answers !== 'number' || typeof record.lift_id !== 'number') return;
    const { tenant } = unit.session;
    const tables = await existingTables(tenant.db, tenant.schema);
    if (!tables.has('tis_survey_field')) return;
    const all = unit.elevated();
    const named = await all.query<{ id: number; field: string }>(
      'select id, writes_lift_field as field from {tis_survey_field} where writes_lift_field is not null',
    );
    if (named.length === 0) return;
    const version = (await versionById(tenant, record.answers))!;
    const answers = asAnswers(await answersOf(tenant, { type: 'tis_inspection', id: record.id, field: 'answers' }));
    const attributes = attributesOf(services.screens().get('tis_inspection')!, record);
    const course = courseOf(version.content, answers, { seed: seedOf('tis_inspection', record.id), attributes });
    const values: Record<string, unknown> = {};
    for (const { question, value } of course.sections.flatMap(({ asked }) => asked)) {
      const field = named.find(({ id }) => id === Number(question.facts?.field))?.field;
      if (field !== undefined && value !== null && value !== undefined) values[field] ??= value;
    }
    if (Object.keys(values).length > 0) await all.update('lift', record.lift_id, values);
  },
};
