import { AppError } from '../../db/errors.ts';
import { askQuestionsOf } from '../../platform/inspections/ask_questions.ts';
import type { Unit } from '../../engine/records/unit.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * The report that a rescue is closed with (section 4): the newest published survey type with the purpose rescue_report, its
 * questions frozen now. Nothing where there is none, or where it cannot be asked: a call with people inside waits for no form.
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
