import type { Screen, WireRecord } from '../../../../descriptor/types.ts';
import { complete } from '../../../../domain/questionnaire/completion.ts';
import { seedOf } from '../../../../domain/questionnaire/shuffle.ts';
import type { Session } from '../../../access/context.ts';
import { invalid } from '../../../db/errors.ts';
import { answersOf, asAnswers } from '../../../engine/questionnaire/answer_rows.ts';
import { attributesOf } from '../../../engine/questionnaire/answered_version.ts';
import { versionById } from '../../../engine/questionnaire/versions.ts';
import { storeResult } from '../../../platform/inspections/store_result.ts';

/**
 * Score, grade and faults of the current answers, computed here whatever the browser sends. Submitted answers must stay
 * complete.
 * @throws AppError 422
 */
export async function scoreAnswers({ tenant }: Session, screen: Screen, record: WireRecord): Promise<void> {
  const version = typeof record.answers === 'number' ? await versionById(tenant, record.answers) : null;
  if (!version) return;
  const answers = asAnswers(await answersOf(tenant, { type: screen.name, id: record.id, field: 'answers' }));
  const attributes = attributesOf(screen, record);
  if (record.status === 'submitted') {
    const { faults } = complete(version.content, answers, { seed: seedOf(screen.name, record.id), attributes });
    if (faults.length > 0) throw invalid(faults.map(({ key, message }) => ({ field: `answers.${key}`, message })));
  }
  await storeResult(
    tenant.db,
    tenant.schema,
    { id: record.id, survey_type_id: record.survey_type_id },
    version.content,
    answers,
    attributes,
  );
}
