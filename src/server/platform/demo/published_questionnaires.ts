import type { Screen } from '../../../descriptor/types.ts';
import { quoted } from '../../db/names.ts';
import { tableName } from '../../db/tables.ts';
import type { Tenant } from '../../db/tenant.ts';
import { systemSession } from '../../engine/events/system_session.ts';
import { publishVersion } from '../../engine/questionnaire/versions.ts';
import { readRecord } from '../../engine/records/read.ts';

/** Freezes the questionnaires of a demo company whose rows are published, unless they are frozen already. */
export async function publishQuestionnaires(
  tenant: Tenant,
  screens: ReadonlyMap<string, Screen>,
  types: ReadonlySet<string>,
): Promise<void> {
  for (const screen of screens.values()) {
    const { questionnaire, workflow, name } = screen;
    const state = workflow?.transitions.find((one) => one.name === questionnaire?.publish)?.to;
    if (!workflow || typeof state !== 'string' || !types.has(name)) continue;
    const open = await tenant.db.query<{ id: number; entity_id: number | null }>(
      `select t.id, ${screen.scope === 'entity' ? 't.entity_id' : 'null::bigint as entity_id'} from ${tableName(tenant.schema, name)} t
       where t.${quoted(workflow.field)} = $1 and not exists (
         select 1 from ${quoted(tenant.schema)}.questionnaire_version v where v.record_type = $2 and v.record_id = t.id)`,
      [state, name],
    );
    for (const { id, entity_id: company } of open) {
      const session = systemSession(tenant, company, null);
      await publishVersion(session, screen, await readRecord(session, screen, new Map(screens), id));
    }
  }
}
