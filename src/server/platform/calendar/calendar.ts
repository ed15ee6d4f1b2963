import type { CalendarEvent } from '../../../domain/calendar.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { tableName } from '../../db/names.ts';
import type { EscalationSource } from '../escalation/sources.ts';
import { dueSources, sourceSql } from '../escalation/sources.ts';
import { labelExpression, wholeName } from '../../db/columns.ts';
import { rowScope } from '../../access/rights/scope.ts';
import { SqlParams } from '../../db/sql_text.ts';

/** The maximum number of events in one answer. */
const MAX_EVENTS = 1_000;

/** Several events on the same date are combined: due and overdue are one entry in the calendar. */
function onePerDate(sources: EscalationSource[]): EscalationSource[] {
  return [
    ...new Map(sources.toReversed().map((source) => [`${source.screen.name} ${source.date}`, source])).values(),
  ].toReversed();
}

/**
 * The due dates in a period, as defined by descriptors (`due`): of records that the person may see, in lists that they
 * may open. `mine`: only those that concern the person. `whole`: named by all their label fields.
 */
export async function calendarEvents(
  session: Session,
  screens: Map<string, Screen>,
  { from, to, mine, whole = false }: { from: string; to: string; mine: boolean; whole?: boolean },
): Promise<{ events: CalendarEvent[]; more: boolean }> {
  const { db, schema } = session.tenant;
  const open = onePerDate(dueSources(screens)).filter(
    ({ screen }) => session.rights.refuse(screen, 'landing') === null,
  );
  if (mine && session.employeeId === null) return { events: [], more: false };
  const there = new Set(
    (
      await db.query<{ name: string }>(
        'select name from unnest($1::text[]) as t(name) where to_regclass(name) is not null',
        [open.map(({ screen }) => tableName(schema, screen.name))],
      )
    ).map(({ name }) => name),
  );
  const sources = open.filter(({ screen }) => there.has(tableName(schema, screen.name)));
  if (sources.length === 0) return { events: [], more: false };
  const values = new SqlParams();
  const [first, last] = [values.bind(from), values.bind(to)];
  const me = mine ? values.bind(String(session.employeeId)) : null;
  const parts = sources.map((source, at) => {
    const { from: tables, date, open: isOpen, people } = sourceSql(source, screens, schema, values);
    const where = [
      isOpen,
      `${date} >= ${first}::date and ${date} < ${last}::date + 1`,
      ...(me === null ? [] : [`exists (select 1 from jsonb_each_text(${people}) p where p.value = ${me}::text)`]),
      ...rowScope(session, source.screen, screens, 'r', values),
    ];
    const name = (whole ? wholeName : labelExpression)(source.screen, 'r', { screens, schema });
    return `select ${at} as at, r.id, (${date})::date::text as day, ${name} as label from ${tables} where ${where.join(' and ')}`;
  });
  const rows = await db.query<{ at: number; id: number; day: string; label: string | null }>(
    `select * from (${parts.join(' union all ')}) e order by day, at, label, id limit ${MAX_EVENTS + 1}`,
    values.list,
  );
  const events = rows.slice(0, MAX_EVENTS).map(({ at, id, day, label }): CalendarEvent => {
    const { screen, title } = sources[at]!;
    const page = session.rights.refuse(screen, 'view_screen') === null ? screen.routes.view : null;
    return {
      day,
      type: screen.name,
      title,
      label: label ?? `#${id}`,
      route: page?.replace(':id', String(id)) ?? screen.routes.landing,
    };
  });
  return { events, more: rows.length > MAX_EVENTS };
}
