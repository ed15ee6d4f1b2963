import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Directory } from '../../db/directory.ts';
import { openTenant } from '../../db/directory.ts';
import { quoted, tableName } from '../../db/names.ts';
import { ensureTables } from '../../db/tenants.ts';
import { notFound } from '../../db/errors.ts';
import type { ScreenStore } from '../../engine/descriptors/screen_store.ts';
import type { Audit } from '../../services/audit/audit.ts';
import type { CompiledRights } from '../../access/rights/rights.ts';
import { amounts, narrowed, totalOf } from './client_figures.ts';
import type { Definitions, KpiDefinition } from './definitions.ts';
import type { FigureConsent } from './figure_consent.ts';
import { CONSENT_TYPE, figureConsent } from './figure_consent.ts';

/** A figure of a client for one past financial year. */
export interface ClientYear {
  kpi: string;
  unit: string;
  /** The year in which it began. */
  year: number;
  value: string;
}

export interface ClientYears {
  /** The dashboards of the platform user, and whether the client gives access to each. */
  dashboards: { title: string; access: FigureConsent['access'] }[];
  /** Of those that are open. */
  figures: ClientYear[];
}

export interface ClientYearsDeps {
  directory: Directory;
  store: ScreenStore;
  definitions: Definitions;
  audit: Audit;
}

/** The client, the first month of its financial year, its current day (YYYY-MM-DD), and the purpose. */
export interface YearsAsked {
  subDomain: string;
  startMonth: number;
  today: string;
  purpose: string;
}

export type ReadClientYears = (session: Session, asked: YearsAsked) => Promise<ClientYears>;

/**
 * Loads a client's dashboards by financial year, for platform users with the right to the dashboards, as far as the
 * client allows it; the access is recorded in the client's log.
 */
export function createClientYears({ directory, store, definitions, audit }: ClientYearsDeps): ReadClientYears {
  return async (session, { subDomain, startMonth, today, purpose }) => {
    const row = (await directory.tenants()).find((one) => one.active && one.subDomain === subDomain);
    if (!row) throw notFound();
    const tenant = await openTenant(directory, row);
    await ensureTables(tenant, store.screens(), [CONSENT_TYPE, 'analytics_collection']);
    const mine = definitions.client_dashboards.filter(({ code }) =>
      (session.rights as CompiledRights).holds([`COMMON_SCN_${code.toUpperCase()}`], 'landing'),
    );
    const dashboards = await Promise.all(
      mine.map(async ({ title, kpis }) => ({
        title,
        kpis,
        access: (await figureConsent(tenant, session.userId, title)).access,
      })),
    );
    const shown = new Set(dashboards.filter(({ access }) => access === 'open').flatMap(({ kpis }) => kpis));
    if (shown.size > 0)
      await audit(tenant, {
        actor: null,
        action: 'support.read',
        summary: `${session.userName} of the platform: ${purpose}`,
      });
    return {
      dashboards: dashboards.map(({ title, access }) => ({ title, access })),
      figures: await yearsOf(
        tenant,
        definitions.kpis.filter(({ id }) => shown.has(id)),
        startMonth,
        today,
      ),
    };
  };
}

/**
 * The figures of past financial years covered by the rows, in one statement; those without a date belong to no year.
 */
async function yearsOf(
  { db, schema }: Tenant,
  kpis: KpiDefinition[],
  startMonth: number,
  today: string,
): Promise<ClientYear[]> {
  const dated = kpis.filter(({ date }) => date !== undefined);
  if (dated.length === 0) return [];
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const [start, day] = [`${bind(startMonth)}::int`, `${bind(today)}::date`];
  const figures = dated.map((kpi) => {
    const collection = `(select c.id from ${tableName(schema, 'analytics_collection')} c where lower(c.code) = ${bind(kpi.collection)} and c.active)`;
    return `select ${bind(kpi.id)}::int as id, year, ${totalOf(kpi)} as value from (
      select left(month, 4)::int - (right(month, 2)::int < ${start})::int as year, min(month) over () as earliest, value, base from (
        select left(r.data ->> ${bind(kpi.date)}, 7) as month, ${amounts(kpi, values)} from ${quoted(schema)}.collection_row r where ${narrowed(kpi, collection, values)}) x
      where month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$' and value is not null) y
    where make_date(year + 1, ${start}, 1) <= ${day} and earliest <= to_char(make_date(year, ${start}, 1), 'YYYY-MM') group by year`;
  });
  const rows = await db.query<{ id: number; year: number; value: string | null }>(figures.join(' union all '), values);
  return rows.flatMap(({ id, year, value }) => {
    const { name, unit } = dated.find((one) => one.id === id)!;
    return value === null ? [] : [{ kpi: name, unit, year, value }];
  });
}
