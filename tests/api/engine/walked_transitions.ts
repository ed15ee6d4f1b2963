import type { PageType, Screen } from '../../../src/descriptor/types.ts';
import type { Transition } from '../../../src/descriptor/workflow.ts';
import type { Caller, TestTenant } from '../world.ts';

export type Row = Record<string, unknown>;

/** Somebody who tries a transition, with what the descriptor is compared with. */
export interface Person {
  name: string;
  call: Caller['call'];
  host: string;
  /** Pages of the type's screen; none: the person does not see the record. */
  pages: readonly PageType[];
  isAdmin?: boolean;
  /** Relations to the record, and the transitions taken last (`did:submit`). */
  is?: string[];
}

/** A type with one record of it that is put into every state. */
export interface Subject {
  screen: Screen;
  table: string;
  people: Person[];
  record: Row;
  id: number;
  /** What each transition asks for. */
  answers: Record<string, Row>;
  sql: TestTenant['sql'];
  /** What `when` of its transitions looks at, set back beside the state. */
  clear?: string;
  /** What a transition made of it is deleted by. */
  remove?: string;
  /** Whom the log names for the steps that `did:` looks at. */
  didBy?: number;
  /** The record may fail what a transition demands of it: a refusal with the fields named is right too. */
  mayRefuse?: boolean;
}

/** Puts the record into a state, past the server, with nothing in the log but what `did:` looks at. */
export async function put(
  { screen, table, id, sql, didBy, clear = '', remove }: Subject,
  state: string,
): Promise<number> {
  const [row] = await sql<{ version: number }>(
    `with gone as (delete from {s}.transition_log where record_type = '${screen.name}' and record_id = $1)
     update ${table} set ${screen.workflow!.field} = $2${clear} where id = $1 returning version`,
    [id, state],
  );
  if (remove !== undefined) await sql(remove, [id]);
  if (didBy !== undefined)
    await sql(
      `insert into {s}.transition_log (record_type, record_id, transition, from_state, to_state, by) values ($1, $2, 'submit', 'x', 'y', $3)`,
      [screen.name, id, didBy],
    );
  return row!.version;
}

/** The state in the table, and how many transitions the log has beside the one that was put there. */
export async function look({ screen, table, id, sql, didBy }: Subject): Promise<{ state: string; taken: number }> {
  const [row] = await sql<{ state: string; taken: number }>(
    `select ${screen.workflow!.field} as state, (select count(*)::int from {s}.transition_log where record_type = $2 and record_id = $1) as taken from ${table} where id = $1`,
    [id, screen.name],
  );
  return { state: row!.state, taken: row!.taken - (didBy === undefined ? 0 : 1) };
}

/** Which answers the descriptor allows. A function of a module looks at more than the descriptor says: it may refuse. */
function allowed(person: Person, transition: Transition | undefined, state: string, mayRefuse = false): number[] {
  if (person.pages.length === 0) return [403, 404];
  if (!transition || transition.auto) return [404];
  if (!transition.from.includes(state)) return [409];
  const { right, who, guard } = transition;
  const is = (name: string) => (name.startsWith('action:') ? person.isAdmin === true : person.is!.includes(name));
  const wanted = who?.filter((one) => !one.startsWith('!')) ?? [];
  const may =
    (right || who || person.pages.includes('edit_screen')) &&
    (right?.page === undefined || person.pages.includes(right.page)) &&
    (wanted.length === 0 || wanted.some(is)) &&
    !who?.some((one) => one.startsWith('!') && is(one.slice(1)));
  if (!may) return [403];
  // Only the current revision is revised again.
  if (transition.amend) return [200, 409, 422];
  return mayRefuse || guard.some((one) => !('assert' in one)) ? [200, 422] : [200];
}

/** Takes every transition from every state by everybody. @returns what was not as the descriptor says, and what was taken */
export async function takeAll(subject: Subject): Promise<{ wrong: string[]; taken: string[] }> {
  const { screen, people, id, answers } = subject;
  const { states, transitions } = screen.workflow!;
  const names = [...transitions.map(({ name }) => name), 'no_such_step'];
  const wrong: string[] = [];
  const taken = new Set<string>();
  for (const { name: state } of states) {
    let version = await put(subject, state);
    for (const name of names)
      for (const person of people) {
        const transition = transitions.find((one) => one.name === name);
        const got = await person.call('POST', `/tapi/${screen.name}/${id}/${name}`, { version, ...answers[name] });
        const after = await look(subject);
        const isTaken = got.statusCode === 200;
        const to = isTaken && transition?.to !== '<back>' ? (transition?.to ?? state) : isTaken ? after.state : state;
        const says = `${person.name} ${name} from ${state}: ${got.statusCode} ${isTaken ? '' : got.body}`;
        const expected = allowed(person, transition, state, subject.mayRefuse);
        if (!expected.includes(got.statusCode)) wrong.push(`${says}, not ${expected.join(' or ')}`);
        if (got.statusCode === 409 && got.json<{ error: Row }>().error.code !== 'bad_state') wrong.push(says);
        // An approval that nobody has to give is given in the same act.
        const isApproved = isTaken && screen.approval?.asks === name && after.taken === 2;
        if (isApproved) taken.add(name);
        else if (after.state !== to || after.taken !== (isTaken ? 1 : 0))
          wrong.push(`${says}, then ${after.state} with ${after.taken} in the log`);
        if (isTaken) taken.add(name);
        if (isTaken || after.state !== state || after.taken > 0) version = await put(subject, state);
      }
  }
  return { wrong, taken: [...taken].toSorted() };
}
