import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Source } from '../../../descriptor/source.ts';
import type { PageType, Problem } from '../../../descriptor/types.ts';
import type { AccountFlag, Dashboard } from '../../../domain/dashboard.ts';
import type { Report } from '../../../domain/report.ts';
import type { LiveSession } from '../sessions/session_store.ts';

/** An address not served by a descriptor, with the required access (schemas/pages.json). */
export interface BespokePage {
  by: string;
  open?: 'public' | 'everyone' | 'client' | 'admin';
  screen?: string[];
  page?: PageType;
  product?: string[];
  module?: string[];
  action?: string;
  common?: boolean;
  /** It is for accounts with one of these flags. */
  flags?: readonly AccountFlag[];
  /** The description of its figures; the page is a tile among the dashboards. */
  dashboard?: string;
  /** It is a report, for people who may run reports. */
  report?: true;
  /** Its menu place, if menu.json has no entry for it. */
  menu?: { name: string; icon?: string; under?: string; order?: number };
}

export type Pages = ReadonlyMap<string, BespokePage>;

/** Reads `pages.json`; a missing or invalid file gives no pages (its findings are among the problems). */
export function readPages(schemasDir: string): Pages {
  const path = join(schemasDir, 'pages.json');
  if (!existsSync(path)) return new Map();
  try {
    return new Map(
      Object.entries((JSON.parse(readFileSync(path, 'utf8')) as { pages: Record<string, BespokePage> }).pages),
    );
  } catch {
    return new Map();
  }
}

/** The pages, with the reports and dashboards, each as a page. */
export function withFigures(
  pages: Pages,
  { reports, dashboards }: { reports: ReadonlyMap<string, Report>; dashboards: ReadonlyMap<string, Dashboard> },
): Pages {
  return new Map([
    ...pages,
    ...[...reports.values()].map((report) => [report.route, reportPage(report)] as const),
    ...[...dashboards.values()].map((dashboard) => [dashboard.route, dashboardPage(dashboard)] as const),
  ]);
}

/** A report as a page. */
export function reportPage(report: Report): BespokePage {
  return { by: `report: ${report.title}`, report: true, ...pageOf(report) };
}

/** A dashboard as a page. */
export function dashboardPage(dashboard: Dashboard): BespokePage {
  return {
    by: `dashboard: ${dashboard.title}`,
    dashboard: dashboard.description ?? dashboard.title,
    ...(dashboard.flags && { flags: dashboard.flags }),
    ...pageOf(dashboard),
  };
}

function pageOf({
  title,
  icon,
  access,
  menu: { hidden, name: other, under, order },
}: Pick<Report, 'title' | 'icon' | 'access' | 'menu'>): Omit<BespokePage, 'by'> {
  return {
    screen: access.screens,
    product: access.products,
    module: access.modules,
    ...(access.action !== null && { action: access.action }),
    ...(access.common && { common: true }),
    ...(!hidden && {
      menu: {
        name: other ?? title,
        ...(icon !== undefined && { icon }),
        ...(under !== undefined && { under }),
        ...(order !== undefined && { order }),
      },
    }),
  };
}

/** The errors in `pages.json`. */
export function pageProblems(schemasDir: string): Problem[] {
  const path = join(schemasDir, 'pages.json');
  const meta = join(schemasDir, 'meta', 'pages.schema.json');
  if (!existsSync(path) || !existsSync(meta)) return [];
  const text = readFileSync(path, 'utf8');
  const source = new Source(path, text);
  if (source.problems.length > 0) return source.problems;
  const validate = new Ajv2020({ strict: false, allErrors: true }).compile(
    JSON.parse(readFileSync(meta, 'utf8')) as object,
  );
  if (!validate(JSON.parse(text)))
    for (const error of validate.errors ?? [])
      source.report(
        error.instancePath
          .split('/')
          .slice(1)
          .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')),
        `${error.message ?? 'is not right'}.`,
      );
  return source.problems;
}

/** Whether the session may open the page. A convenience for the menu: the page's calls check again. */
export function mayOpen({ rights, tenant, flags }: LiveSession, page: BespokePage): boolean {
  if (page.flags && !page.flags.some((flag) => flags[flag])) return false;
  if (page.open === 'public') return true;
  if (page.open === 'everyone') return rights.refuseAction(page.action ?? null) === null;
  if (page.open === 'client') return tenant.schema !== 'public';
  if (page.open === 'admin') return rights.isAdmin;
  const codes = page.screen ?? [];
  if (tenant.schema === 'public')
    return (
      page.common === true &&
      rights.holds(
        codes.map((code) => (code.startsWith('COMMON_') ? code : `COMMON_${code}`)),
        page.page ?? 'landing',
      )
    );
  return (
    codes.some((code) => !code.startsWith('COMMON_')) &&
    rights.holdsProduct(page.product ?? []) &&
    rights.holdsModule(page.module ?? []) &&
    rights.holds(codes, page.page ?? 'landing') &&
    rights.refuseAction(page.action ?? null) === null
  );
}
