import { rowScope } from '../../../src/server/access/rights/scope.ts';
import type { ReportRows, ReportSource } from '../../../src/server/engine/reports/report_source.ts';
import type { TestTenant, World } from '../world.ts';

export interface Asked {
  today: string;
  parameters?: Record<string, unknown>;
  by?: string[];
  within?: Record<string, unknown>;
  /** Number of the company, from 1. */
  company?: number;
}

let asked = 0;

/** What a report's function answers a person on a day of the test's choosing. */
export async function askSource(
  world: World,
  tenant: TestTenant,
  source: ReportSource,
  userId: number,
  { today, parameters = {}, by = [], within = {}, company = 1 }: Asked,
): Promise<ReportRows> {
  const { services } = world.app;
  const session = await services.store.ofPerson(
    (await services.tenants.bySchema(tenant.schema))!,
    userId,
    `asked-${++asked}`,
    tenant.entityIds[company - 1]!,
  );
  const screens = world.screens;
  return source.rows({
    session: session!,
    screens,
    parameters,
    today,
    by,
    within,
    scoped: (type, alias, values) => rowScope(session!, screens.get(type)!, screens, alias, values),
  });
}
