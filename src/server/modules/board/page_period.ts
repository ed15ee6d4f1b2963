import { dayOfMonth } from '../../../domain/dashboard_span.ts';
import type { ReportCall } from '../../engine/reports/report_source.ts';

/** The day on which a page looks at the figures: the last one of the chosen month, otherwise today. */
export function pageDay({ parameters: { month }, today }: ReportCall): string {
  return dayOfMonth(typeof month === 'string' ? month : null, today);
}

/** The earlier day on which a page looks at the figures; null = as of today. */
export function earlierDay(call: ReportCall): string | null {
  const day = pageDay(call);
  return day < call.today ? day : null;
}

/** The companies of a page: the current one, or all that the reader looks at together. */
export function pageCompanies({ session: { entityId, entityIds } }: ReportCall): number[] {
  return entityId === null ? entityIds : [entityId];
}
