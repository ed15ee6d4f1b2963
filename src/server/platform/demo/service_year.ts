import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Screen } from '../../../descriptor/types.ts';
import type { Tenant } from '../../db/tenant.ts';
import { ensureTables } from '../../db/tenants.ts';
import { FY_FUNCTION, statementsIn, typesIn } from './demo_statements.ts';

/**
 * Adds the past year of visits and calls of the demo's lifts under contract, ended and closed, so that figures by month
 * and the history of each lift have a year behind them. `today`: the day of the demo.
 */
export async function addServiceYear(
  tenant: Tenant,
  screens: ReadonlyMap<string, Screen>,
  today: string,
): Promise<void> {
  const text = readFileSync(join(import.meta.dirname, 'service_year.sql'), 'utf8');
  const types = typesIn(text);
  if (types.some((type) => !screens.has(type))) return;
  await ensureTables(tenant, screens, types);
  await tenant.db.transaction(async (tx) => {
    await tx.query(FY_FUNCTION);
    await tx.query(`create temp table demo_day on commit drop as select $1::date as today, $2::text as zone`, [
      today,
      tenant.timezone,
    ]);
    for (const one of statementsIn(text, tenant.schema)) await tx.query(one);
    const [ticket] = statementsIn(
      `select setval(pg_get_serial_sequence('{fms_ticket}', 'id'), max(id)) from {fms_ticket}`,
      tenant.schema,
    );
    await tx.query(ticket!);
  });
}
