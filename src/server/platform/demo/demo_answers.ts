import { inspectionQuestionnaire } from '../../../domain/inspection_questionnaire.ts';
import type { Screen } from '../../../descriptor/types.ts';
import { quoted } from '../../db/names.ts';
import { tableName } from '../../db/tables.ts';
import type { Tenant } from '../../db/tenant.ts';
import { systemSession } from '../../engine/events/system_session.ts';
import { answersOf, asAnswers, formed, keepAnswers } from '../../engine/questionnaire/answer_rows.ts';
import { attributesOf } from '../../engine/questionnaire/answered_version.ts';
import { freezeVersion, latestVersion, versionById } from '../../engine/questionnaire/versions.ts';
import { readRecord } from '../../engine/records/read.ts';
import { storeResult } from '../inspections/store_result.ts';
import { surveyQuestions } from '../inspections/survey_questions.ts';

/** Answers of a demo record, by the keys of their questions. */
export interface DemoAnswers {
  type: string;
  id: number;
  company: number | null;
  field: string;
  values: Record<string, unknown>;
}

/**
 * Adds the answers of demo records to their questionnaires, which are published by now.
 * @throws Error naming an invalid answer
 */
export async function addDemoAnswers(
  tenant: Tenant,
  screens: ReadonlyMap<string, Screen>,
  given: readonly DemoAnswers[],
): Promise<void> {
  for (const { type, id, company, field, values } of given) {
    const screen = screens.get(type)!;
    const record = await readRecord(systemSession(tenant, company, null), screen, new Map(screens), id);
    const reference = screen.fields.find(({ name }) => name === field)!.answersOf!;
    const template = {
      type: screen.fields.find(({ name }) => name === reference)!.ref!.type,
      id: Number(record[reference]),
    };
    const isMade = screens.get(template.type)?.questionnaire?.madeBy !== undefined;
    const frozen = isMade
      ? await freezeVersion(
          tenant,
          template,
          inspectionQuestionnaire(await surveyQuestions(tenant.db, tenant.schema, template.id)),
          null,
        )
      : await latestVersion(tenant, template);
    const version = frozen && (await versionById(tenant, frozen.id));
    if (!version) throw new Error(`demo: ${type} ${id} answers a questionnaire that is not published.`);
    await tenant.db.query(`update ${tableName(tenant.schema, type)} set ${quoted(field)} = $2 where id = $1`, [
      id,
      version.id,
    ]);
    const at = new Date().toISOString();
    const sent = Object.entries(values).map(([code, value], seq) => ({ code, value, at, client: 'demo', seq }));
    const { answers, refused } = formed(version, sent);
    if (refused.length > 0)
      throw new Error(`demo: ${type} ${id}: ${refused.map((one) => `${one.field}: ${one.message}`).join(' ')}`);
    const of = { type, id, field };
    await keepAnswers(tenant, of, answers, { version: version.id, by: null });
    // Only inspections keep a result.
    if (!isMade || type !== 'tis_inspection') continue;
    await tenant.db.query(`update ${tableName(tenant.schema, type)} set type_version = $2 where id = $1`, [
      id,
      version.version_no,
    ]);
    await storeResult(
      tenant.db,
      tenant.schema,
      { id, survey_type_id: template.id },
      version.content,
      asAnswers(await answersOf(tenant, of)),
      attributesOf(screen, record),
    );
  }
}
