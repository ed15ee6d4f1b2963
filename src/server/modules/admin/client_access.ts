import type { Database } from '../../db/database.ts';
import { notFound } from '../../db/errors.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { ReportCall } from '../../engine/reports/report_source.ts';
import type { ClientFigureAccess } from '../../platform/analytics/client_access.ts';
import type { KpiDefinition } from '../../platform/analytics/definitions.ts';

/** Per platform database: the reader of its clients' figures. */
const readers = new WeakMap<Database, ClientFigureAccess>();

/** Registers how figures of clients are read, which are stored in their own databases. */
export function readClientFiguresBy(main: Database, access: ClientFigureAccess): void {
  readers.set(main.owner, access);
}

/** The subject of a client dashboard's tile: the dashboard and the chosen client. */
export function askedOf({ session, args = {}, parameters }: ReportCall) {
  const figures = readers.get(session.tenant.db.owner);
  if (!figures) throw notFound();
  return { figures, code: String(args.dashboard), client: (parameters.client ?? null) as string | null };
}

/** The client, if it lets the reader see this tile, and its figure. @throws AppError 403 */
export async function opened(call: ReportCall): Promise<{ tenant: Tenant; kpi: KpiDefinition }> {
  const { figures, code, client } = askedOf(call);
  return { tenant: await figures.open(call.session, code, client), kpi: figures.kpi(Number(call.args?.kpi)) };
}
