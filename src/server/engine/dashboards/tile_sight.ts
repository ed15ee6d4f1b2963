import type { Tile } from '../../../domain/dashboard.ts';
import { listField } from '../../../descriptor/filter.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { unseenField } from '../reports/grouped_records.ts';
import type { ReportSource } from '../reports/report_source.ts';
import { keptField } from '../reports/run_report.ts';

export interface SightDeps {
  sources: ReadonlyMap<string, ReportSource>;
  /** Whether a person has a role, by its code. */
  holdsRole(session: LiveSession, code: string): Promise<boolean>;
}

/** Whether a tile is the reader's: it is for them, and they may list the records and see the fields that it is made of. */
export async function maySeeTile(
  session: LiveSession,
  tile: Tile,
  screens: ReadonlyMap<string, Screen>,
  { sources, holdsRole }: SightDeps,
): Promise<boolean> {
  const mayList = (type: string) => {
    const screen = screens.get(type);
    return screen !== undefined && session.rights.refuse(screen, 'landing') === null;
  };
  const { report, list, span } = tile;
  // Names are offered as a field that refers to the type offers them; what they lead to checks the reader's rights.
  if (list && (tile.kind === 'search' ? !screens.has(list.type) : !mayList(list.type))) return false;
  if (report?.from) {
    const { from } = report;
    if (!mayList(from.type)) return false;
    const screen = screens.get(from.type)!;
    if (unseenField(screen, from) !== undefined) return false;
    const date = span && listField(screen, span.of);
    if (span && (!date || date.masked)) return false;
  }
  const source = tile.source === undefined ? undefined : sources.get(tile.source);
  // Settings apply to everybody, whoever may change them.
  const mayUse = (type: string) => screens.get(type)?.kind === 'settings' || mayList(type);
  if (source && (!Object.keys(source.reads).every(mayUse) || keptField(source, session, screens) !== null))
    return false;
  if (tile.for === undefined) return true;
  for (const one of tile.for) {
    const [kind, code = ''] = one.split(':');
    if (kind === 'action' ? session.rights.refuseAction(code) === null : await holdsRole(session, code)) return true;
  }
  return false;
}
