import { createHmac } from 'node:crypto';
import type { JobPlan } from '../../../descriptor/jobs.ts';
import type { Problem, Screen } from '../../../descriptor/types.ts';
import type { Dashboard } from '../../../domain/dashboard.ts';
import type { Report } from '../../../domain/report.ts';
import type { Pages } from '../../access/rights/pages.ts';
import { readPages, withFigures } from '../../access/rights/pages.ts';

/** What the descriptors say, and the files that were refused. */
export interface InForce {
  screens: Map<string, Screen>;
  reports: ReadonlyMap<string, Report>;
  dashboards: ReadonlyMap<string, Dashboard>;
  jobs: readonly JobPlan[];
  problems: Problem[];
}

/** The screens that are in force, the pages beside them, and the files that were refused. */
export interface ScreenStore {
  screens: () => Map<string, Screen>;
  problems: () => Problem[];
  reports: () => ReadonlyMap<string, Report>;
  dashboards: () => ReadonlyMap<string, Dashboard>;
  /** What is done by the clock. */
  jobs: () => readonly JobPlan[];
  /** Addresses that pages of the client serve, reports and dashboards among them, with who may open them. */
  pages: () => Pages;
  /** The unguessable address of a screen's content: an HMAC of it, so that an old address never shows something new. */
  addressOf(screen: Screen): string;
  /** The screen of an address; null when it is not one of today. */
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
