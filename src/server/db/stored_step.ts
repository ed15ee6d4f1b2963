import type { Screen } from '../../descriptor/types.ts';
import type { Transition, Workflow } from '../../descriptor/workflow.ts';
import type { Queryable } from './database.ts';
import { quoted, tableName } from './names.ts';
import { SqlParams } from './sql_text.ts';

/** Which records a step is taken with, and what is written with it. */
export interface StoredStep {
  /** A condition over the record `r`, made with the values that it binds. */
  which: (bind: (value: unknown) => string) => string;
  by?: number | null;
  /** What made it, for the history. */
  cause: string;
  reason?: string | null;
  /** Further columns and the expressions that they are set to. */
  set?: (bind: (value: unknown) => string) => Record<string, string>;
}

/** A step of a type that the product alone takes, as its descriptor has it. */
export function storedStep(screen: Screen | undefined, name: string): { workflow: Workflow; transition: Transition } {
  const transition = screen?.workflow?.transitions.find((one) => one.name === name);
  if (!transition?.auto || transition.to === null) throw new Error(`The product takes no step "${name}".`);
  return { workflow: screen!.workflow!, transition };
}

/**
 * Takes a step of the product with all records that are in a state it leads from, in one statement with their history
 * and the log of transitions: where the tables of a client are made or dropped beside, or somebody is at the door who
 * has no session yet, no unit of work can hold it. @returns which were moved
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
