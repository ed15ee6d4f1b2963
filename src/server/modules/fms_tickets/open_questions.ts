import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import { complete } from '../../../domain/questionnaire/completion.ts';
import { seedOf } from '../../../domain/questionnaire/shuffle.ts';
import { answersOf, asAnswers } from '../../engine/questionnaire/answer_rows.ts';
import { answersField, attributesOf, versionFor } from '../../engine/questionnaire/answered_version.ts';
import type { Unit } from '../../engine/records/unit.ts';

/** How many questions of a ticket's checklist or rescue report are open; 0 if it has none. */
export async function openQuestions(unit: Unit, screen: Screen, record: WireRecord): Promise<number> {
  if (typeof record.answers !== 'number') return 0;
  const { tenant } = unit.session;
  const version = await versionFor(tenant, screen, answersField(screen, 'answers'), record);
  if (!version) return 0;
  const answers = asAnswers(await answersOf(tenant, { type: screen.name, id: record.id, field: 'answers' }));
  const { faults } = complete(version.content, answers, {
    seed: seedOf(screen.name, record.id),
    attributes: attributesOf(screen, record),
  });
  return faults.length;
}
