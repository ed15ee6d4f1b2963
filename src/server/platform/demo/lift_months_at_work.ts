import { join } from 'node:path';
import type { Screen } from '../../../descriptor/types.ts';
import { tableName } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';
import { ensureTables } from '../../db/tenants.ts';
import { systemSession } from '../../engine/events/system_session.ts';
import { loadModules } from '../../engine/load_modules.ts';
import type { JobCall } from '../../engine/modules.ts';
import { createEngine } from '../../engine/records/engine.ts';
import { unitOf, withinTransaction } from '../../engine/records/unit_of_work.ts';
import { SILENT } from './silent_notifications.ts';

/** What the job reads and writes. */
const TYPES = ['lift_month', 'scheduled_ticket', 'fms_ticket', 'contract_line', 'mr_consumption', 'team'];

/** Counts the months of the demo's lifts as the nightly job does, so that reports show the past year at once. */
export async function addLiftMonths(
  tenant: Tenant,
  screens: ReadonlyMap<string, Screen>,
  today: string,
): Promise<void> {
  if (!screens.has('lift_month')) return;
  const modules = await loadModules(join(import.meta.dirname, '../../modules'));
  const job = modules.find(({ name }) => name === 'fms_visits')?.jobs?.lift_months;
  if (!job) return;
  await ensureTables(tenant, screens, [...TYPES, 'expertise_level']);
  const companies = await tenant.db.query<{ id: number }>(
    `select distinct entity_id as id from ${tableName(tenant.schema, 'lift')} order by 1`,
  );
  const engine = createEngine({ notifications: SILENT, screens: () => screens as Map<string, Screen> });
  for (const { id: company } of companies) {
    const each: JobCall['each'] = async (read, work) => {
      let [after, total]: [unknown, number] = [null, 0];
      for (;;) {
        const count = await tenant.db.transaction((tx) =>
          withinTransaction(systemSession(tenant, company, null), tx, async (session) => {
            const unit = engine.unit(unitOf(session)!, { elevated: true });
            const batch = await read(unit, after);
            if (batch.length > 0) after = await work(unit, batch);
            return batch.length;
          }),
        );
        if (count === 0) return total;
        total += count;
      }
    };
    await job.run({
      company,
      branch: null,
      due: `${today}T01:30:00Z`,
      days: [today],
      args: { all: true },
      each,
    } as unknown as JobCall);
  }
}
