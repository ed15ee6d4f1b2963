import { inspectionQuestionnaire } from '../../../../domain/inspection_questionnaire.ts';
import { findingsOf } from '../../../../domain/questionnaire/publish_check.ts';
import type { Effect } from '../../../engine/modules.ts';
import { freezeVersion } from '../../../engine/questionnaire/versions.ts';
import { surveyQuestions } from '../../../platform/inspections/survey_questions.ts';

/** Freezes the questions of the survey as they are when an inspection begins; equal questions are the same version. */
export const askQuestions: Effect = {
  locks: ({ record }) => Promise.resolve([{ type: 'tis_survey_type', id: Number(record.survey_type_id) }]),
  async apply({ unit, record }) {
    const { tenant, userId } = unit.session;
    const type = Number(record.survey_type_id);
    const content = inspectionQuestionnaire(await surveyQuestions(tenant.db, tenant.schema, type));
    if (content.sections.length === 0)
      unit.refuse([
        { field: 'survey_type_id', message: 'This survey type has no questions. Add some to its groups first.' },
      ]);
    const findings = findingsOf(content);
    if (findings.length > 0)
      unit.refuse(
        findings.map(({ message }) => ({
          field: 'survey_type_id',
          message: `This survey cannot be asked: ${message}`,
        })),
      );
    const of = { type: 'tis_survey_type', id: type };
    const version = await freezeVersion(tenant, of, content, userId === 0 ? null : userId);
    await unit.query('update {tis_survey_type} set version_no = $2 where id = $1 and version_no is distinct from $2', [
      type,
      version.version_no,
    ]);
    await unit.update('tis_inspection', record.id, { answers: version.id, type_version: version.version_no });
  },
};
