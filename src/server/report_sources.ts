import type { ReportSource } from './reports/report_source.ts';

/** The named functions that give the rows of reports (`"source"` of a report descriptor). */
export const reportSources: Readonly<Record<string, ReportSource>> = {};
