import type { PageType, Screen } from '../../../src/descriptor/types.ts';
import type { Transition } from '../../../src/descriptor/workflow.ts';
import { isProductsOwn } from '../../../src/descriptor/workflow.ts';
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
  /** Actions of the person's roles, where transitions name some; absent: all that they name as a right. */
  actions?: readonly string[];
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
  /**
   * The record may fail what a transition demands of it: a refusal with the fields named is right too, and one by the
   * condition (`when`) of the transition, which is looked at before the person.
   */
  mayRefuse?: boolean;
  /**
   * Of those who may take a transition, one after the other in turn takes it, and other doors are tried in the first and
   * the last state alone: for many types, whose transitions are all taken by the same code.
   */
  inTurn?: boolean;
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
  if (!transition || isProductsOwn(transition)) return [404];
  if (!transition.from.includes(state)) return [409];
  const { right, who, guard } = transition;
  const acts = (code: string) => person.isAdmin === true || person.actions?.includes(code) === true;
  const is = (name: string) =>
    name.startsWith('action:') ? acts(name.slice('action:'.length)) : person.is!.includes(name);
  const wanted = who?.filter((one) => !one.startsWith('!')) ?? [];
  const may =
    (right || who || person.pages.includes('edit_screen')) &&
    (right?.page === undefined || person.pages.includes(right.page)) &&
    (right?.action === undefined || person.actions === undefined || acts(right.action)) &&
    (wanted.length === 0 || wanted.some(is)) &&
    !who?.some((one) => one.startsWith('!') && is(one.slice(1)));
  if (!may) return [403];
  // Only the current revision is revised again.
  if (transition.amend) return [200, 409, 422];
  if (guard.some((one) => !('assert' in one))) return [200, 409, 422];
  return mayRefuse ? [200, 422] : [200];
}

/**
 * Takes every transition from every state: from those that it leads from by everybody (`inTurn`: by everybody who may
 * not, and one who may), from the others by one person after the other in turn. @returns what was not as the descriptor says, and what was taken
 */
export async function takeAll(subject: Subject): Promise<{ wrong: string[]; taken: string[] }> {
  const { screen, people, id, answers } = subject;
  const { states, transitions } = screen.workflow!;
  const names = [...transitions.map(({ name }) => name), 'no_such_step'];
  const wrong: string[] = [];
  const taken = new Set<string>();
  let turn = 0;
  for (const { name: state } of states) {
    let version = await put(subject, state);
    for (const name of names) {
      const transition = transitions.find((one) => one.name === name);
      const take = async (person: Person) => {
        const got = await person.call('POST', `/tapi/${screen.name}/${id}/${name}`, { version, ...answers[name] });
        const says = `${person.name} ${name} from ${state}: ${got.statusCode} ${got.statusCode === 200 ? '' : got.body}`;
        const expected = allowed(person, transition, state, subject.mayRefuse);
        const isAsItIs =
          subject.mayRefuse === true && transition?.when !== undefined && got.body.includes(`is not possible for this`);
        if (!expected.includes(got.statusCode) && !(isAsItIs && got.statusCode === 409))
          wrong.push(`${says}, not ${expected.join(' or ')}`);
        if (got.statusCode === 409 && got.json<{ error: Row }>().error.code !== 'bad_state') wrong.push(says);
        return { isTaken: got.statusCode === 200, says };
      };
      const tries = transition?.from.includes(state) ? people : [people[turn++ % people.length]!];
      const may = tries.filter((person) => allowed(person, transition, state, subject.mayRefuse).includes(200));
      const takers = subject.inTurn && may.length > 0 ? [may[turn++ % may.length]!] : may;
      // Whoever may not, at once: nothing has changed by any of them.
      const refused = await Promise.all(tries.filter((person) => !may.includes(person)).map(take));
      const still = await look(subject);
      if (still.state !== state || still.taken > 0) {
        wrong.push(`${refused.map(({ says }) => says).join('; ')}, then ${still.state} with ${still.taken} in the log`);
        version = await put(subject, state);
      }
      for (const person of takers) {
        const { isTaken, says } = await take(person);
        const after = await look(subject);
        // What is amended stays in force until its new version replaces it.
        const stays = transition?.amend?.supersede !== undefined;
        const to =
          isTaken && transition?.to !== '<back>'
            ? stays
              ? state
              : (transition?.to ?? state)
            : isTaken
              ? after.state
              : state;
        // An approval that nobody has to give is given in the same act.
        const isApproved = isTaken && screen.approval?.asks === name && after.taken === 2;
        // A step that the product takes as soon as its condition holds follows in the same act.
        const isFollowed =
          isTaken &&
          after.taken === 2 &&
          transitions.some((one) => one.auto !== undefined && one.from.includes(to) && one.to === after.state);
        if (!isApproved && !isFollowed && (after.state !== to || after.taken !== (isTaken ? 1 : 0)))
          wrong.push(`${says}, then ${after.state} with ${after.taken} in the log`);
        if (isTaken) taken.add(name);
        if (isTaken || after.state !== state || after.taken > 0) version = await put(subject, state);
      }
    }
  }
  return { wrong, taken: [...taken].toSorted() };
}

