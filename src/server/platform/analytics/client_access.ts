import type { ClientAccess } from '../../../domain/client_figures.ts';
import type { Session } from '../../access/context.ts';
import type { CompiledRights } from '../../access/rights/rights.ts';
import type { Directory, TenantRow } from '../../db/directory.ts';
import { openTenant } from '../../db/directory.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { Tenant } from '../../db/tenant.ts';
import { ensureTables } from '../../db/tenants.ts';
import type { ScreenStore } from '../../engine/descriptors/screen_store.ts';
import type { Audit } from '../../services/audit/audit.ts';
import { clientsOf, freshnessOf } from './client_figures.ts';
import type { ClientDashboardDefinition, Definitions, KpiDefinition } from './definitions.ts';
import type { FigureConsent } from './figure_consent.ts';
import { CONSENT_TYPE, clientsOfPartner, figureConsent } from './figure_consent.ts';

/** The interval in which repeated views of one page's tiles are logged once. */
const NOTED_MS = 60_000;
const MAX_NOTED = 1_000;

/** Figures of single clients for platform users, as far as the client allows it (platform_admin.md §2.4). */
export interface ClientFigureAccess {
  /** The dashboard by code. @throws AppError 404, or 403 without its right */
  dashboardOf(session: Session, code: string): ClientDashboardDefinition;
  /** The clients of a dashboard that a person may choose from. */
  offered(session: Session, dashboard: ClientDashboardDefinition): Promise<TenantRow[]>;
  /** The clients of a dashboard, and whether the chosen client gives the person access. */
  look(session: Session, code: string, client: string | null): Promise<ClientAccess>;
  /**
   * The chosen client; the access is recorded in its log. @throws AppError 403 if it does not give the person access
   */
  open(session: Session, code: string, client: string | null): Promise<Tenant>;
  kpi(id: number): KpiDefinition;
}

export function createClientFigureAccess({
  directory,
  store,
  definitions,
  audit,
}: {
  directory: Directory;
  store: ScreenStore;
  definitions: Definitions;
  audit: Audit;
}): ClientFigureAccess {
  const noted = new Map<string, number>();

  function dashboardOf(session: Session, code: string): ClientDashboardDefinition {
    const dashboard = definitions.client_dashboards.find((one) => one.code === code);
    if (!dashboard || session.tenant.schema !== 'public') throw notFound();
    if (!(session.rights as CompiledRights).holds([`COMMON_SCN_${code.toUpperCase()}`], 'landing'))
      throw new AppError(403, 'forbidden', 'Your user type does not include this dashboard.', { reason: 'page_type' });
    return dashboard;
  }

  /** The dashboard's clients; for a partner only its own. */
  async function offered(session: Session, dashboard: ClientDashboardDefinition): Promise<TenantRow[]> {
    const all = await clientsOf(directory, dashboard);
    if (!session.partnerId) return all;
    const own = await clientsOfPartner(directory.main, session.partnerId);
    return all.filter(({ subDomain }) => own.has(subDomain));
  }

  async function chosen(session: Session, code: string, client: string | null) {
    const dashboard = dashboardOf(session, code);
    const rows = await offered(session, dashboard);
    const row = client === null ? rows[0] : rows.find(({ subDomain }) => subDomain === client);
    if (client !== null && !row)
      throw new AppError(404, 'not_found', `There is no client "${client}" for this dashboard.`);
    const tenant = row ? await openTenant(directory, row) : null;
    if (tenant) await ensureTables(tenant, store.screens(), [CONSENT_TYPE, 'analytics_collection']);
    const consent: FigureConsent | null = tenant && (await figureConsent(tenant, session.userId, dashboard.title));
    return { dashboard, rows, row, tenant, consent };
  }

  return {
    dashboardOf,
    offered,
    async look(session, code, client) {
      const { dashboard, rows, row, tenant, consent } = await chosen(session, code, client);
      const isOpen = consent?.access === 'open';
      return {
        code,
        named: dashboard.clients,
        clients: rows.map(({ subDomain, name }) => ({ sub_domain: subDomain, name })),
        client: row?.subDomain ?? null,
        access: consent?.access ?? 'none',
        asked_at: consent?.given?.state === 'asked' ? consent.given.created_at : null,
        until: isOpen && consent.rule === 'ask' ? consent.given!.ends_at : null,
        collections:
          isOpen && tenant
            ? await freshnessOf(tenant, [...new Set(dashboard.kpis.map((id) => this.kpi(id).collection))])
            : [],
      };
    },
    async open(session, code, client) {
      const { dashboard, tenant, consent } = await chosen(session, code, client);
      if (!tenant || consent?.access !== 'open')
        throw new AppError(403, 'forbidden', 'This client does not let you see its figures.', { reason: 'row' });
      const key = `${session.sid} ${code} ${tenant.schema}`;
      const now = performance.now();
      if ((noted.get(key) ?? -NOTED_MS) + NOTED_MS <= now) {
        if (noted.size >= MAX_NOTED) noted.clear();
        noted.set(key, now);
        await audit(tenant, {
          actor: null,
          action: 'support.read',
          summary: `${session.userName} of the platform: ${dashboard.title}`,
        });
      }
      return tenant;
    },
    kpi(id) {
      const kpi = definitions.kpis.find((one) => one.id === id);
      if (!kpi) throw new Error(`There is no KPI ${id}.`);
      return kpi;
    },
  };
}
