import type { Screen } from '../../../descriptor/types.ts';
import { transitionsFrom } from '../../../descriptor/workflow.ts';
import type { WaitingKind } from '../../../domain/home.ts';
import { mayApproveOwn } from '../../access/rights/own_work.ts';
import { rowScope } from '../../access/rights/scope.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { wholeName } from '../../db/columns.ts';
import { quoted, tableName } from '../../db/names.ts';
import { SqlParams } from '../../db/sql_text.ts';
import { relationSql } from '../../engine/workflow/relation_sql.ts';
import { relationNamed } from '../../engine/workflow/relations.ts';
import { decidedBy, stepsOfPeople, steppedBy } from '../../engine/workflow/waiting.ts';

/** A record found to be waiting for a person. */
export interface FoundRecord {
  kind: WaitingKind;
  screen: Screen;
  id: number;
  label: string | null;
  /** What is to be done. */
  what: string;
}

/** The maximum number of records per type and kind; one more shows that there are more. */
export const MAX_OF_KIND = 20;

/** The first state of unsubmitted documents. */
const DRAFT = 'draft';

interface Part {
  kind: WaitingKind;
  screen: Screen;
  /** Conditions on `t`, the record. */
  where: string;
  /** Further tables. */
  join?: string;
  /** Text in addition to the state. */
  said?: string;
}

/**
 * Records in a workflow that wait for a person: for their decision, for their next transition, because of a refused
 * automatic transition, or started by them and not submitted. `there`: the types with a table; `asked`: the condition
 * that a person is asked by name to decide a record, `t`, which nobody else may then decide.
 */
export async function waitingRecords(
  session: LiveSession,
  screens: Map<string, Screen>,
  there: readonly Screen[],
  asked: (screen: Screen, values: SqlParams) => string | null,
): Promise<FoundRecord[]> {
  const { db, schema } = session.tenant;
  const own = await mayApproveOwn(session);
  const values = new SqlParams();
  const parts = there.flatMap((screen) => partsOf(session, screen, screens, own, asked, values));
  if (parts.length === 0) return [];
  const selects = parts.map(({ kind, screen, where, join = '', said = 'null' }, at) => {
    const conditions = ['t.active', where, ...rowScope(session, screen, screens, 't', values)];
    return `(select ${at} as at, '${kind}' as kind, t.id, t.${quoted(screen.workflow!.field)}::text as state, ${wholeName(screen, 't', { screens, schema })} as label, ${said}::text as said
      from ${tableName(schema, screen.name)} t ${join} where ${conditions.join(' and ')} order by t.id desc limit ${MAX_OF_KIND + 1})`;
  });
  const rows = await db.query<{ at: number; id: number; state: string; label: string | null; said: string | null }>(
    selects.join(' union all '),
    values.list,
  );
  return rows.map(({ at, id, state, label, said }) => {
    const { kind, screen } = parts[at]!;
    return { kind, screen, id, label, what: wordsOf(kind, screen, state, said) };
  });
}

function partsOf(
  session: LiveSession,
  screen: Screen,
  screens: Map<string, Screen>,
  mayDecideOwn: boolean,
  asked: (screen: Screen, values: SqlParams) => string | null,
  values: SqlParams,
): Part[] {
  const { schema } = session.tenant;
  const workflow = screen.workflow!;
  const state = `t.${quoted(workflow.field)}`;
  const parts: Part[] = [];
  const decided =
    session.rights.refuse(screen, 'approval_screen') === null
      ? decidedBy(session, screen, screens, mayDecideOwn, values)
      : null;
  if (decided !== null) {
    const others = asked(screen, values);
    parts.push({ kind: 'decide', screen, where: others === null ? decided : `${decided} and not ${others}` });
  }
  const stepped = steppedBy(session, screen, screens, values);
  if (stepped !== null) parts.push({ kind: 'step', screen, where: stepped });
  if (workflow.states[0]?.name === DRAFT)
    parts.push({
      kind: 'draft',
      screen,
      where: `${state} = ${values.bind(DRAFT)} and t.created_by = ${values.bind(session.userId)}`,
    });
  const alone = workflow.transitions.filter(({ auto }) => auto !== undefined);
  const owner = relationNamed(screen, 'owner') ?? relationNamed(screen, 'requester');
  if (alone.length > 0 && owner)
    parts.push({
      kind: 'refused',
      screen,
      join: `join ${quoted(schema)}.auto_refusal f on f.record_type = ${values.bind(screen.name)} and f.record_id = t.id`,
      said: 'f.message',
      where: `(${alone
        .map(({ name, from }) => `f.transition = ${values.bind(name)} and ${state} = any(${values.bind(from)}::text[])`)
        .map((sql) => `(${sql})`)
        .join(' or ')}) and ${relationSql({ schema, screens, screen, alias: 't' }, owner, session, values)}`,
    });
  return parts;
}

/** The record and what to do with it: "Quotation: Submit". */
function wordsOf(kind: WaitingKind, screen: Screen, state: string, said: string | null): string {
  const inState = screen.workflow!.states.find(({ name }) => name === state)?.title ?? state;
  if (kind === 'refused') return `${screen.title}: ${said}`;
  const step =
    kind === 'step'
      ? stepsOfPeople(screen).find((one) => one.state === state)?.step
      : kind === 'draft'
        ? transitionsFrom(screen.workflow!, state)[0]
        : undefined;
  return `${screen.title}: ${step?.title ?? inState}`;
}
