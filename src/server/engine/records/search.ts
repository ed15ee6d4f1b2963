import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { companyScope, rowScope } from '../../access/rights/scope.ts';
import type { Queryable } from '../../db/database.ts';
import { columnSql, namingText, type NamePlace } from '../../db/columns.ts';
import { existingTables } from '../../db/existing_tables.ts';
import { literal, quoted } from '../../db/names.ts';
import { LAST_LEADING_PLACE, searchEntry } from '../../db/search_entries.ts';
import { searchExpression } from '../../db/search_index.ts';
import { SqlParams, escapeLike } from '../../db/sql_text.ts';
import { rowsOf } from './rows_of.ts';

export interface Found {
  type: string;
  title: string;
  id: number;
  label: string;
  detail: string | null;
  route: string;
}

/** The maximum number of records per type, and in total, in one answer. */
const MAX_OF_TYPE = 5;
const MAX_FOUND = 30;
/** The number of entries examined for each kind of match. */
const MAX_EXACT = 50;
const MAX_PREFIX = 100;
const MAX_CONTAINING = 200;
/** How often the table is searched again without types of which the person sees too little. */
const MAX_ROUNDS = 6;
const MAX_WORDS = 8;
const MAX_LENGTH = 100;
/** Shorter texts are not searched with tolerance for typing errors: nearly everything is similar to them. */
const MIN_SIMILAR_LENGTH = 4;
/** The share of letters that a word must have in common for a match with a typing error. */
const LIKENESS = 0.45;
/** The same for codes and numbers, most of which share their zeros and years. */
const LIKENESS_OF_CODES = 0.7;
/** Sorts after every text with the same prefix. */
const LAST_CHARACTER = '\u{10ffff}';

/** A text in normal form for the search. */
interface Wanted {
  text: string;
  words: string[];
  /** Similar words are found too. */
  similar: boolean;
}

interface Candidate {
  type: string;
  id: number;
}

interface Seen extends Candidate {
  label: string;
  detail: string | null;
  /** The similarity to the text; 1 if not requested. */
  likeness: number;
}

/**
 * Records whose name, code or texts contain all words, over all types that the session may list: exact names or codes
 * first, then people, customers, items and documents. If there are none, records with similar words. The search table
 * finds the candidates; the tables of the records decide what the person sees of them.
 */
export async function searchRecords(session: Session, screens: Map<string, Screen>, q: string): Promise<Found[]> {
  const text = q.trim().toLowerCase().replace(/\s+/g, ' ').slice(0, MAX_LENGTH);
  if (text.length < 2) return [];
  const wanted: Wanted = { text, words: text.split(' ').slice(0, MAX_WORDS), similar: false };
  const existing = await existingTables(session.tenant.db, session.tenant.schema);
  const types = [...screens.values()].filter(
    (screen) =>
      searchEntry(screen) !== null &&
      searchExpression(screen) !== null &&
      existing.has(screen.name) &&
      session.rights.refuse(screen, 'landing') === null &&
      (screen.scope !== 'entity' || session.entityId !== null),
  );
  if (types.length === 0) return [];
  const { db } = session.tenant;
  let seen = await seenOf(db, session, screens, types, wanted);
  if (seen.length === 0 && text.length >= MIN_SIMILAR_LENGTH)
    seen = await db.transaction(async (tx) => {
      await tx.query(`set local pg_trgm.word_similarity_threshold = ${/\d/.test(text) ? LIKENESS_OF_CODES : LIKENESS}`);
      return seenOf(tx, session, screens, types, { ...wanted, similar: true });
    });
  const order = (one: Seen): [number, number, number] => [
    fit(one, wanted),
    -one.likeness,
    searchEntry(screens.get(one.type)!)!.place,
  ];
  const sorted = seen
    .map((one) => ({ one, by: order(one) }))
    .sort(
      (a, b) =>
        a.by[0] - b.by[0] ||
        a.by[1] - b.by[1] ||
        a.by[2] - b.by[2] ||
        a.one.label.localeCompare(b.one.label) ||
        a.one.id - b.one.id,
    );
  const counts = new Map<string, number>();
  const found = sorted.filter(({ one: { type } }) => {
    const count = (counts.get(type) ?? 0) + 1;
    counts.set(type, count);
    return count <= MAX_OF_TYPE;
  });
  return found.slice(0, MAX_FOUND).map(({ one: { type, id, label, detail } }) => {
    const screen = screens.get(type)!;
    return { type, title: screen.title, id, label, detail, route: routeOf(session, screen, id) };
  });
}

