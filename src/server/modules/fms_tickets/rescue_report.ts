import { AppError } from '../../db/errors.ts';
import { askQuestionsOf } from '../../platform/inspections/ask_questions.ts';
import type { Unit } from '../../engine/records/unit.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * Freezes the questions of the rescue report (section 4) from the newest published survey type with the purpose
 * rescue_report. Without one nothing is asked: a call with people inside never waits for a form.
 */
export async function rescueReportOf(unit: Unit, ticket: Row): Promise<Row> {
  if (ticket.trapped !== true || typeof ticket.answers === 'number') return {};
  const [type] = await unit.query<{ id: number }>(
    `select id from {tis_survey_type} where active and purpose = 'rescue_report' and status = 'published' order by id desc limit 1`,
  );
  if (!type) return {};
  try {
    const version = await askQuestionsOf(unit, type.id);
    return { survey_type_id: type.id, answers: version.id };
  } catch (error) {
    if (error instanceof AppError) return {};
    throw error;
  }
}
