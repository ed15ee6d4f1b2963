import { PEOPLE } from '../../access/people/people.ts';
import type { ReportCall } from '../../engine/reports/report_source.ts';

/** The note for readers whose role shows only some people of the company: figures cover only these. */
export function noteOfSight({ session: { rights }, screens }: ReportCall): { note?: string } {
  const scope = rights.isAdmin ? 'company' : rights.dataScope(screens.get(PEOPLE)!);
  return scope === 'own' || scope === 'branch' || scope === 'team'
    ? { note: 'Only people you may see are counted.' }
    : {};
}
