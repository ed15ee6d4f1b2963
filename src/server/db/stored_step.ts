import type { Screen } from '../../descriptor/types.ts';
import type { Transition, Workflow } from '../../descriptor/workflow.ts';
import type { Queryable } from './database.ts';
import { quoted, tableName } from './names.ts';
import { SqlParams } from './sql_text.ts';

/** The records for a transition, and the values written with it. */
export interface StoredStep {
  /** A condition on the record `r`, built with its parameters. */
  which: (bind: (value: unknown) => string) => string;
  by?: number | null;
  /** Its cause, for the history. */
  cause: string;
  reason?: string | null;
  /** Further columns with the expressions they are set to. */
  set?: (bind: (value: unknown) => string) => Record<string, string>;
}

/** An automatic transition of a type, from its descriptor. */
export function storedStep(screen: Screen | undefined, name: string): { workflow: Workflow; transition: Transition } {
  const transition = screen?.workflow?.transitions.find((one) => one.name === name);
  if (!transition?.auto || transition.to === null) throw new Error(`The product takes no step "${name}".`);
  return { workflow: screen!.workflow!, transition };
}

/**
 * Takes an automatic transition with all records in its source states, in one statement with their history and
 * transition log: for cases in which no unit of work is possible, because a client's tables are created or dropped, or
 * there is no session yet. @returns the moved records
 */
export async function takeStoredStep(
  on: Queryable,
  schema: string,
  screen: Screen | undefined,
  name: string,
  { which, by = null, cause, reason = null, set }: StoredStep,
): Promise<{ id: number; version: number }[]> {
  const { workflow, transition } = storedStep(screen, name);
  const values = new SqlParams();
  const bind = (value: unknown) => values.bind(value);
  const state = quoted(workflow.field);
  const [type, actor, why, what] = [bind(screen!.name), bind(by), bind(reason?.slice(0, 500) ?? null), bind(cause)];
  const to = bind(transition.to);
  const more = Object.entries(set?.(bind) ?? {}).map(([column, text]) => `${quoted(column)} = ${text}, `);
  const text = `with o as (select r.id, r.${state} as before from ${tableName(schema, screen!.name)} r
       where r.${state} = any(${bind(transition.from)}::text[]) and (${which(bind)}) order by r.id for update),
     m as (update ${tableName(schema, screen!.name)} t set ${state} = ${to}, ${more.join('')}version = t.version + 1, updated_at = now(), updated_by = ${actor}::bigint
       from o where t.id = o.id returning t.id, t.version, o.before),
     h as (insert into ${quoted(schema)}.history (record_type, record_id, version, op, by, what, change)
       select ${type}, m.id, m.version, 'U', ${actor}::bigint, ${what}, jsonb_build_object(${bind(workflow.field)}::text, jsonb_build_array(m.before, ${to}::text)) from m),
     l as (insert into ${quoted(schema)}.transition_log (record_type, record_id, transition, from_state, to_state, by, cause, remark)
       select ${type}, m.id, ${bind(name)}, m.before, ${to}, ${actor}::bigint, ${what}, ${why} from m)
     select id, version from m order by id`;
  return on.query<{ id: number; version: number }>(text, values.list);
}
