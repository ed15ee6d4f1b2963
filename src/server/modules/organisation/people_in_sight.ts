import { PEOPLE } from '../../access/people/people.ts';
import type { ReportCall } from '../../engine/reports/report_source.ts';

/** What readers see whose role shows them some people of the company only: figures are of these. */
export function noteOfSight({ session: { rights }, screens }: ReportCall): { note?: string } {
  const scope = rights.isAdmin ? 'company' : rights.dataScope(screens.get(PEOPLE)!);
  return scope === 'own' || scope === 'branch' || scope === 'team'
    ? { note: 'Only people you may see are counted.' }
    : {};
}