/**
 * 0 = name or code equals the text, 1 = begins with it, 2 = one of its words does, 3 = contains it, 4 = another text
 * does.
 */
function fit({ label, detail }: Seen, { text }: Wanted): number {
  const names = [label, detail ?? ''].map((name) => name.toLowerCase());
  if (names.includes(text)) return 0;
  if (names.some((name) => name.startsWith(text))) return 1;
  if (names.some((name) => name.includes(` ${text}`))) return 2;
  return names.some((name) => name.includes(text)) ? 3 : 4;
}

function routeOf(session: Session, screen: Screen, id: number): string {
  const page = session.rights.refuse(screen, 'view_screen') === null ? screen.routes.view : screen.routes.edit;
  const route = page ?? screen.routes.landing;
  return page === null || page.includes(':id') ? route.replace(':id', String(id)) : `${route}?id=${id}`;
}

/**
 * The matching records that the person sees. Types of which they see only some rows are searched separately if others'
 * rows fill the answer.
 */
async function seenOf(
  on: Queryable,
  session: Session,
  screens: Map<string, Screen>,
  types: readonly Screen[],
  wanted: Wanted,
): Promise<Seen[]> {
  const seen = new Map<string, Seen>();
  const keep = (rows: readonly Seen[]) => {
    for (const row of rows) seen.set(`${row.type} ${row.id}`, row);
  };
  let left = types;
  for (let round = 0; round < MAX_ROUNDS && left.length > 0; round++) {
    const { candidates, isFull } = await candidatesOf(on, session, left, wanted);
    const byType = Map.groupBy(candidates, ({ type }) => type);
    const rows = await rowsInSight(on, session, screens, byType, wanted);
    keep(rows);
    const shown = Map.groupBy(rows, ({ type }) => type);
    const short = left.filter(
      ({ name }) => byType.has(name) && (shown.get(name)?.length ?? 0) < byType.get(name)!.length,
    );
    if (!isFull || short.length === 0) break;
    for (const screen of short) keep(await rowsInSight(on, session, screens, new Map([[screen.name, null]]), wanted));
    left = left.filter((screen) => !short.includes(screen));
  }
  return [...seen.values()];
}

/** The condition that a text contains all words, or similar words. */
function holdsWords(expression: string, { words, text, similar }: Wanted, values: SqlParams): string {
  if (similar) return `${expression} operator(public.%>) ${values.bind(text)}`;
  // Two letters match too much for a search in the middle of words.
  if (text.length < 3)
    return `(${expression} like ${values.bind(`${escapeLike(text)}%`)} or ${expression} like ${values.bind(`% ${escapeLike(text)}%`)})`;
  return words.map((word) => `${expression} like ${values.bind(`%${escapeLike(word)}%`)}`).join(' and ');
}