/** Tries every other door into each state (`inTurn`: the first and the last), a state by one of these people: none of them leads anywhere. @returns what did */
export async function otherWays(
  subject: Subject,
  insiders: readonly Pick<Person, 'name' | 'call'>[],
): Promise<string[]> {
  const { screen, record, id, table, sql } = subject;
  const { field, states, transitions } = screen.workflow!;
  const wrong: string[] = [];
  const body = Object.fromEntries(
    Object.entries(record).filter(([name]) => name !== 'id' && name !== 'version' && !name.startsWith('_')),
  );
  const fresh = states[0]!.name;
  const counted = async () => (await sql<{ count: number }>(`select count(*)::int as count from ${table}`))[0]!.count;
  const before = await counted();
  const tried = [...states.entries()].filter(([at]) => !subject.inTurn || at === 0 || at === states.length - 1);
  for (const [at, { name: state }] of tried) {
    const other = states[(at + 1) % states.length]!.name;
    const version = await put(subject, state);
    const person = insiders[at % insiders.length]!;
    const isFrom = ({ from }: Transition) => from.includes(state);
    const asked = (name: string) => subject.answers[name] ?? {};
    const tries: [string, string, object, number[]][] = [
      ['PUT', `/${id}`, { version, [field]: other }, [422]],
      ['PUT', `/${id}`, { ...body, version, [field]: other }, [422]],
      ['PUT', `/${id}`, { version, [field]: null }, [422]],
      ['PUT', `/${id}`, { version, [field]: [other] }, [422]],
      ['PUT', '/bulk', { ids: [id], set: { [field]: other } }, [200, 400, 422]],
      ['POST', '', { ...body, [field]: state === fresh ? other : state }, [422]],
      ['POST', `/${id}/move/${other}`, { version }, [404]],
      ['POST', '/bulk/no_such_step', { ids: [id] }, [404]],
      ...transitions
        .filter((one) => isProductsOwn(one) || !one.bulk || !isFrom(one))
        .map((one): [string, string, object, number[]] => [
          'POST',
          `/bulk/${one.name}`,
          { ids: [id] },
          [!isProductsOwn(one) && one.bulk ? 200 : 404],
        ]),
      // From other states they are refused, whatever is sent with them (`takeAll`).
      ...transitions.filter(isFrom).flatMap(({ name }): [string, string, object, number[]][] => [
        ['POST', `/${id}/${name}?preview=1`, asked(name), [200, 403, 404, 409, 422]],
        ['POST', `/${id}/${name}`, { version, ...asked(name), [field]: other }, [400, 403, 404, 409]],
      ]),
    ];
    const said: string[] = [];
    for (const [method, path, sent, statuses] of tries) {
      const got = await person.call(method, `/tapi/${screen.name}${path}`, sent);
      const says = `${person.name} ${method} ${path} ${JSON.stringify(sent).slice(0, 80)} in ${state}: ${got.statusCode} ${got.body.slice(0, 200)}`;
      if (!statuses.includes(got.statusCode)) wrong.push(says);
      if (path === '/bulk' && got.statusCode === 200 && got.json<{ data: Row }>().data.changed?.toString() !== '')
        wrong.push(says);
      if (got.statusCode < 300) said.push(says);
    }
    const after = await look(subject);
    if (after.state !== state || after.taken !== 0)
      wrong.push(`${state} is ${after.state} now with ${after.taken} in the log, after one of: ${said.join('; ')}`);
  }
  if ((await counted()) !== before) wrong.push('There are more records than before.');
  return wrong;
}
