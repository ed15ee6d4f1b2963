import type { Field, Screen } from '../../../descriptor/types.ts';
import type { AutoEvent } from '../../../descriptor/workflow.ts';
import type { Session } from '../../access/context.ts';
import { quoted, tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { DomainEvents } from '../events/domain_events.ts';
import type { DomainEvent } from '../modules.ts';
import { filterCondition } from '../records/filter_sql.ts';

/** Determines which transitions of which records follow from an event: each is taken in its own transaction, once. */
export async function stepsAfter(
  session: Session,
  screens: Map<string, Screen>,
  events: DomainEvents,
  event: DomainEvent,
): Promise<void> {
  if (!event.of) return;
  for (const screen of screens.values())
    for (const { name, auto = [] } of screen.workflow?.transitions ?? [])
      for (const one of auto)
        if (one.event?.name === event.name)
          for (const id of await recordsOf(session, screens, screen, one.event, event.of))
            events.step(session, screen.name, id, name);
}

/** The records of a type that an event concerns. */
async function recordsOf(
  session: Session,
  screens: Map<string, Screen>,
  screen: Screen,
  { record }: AutoEvent,
  of: { type: string; id: number },
): Promise<number[]> {
  const { tenant } = session;
  if ('path' in record) return followed(session, screens, screen, record.path, of);
  const field = screen.fields.find(({ name }) => name === record.of);
  const values = new SqlParams();
  const id = values.bind(of.id);
  const where = [
    't.active',
    field?.type === 'refs' ? `${id}::bigint = any(t.${quoted(record.of)})` : `t.${quoted(record.of)} = ${id}::bigint`,
    ...(record.filter ? [filterCondition(record.filter, screen, screens, tenant.schema, 't', values)] : []),
  ];
  const rows = await tenant.db.query<{ id: number }>(
    preparedStatement(
      `select t.id from ${tableName(tenant.schema, screen.name)} t where ${where.join(' and ')} order by t.id`,
      values.list,
    ),
  );
  return rows.map((row) => row.id);
}

/** The end of a path of references from a record. */
async function followed(
  { tenant }: Session,
  screens: Map<string, Screen>,
  target: Screen,
  path: string[],
  of: { type: string; id: number },
): Promise<number[]> {
  let type: string | undefined = of.type;
  let ids = [of.id];
  for (const [step, name] of path.entries()) {
    if (name === 'id' && step === path.length - 1) break;
    const screen: Screen | undefined = type === undefined ? undefined : screens.get(type);
    const field: Field | undefined = screen?.fields.find((one) => one.name === name);
    if (!screen || !field?.ref || ids.length === 0) return [];
    const column = quoted(name);
    const rows: { id: number | null }[] = await tenant.db.query<{ id: number | null }>(
      preparedStatement(
        `select distinct ${field.type === 'refs' ? `unnest(${column})` : column} as id from ${tableName(tenant.schema, screen.name)} where id = any($1::bigint[])`,
        [ids],
      ),
    );
    ids = rows.flatMap((row) => row.id ?? []);
    type = field.ref.type;
  }
  return type === target.name ? ids : [];
}