/** Candidates from the search table; `isFull`: there may be more of them. */
async function candidatesOf(
  on: Queryable,
  session: Session,
  types: readonly Screen[],
  wanted: Wanted,
): Promise<{ candidates: Candidate[]; isFull: boolean }> {
  const { schema } = session.tenant;
  const values = new SqlParams();
  // Types with the same company condition are combined.
  const groups = Map.groupBy(types, (screen) => {
    const probe = new SqlParams();
    return JSON.stringify([companyScope(session, screen, 'e', probe), probe.list]);
  });
  const inReach = [...groups.values()].map((screens) => {
    const names = values.bind(screens.map(({ name }) => name));
    return [`e.record_type = any(${names}::text[])`, ...companyScope(session, screens[0]!, 'e', values)].join(' and ');
  });
  const reach = `(${inReach.map((one) => `(${one})`).join(' or ')})`;
  const from = `select e.record_type as type, e.record_id as id from ${quoted(schema)}.search_entry e`;
  const part = (where: string, limit: number, way: number) =>
    `(select x.*, ${way} as way from (${from} where ${where} and ${reach} limit ${limit}) x)`;
  const holds = holdsWords('e.text', wanted, values);
  const ways: [string, number][] = [
    [`e.place <= ${LAST_LEADING_PLACE} and ${holds}`, MAX_CONTAINING],
    [`e.place > ${LAST_LEADING_PLACE} and ${holds}`, MAX_CONTAINING],
  ];
  if (!wanted.similar) {
    const [first, last] = [values.bind(wanted.text), values.bind(wanted.text + LAST_CHARACTER)];
    for (const column of ['e.title', 'e.code'])
      ways.push(
        [`${column} = ${first}`, MAX_EXACT],
        [`${column} operator(pg_catalog.~>=~) ${first} and ${column} operator(pg_catalog.~<~) ${last}`, MAX_PREFIX],
      );
  }
  // Planned with its values each time: rare and common words need different plans.
  const rows = await on.query<Candidate & { way: number }>(
    ways.map(([where, limit], way) => part(where, limit, way)).join(' union all '),
    values.list,
  );
  const counts = Map.groupBy(rows, ({ way }) => way);
  const candidates = new Map(rows.map(({ type, id }) => [`${type} ${id}`, { type, id }]));
  return {
    candidates: [...candidates.values()],
    isFull: ways.some(([, limit], way) => (counts.get(way)?.length ?? 0) >= limit),
  };
}

/** Of these records, those that the person sees and that match in the fields they see; ids null = of the whole type. */
async function rowsInSight(
  on: Queryable,
  session: Session,
  screens: Map<string, Screen>,
  byType: ReadonlyMap<string, readonly Candidate[] | null>,
  wanted: Wanted,
): Promise<Seen[]> {
  if (byType.size === 0) return [];
  const { schema } = session.tenant;
  const values = new SqlParams();
  const parts = [...byType].map(([type, candidates]) => {
    const screen = screens.get(type)!;
    const expression = searchExpression(screen, 't')!;
    const [label, detail] = [nameOf(screen, 0, { screens, schema }), nameOf(screen, 1, { screens, schema })];
    const likeness = wanted.similar ? `public.word_similarity(${values.bind(wanted.text)}, ${expression})` : '1';
    const where = [
      't.active',
      candidates === null
        ? `t.id in (select e.record_id from ${quoted(schema)}.search_entry e where e.record_type = ${literal(type)} and ${holdsWords('e.text', wanted, values)})`
        : `t.id = any(${values.bind(candidates.map(({ id }) => id))}::bigint[])`,
      ...rowScope(session, screen, screens, 't', values),
      holdsWords(expression, wanted, values),
    ];
    return `(select ${literal(type)} as type, t.id, ${label ?? 't.id::text'} as label, ${detail ?? 'null::text'} as detail, ${likeness} as likeness
      from ${rowsOf(session, screen, screens, 't', values)} where ${where.join(' and ')}${candidates === null ? ` limit ${MAX_CONTAINING}` : ''})`;
  });
  // Not prepared: the types in it change with each text.
  return on.query<Seen>(parts.join(' union all '), values.list);
}

/** The label of a record, as far as the person sees it: its first or second label field. */
function nameOf(screen: Screen, at: number, place: NamePlace): string | null {
  const field = screen.fields.find(({ name }) => name === screen.label[at]);
  if (!field) return null;
  const text = field.type === 'ref' ? namingText(screen, field.name, 't', place) : `(${columnSql(field, 't')})::text`;
  return `coalesce(${text}, '')`;
}
