import type { FieldError, Screen, WireRecord } from '../../../descriptor/types.ts';
import { complete } from '../../../domain/questionnaire/completion.ts';
import { seedOf } from '../../../domain/questionnaire/shuffle.ts';
import { answersOf, asAnswers } from '../../engine/questionnaire/answer_rows.ts';
import { answersField, attributesOf, versionFor } from '../../engine/questionnaire/answered_version.ts';
import type { Unit } from '../../engine/records/unit.ts';

/** The missing answers of a ticket's checklist or rescue report; empty if it has none. */
export async function missingAnswers(unit: Unit, screen: Screen, record: WireRecord): Promise<FieldError[]> {
  if (typeof record.answers !== 'number') return [];
  const { tenant } = unit.session;
  const version = await versionFor(tenant, screen, answersField(screen, 'answers'), record);
  if (!version) return [];
  const answers = asAnswers(await answersOf(tenant, { type: screen.name, id: record.id, field: 'answers' }));
  const { faults } = complete(version.content, answers, {
    seed: seedOf(screen.name, record.id),
    attributes: attributesOf(screen, record),
  });
  if (faults.length === 0) return [];
  const what = record.trapped === true ? 'rescue report' : 'checklist';
  const open = faults.length === 1 ? '1 question is' : `${faults.length} questions are`;
  return [{ field: 'answers', message: `Answer the ${what} first: ${open} still open.` }];
}
