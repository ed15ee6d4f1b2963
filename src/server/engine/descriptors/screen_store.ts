import { createHmac } from 'node:crypto';
import type { JobPlan } from '../../../descriptor/jobs.ts';
import type { Problem, Screen } from '../../../descriptor/types.ts';
import type { Dashboard } from '../../../domain/dashboard.ts';
import type { Report } from '../../../domain/report.ts';
import type { Pages } from '../../access/rights/pages.ts';
import { readPages, withFigures } from '../../access/rights/pages.ts';

/** The descriptors, and the files that were refused. */
export interface InForce {
  screens: Map<string, Screen>;
  reports: ReadonlyMap<string, Report>;
  dashboards: ReadonlyMap<string, Dashboard>;
  jobs: readonly JobPlan[];
  problems: Problem[];
}

/** The screens in force, the other pages, and the files that were refused. */
export interface ScreenStore {
  screens: () => Map<string, Screen>;
  problems: () => Problem[];
  reports: () => ReadonlyMap<string, Report>;
  dashboards: () => ReadonlyMap<string, Dashboard>;
  /** The scheduled jobs. */
  jobs: () => readonly JobPlan[];
  /** Addresses that are served by pages of the client, including reports and dashboards, with the required access. */
  pages: () => Pages;
  /**
   * An unguessable address of a screen's content, derived with an HMAC, so that an old address never returns new
   * content.
   */
  addressOf(screen: Screen): string;
  /** The screen at an address; null if it is not current. */
  ofAddress(address: string): Screen | null;
  replace(next: InForce): void;
}

export function createScreenStore(schemasDir: string, key: Buffer, first: InForce): ScreenStore {
  let { screens, reports, dashboards, jobs, problems } = first;
  let pages: Pages | null = null;
  let byAddress: Map<string, Screen> | null = null;

  const addressOf = (screen: Screen) =>
    createHmac('sha256', key).update(`${screen.name}\n${screen.hash}`).digest('hex').slice(0, 32);
  return {
    screens: () => screens,
    reports: () => reports,
    dashboards: () => dashboards,
    jobs: () => jobs,
    problems: () => problems,
    pages: () => (pages ??= withFigures(readPages(schemasDir), { reports, dashboards })),
    addressOf,
    ofAddress(address) {
      byAddress ??= new Map([...screens.values()].map((screen) => [addressOf(screen), screen]));
      return byAddress.get(address) ?? null;
    },
    replace(next) {
      ({ screens, reports, dashboards, jobs, problems } = next);
      pages = null;
      byAddress = null;
    },
  };
}
