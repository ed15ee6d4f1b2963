import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { SqlParams } from '../../db/sql_text.ts';
import type { ViewChoice } from './view_rows.ts';
import { viewTable } from './view_rows.ts';
import { visibleTable } from './visible_sql.ts';

/** The source of a list, count or report of a type, with an alias: its table, or the statement of a view. */
export function rowsOf(
  session: Session,
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
  alias: string,
  values: SqlParams,
  choice?: ViewChoice,
): string {
  return screen.reads
    ? viewTable(session, screen, screens, alias, values, choice)
    : visibleTable(session, screen, screens, alias, values);
}
