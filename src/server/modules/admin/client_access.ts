import type { Database } from '../../db/database.ts';
import { notFound } from '../../db/errors.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { ReportCall } from '../../engine/reports/report_source.ts';
import type { ClientFigureAccess } from '../../platform/analytics/client_access.ts';
import type { KpiDefinition } from '../../platform/analytics/definitions.ts';

/** By the platform's database: how figures of its clients are read. */
const readers = new WeakMap<Database, ClientFigureAccess>();

/** Says how figures of clients are read, which are in databases of their own. */
export function readClientFiguresBy(main: Database, access: ClientFigureAccess): void {
  readers.set(main.owner, access);
}

/** What a tile of a client's dashboard is about: the dashboard, and the client that the reader chose. */
export function askedOf({ session, args = {}, parameters }: ReportCall) {
  const figures = readers.get(session.tenant.db.owner);
  if (!figures) throw notFound();
  return { figures, code: String(args.dashboard), client: (parameters.client ?? null) as string | null };
}

/** The client that lets the reader see this tile, and its figure. @throws AppError 403 */
export async function opened(call: ReportCall): Promise<{ tenant: Tenant; kpi: KpiDefinition }> {
  const { figures, code, client } = askedOf(call);
  return { tenant: await figures.open(call.session, code, client), kpi: figures.kpi(Number(call.args?.kpi)) };
}
