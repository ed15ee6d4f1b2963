import { inspectionQuestionnaire } from '../../../domain/inspection_questionnaire.ts';
import { findingsOf } from '../../../domain/questionnaire/publish_check.ts';
import { freezeVersion } from '../../engine/questionnaire/versions.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { surveyQuestions } from './survey_questions.ts';

/**
 * Freezes the current questions of a survey; equal questions are the same version. @throws AppError 422 if it has none
 */
export async function askQuestionsOf(unit: Unit, type: number): Promise<{ id: number; version_no: number }> {
  const { tenant, userId } = unit.session;
  const content = inspectionQuestionnaire(await surveyQuestions(tenant.db, tenant.schema, type));
  if (content.sections.length === 0)
    unit.refuse([
      { field: 'survey_type_id', message: 'This survey type has no questions. Add some to its groups first.' },
    ]);
  const findings = findingsOf(content);
  if (findings.length > 0)
    unit.refuse(
      findings.map(({ message }) => ({ field: 'survey_type_id', message: `This survey cannot be asked: ${message}` })),
    );
  const of = { type: 'tis_survey_type', id: type };
  const version = await freezeVersion(tenant, of, content, userId === 0 ? null : userId);
  await unit.query('update {tis_survey_type} set version_no = $2 where id = $1 and version_no is distinct from $2', [
    type,
    version.version_no,
  ]);
  return version;
}
