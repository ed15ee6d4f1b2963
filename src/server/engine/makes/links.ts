import { Decimal } from 'decimal.js';
import { Exact } from '../../../descriptor/exact.ts';
import { formatValue } from '../../../descriptor/format.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import type { LinkedRecord, LinkedRecords, MadeFrom, Make } from '../../../descriptor/makes.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import { COPIED_FROM, amending, stateOf } from '../../../descriptor/workflow.ts';
import type { Session } from '../../access/context.ts';
import { quoted, tableName } from '../../db/names.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { openedFields } from '../../../descriptor/opened_fields.ts';
import { readRecord, readRecords } from '../records/read.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import type { WriteContext } from '../records/write_context.ts';
import type { Ref } from '../events/ref.ts';
import { elevated } from '../records/elevated.ts';
import { lockRecords } from '../records/locks.ts';
import { holds, valueIn } from '../workflow/values.ts';

type Row = Record<string, unknown>;
type Screens = WriteContext['screens'];

/** A row of a target created from a row of the source, and its current quantity. */
interface LinkedRow {
  /** Rows field of the target. */
  field: string;
  target: number;
  source: number;
  /** By column of the source. */
  amounts: Record<string, string>;
}

interface Link {
  id: number;
  from_type: string;
  from_id: number;
  to_type: string;
  to_id: number;
  make: string;
  rows: LinkedRow[];
}

/** The engine functions that links need: to write read-only fields, and to take an automatic transition. */
export interface LinkDeps {
  screens(session: Session): Screens;
  update(session: Session, screen: Screen, id: number, input: Row): Promise<WireRecord>;
  takeAuto(session: Session, screen: Screen, id: number, names: string[]): Promise<boolean>;
}

const linksOf = ({ tenant }: Session, side: 'from' | 'to', type: string, id: number) =>
  tenant.db.query<Link>(
    preparedStatement(
      `select id, from_type, from_id, to_type, to_id, make, rows from ${quoted(tenant.schema)}.record_link
       where ${side}_type = $1 and ${side}_id = $2 order by from_type, from_id, id`,
      [type, id],
    ),
  );

/** The records from which one was created. */
export async function sourcesOf(session: Session, { name }: Screen, id: number): Promise<Ref[]> {
  return (await linksOf(session, 'to', name, id)).map((link) => ({ type: link.from_type, id: link.from_id }));
}

/** The source named by a new record, locked, if a record may be created from it now. @throws AppError 403, 404, 409 */
export async function sourceOf(
  session: Session,
  screens: Screens,
  target: Screen,
  { type, id, make: name, each }: MadeFrom,
): Promise<{ screen: Screen; make: Make; source: WireRecord }> {
  const screen = screens.get(type);
  const make = screen?.makes?.find((one) => one.name === name && one.to === target.name);
  if (!screen || !make || !Number.isSafeInteger(id)) throw notFound();
  const refused = session.rights.refuse(screen, 'view_screen') && session.rights.refuse(screen, 'edit_screen');
  if (refused) throw new AppError(403, 'forbidden', refused.message, { reason: refused.reason });
  await lockRecords(session, [{ type, id }]);
  const source = await readRecord(session, screen, screens, id);
  if ((make.each !== undefined) !== (each !== undefined)) throw notFound();
  if (each !== undefined && (await madeFor(session, screens, screen, id, make)).has(each))
    throw new AppError(409, 'bad_state', `"${make.title}" was done for this already.`);
  const why = await cannotMake(session, screens, screen, source, make);
  if (why !== null) throw new AppError(409, 'bad_state', why);
  return { screen, make, source };
}

/** Why nothing can be created from a record now; null = it can. */
export async function cannotMake(
  session: Session,
  screens: Screens,
  screen: Screen,
  source: WireRecord,
  make: Make,
): Promise<string | null> {
  const title = inSentence(screen.title);
  if (!source.active) return `This ${title} is inactive.`;
  if (!(await holds({ session, screen, screens, record: source }, make.when)))
    return `"${make.title}" is not possible for this ${title} as it is.`;
  if (make.once && (await living(session, screens, screen.name, source.id)).some((link) => link.make === make.name))
    return `"${make.title}" was done for this ${title} already.`;
  return null;
}

/** Used instead of a rows field: the row or record for which a target was created. */
const EACH = '*';

/** The rows or records that already have an active document of a make. */
export async function madeFor(
  session: Session,
  screens: Screens,
  screen: Screen,
  id: number,
  make: Make,
): Promise<ReadonlySet<number>> {
  const links = (await living(session, screens, screen.name, id)).filter((link) => link.make === make.name);
  return new Set(links.flatMap(({ rows }) => rows.flatMap(({ field, source }) => (field === EACH ? [source] : []))));
}

/** Links to targets that are neither cancelled nor inactive. */
async function living(session: Session, screens: Screens, type: string, id: number): Promise<Link[]> {
  const links = await linksOf(session, 'from', type, id);
  const alive = new Set<string>();
  for (const [name, ofType] of Map.groupBy(links, (link) => link.to_type)) {
    const target = screens.get(name);
    if (!target) continue;
    const ids = ofType.map((link) => link.to_id);
    for (const record of await readRecords(elevated(session), target, screens, ids))
      if (lives(target, record)) alive.add(`${name} ${record.id}`);
  }
  return links.filter((link) => alive.has(`${link.to_type} ${link.to_id}`));
}

const lives = (screen: Screen, record: WireRecord): boolean =>
  record.active && (!screen.workflow || stateOf(screen.workflow, record).is !== 'cancelled');

/** Stores the sources of a record; `given` are its rows as sent, in their order. */
export async function storeLink(
  session: Session,
  from: MadeFrom,
  target: Screen,
  record: WireRecord,
  given: Row,
): Promise<void> {
  const rows = target.fields.flatMap((field): LinkedRow[] => {
    const sent = given[field.name];
    const stored = record[field.name] as Row[] | null;
    if (!field.rows || !Array.isArray(sent) || !Array.isArray(stored)) return [];
    return (sent as Row[]).flatMap((row, at) =>
      typeof row._source === 'number' && stored[at]
        ? [{ field: field.name, target: stored[at].id as number, source: row._source, amounts: {} }]
        : [],
    );
  });
  if (from.each !== undefined) rows.push({ field: EACH, target: 0, source: from.each, amounts: {} });
  const { tenant, userId } = session;
  await tenant.db.query(
    preparedStatement(
      `insert into ${quoted(tenant.schema)}.record_link (from_type, from_id, to_type, to_id, make, rows, by) values ($1, $2, $3, $4, $5, $6::jsonb, $7)`,
      [from.type, from.id, target.name, record.id, from.make, JSON.stringify(rows), userId],
    ),
  );
}

/**
 * Updates the sources of a record after any change: the quantities of its rows are added to the rows of the sources, or
 * returned. `after` null: it was deleted. @throws AppError 409 if a source does not have enough left
 */
export async function settle(
  deps: LinkDeps,
  session: Session,
  target: Screen,
  id: number,
  after: WireRecord | null,
): Promise<void> {
  const links = await linksOf(session, 'to', target.name, id);
  const screens = deps.screens(session);
  for (const link of links) {
    const screen = screens.get(link.from_type);
    const make = screen?.makes?.find((one) => one.name === link.make);
    if (!screen || !make) continue;
    await lockRecords(session, [{ type: screen.name, id: link.from_id }]);
    const counts = after !== null && lives(target, after) && (await isReached(session, target, id, make));
    await settleLink(deps, session, { screen, make, link }, target, counts ? after : null);
    if (after === null)
      await session.tenant.db.query(
        preparedStatement(`delete from ${quoted(session.tenant.schema)}.record_link where id = $1`, [link.id]),
      );
    const left = (await living(session, screens, screen.name, link.from_id)).filter(
      (one) => one.to_type === target.name,
    );
    const steps = (screen.workflow?.transitions ?? []).filter(({ auto }) =>
      auto?.some(({ made, unmade }) => (left.length > 0 ? made : unmade) === target.name),
    );
    if (steps.length > 0)
      await deps.takeAuto(
        session,
        screen,
        link.from_id,
        steps.map(({ name }) => name),
      );
  }
}

/** Whether a target has reached the transition from which it counts. */
async function isReached({ tenant }: Session, target: Screen, id: number, { at }: Make): Promise<boolean> {
  if (at === undefined) return true;
  const rows = await tenant.db.query(
    preparedStatement(
      `select 1 from ${quoted(tenant.schema)}.transition_log where record_type = $1 and record_id = $2 and transition = $3 limit 1`,
      [target.name, id, at],
    ),
  );
  return rows.length > 0;
}

async function settleLink(
  deps: LinkDeps,
  session: Session,
  { screen, make, link }: { screen: Screen; make: Make; link: Link },
  target: Screen,
  record: WireRecord | null,
): Promise<void> {
  const screens = deps.screens(session);
  const as = elevated(session);
  const source = await readRecord(as, screen, screens, link.from_id);
  const changed = new Set<string>();
  let moved = false;
  for (const one of link.rows) {
    const made = make.rows[one.field];
    const into = target.fields.find(({ name }) => name === one.field)?.rows ?? [];
    const from = made && screen.fields.find(({ name }) => name === made.from);
    const rows = made ? ((source[made.from] as Row[] | null) ?? []) : [];
    const row = rows.find(({ id }) => id === one.source);
    if (!made || !from?.rows || !row) continue;
    const taken = (record?.[one.field] as Row[] | null | undefined)?.find(({ id }) => id === one.target);
    for (const [column, text] of Object.entries(made.settles)) {
      const value = taken
        ? await valueIn(
            { session, screen: target, screens, record: record!, row: { fields: into, values: taken } },
            text,
          )
        : null;
      const now = Decimal.isDecimal(value) ? (value as Decimal) : new Exact(0);
      const difference = now.minus(one.amounts[column] ?? 0);
      if (difference.isZero()) continue;
      moved = true;
      one.amounts[column] = now.toFixed();
      const sum = new Exact((row[column] as string | number | null) ?? 0).plus(difference);
      row[column] = sum.toFixed();
      changed.add(`${made.from}.${column}`);
      const field = from.rows.find(({ name }) => name === column)!;
      const limit =
        made.limit[column] === undefined
          ? null
          : await valueIn(
              { session, screen, screens, record: source, row: { fields: from.rows, values: row } },
              made.limit[column],
            );
      if (sum.isNegative() || (Decimal.isDecimal(limit) && sum.gt(limit as Decimal)))
        throw new AppError(
          409,
          'bad_state',
          sum.isNegative()
            ? `${field.title} of row ${rows.indexOf(row) + 1} would fall below 0.`
            : `${field.title} of row ${rows.indexOf(row) + 1} of the ${inSentence(screen.title)} would be ${formatValue(field, sum.toFixed(), row)}; at most ${formatValue(field, (limit as Decimal).toFixed(), row)} is left to take.`,
          { field: one.field },
        );
    }
  }
  if (!moved) return;
  const fields = Object.fromEntries([...changed].map((path) => [path.split('.')[0]!, source[path.split('.')[0]!]]));
  await deps.update(as, openedFields(screen, [...changed]), link.from_id, { ...fields, version: source.version });
  await session.tenant.db.query(
    preparedStatement(`update ${quoted(session.tenant.schema)}.record_link set rows = $2::jsonb where id = $1`, [
      link.id,
      JSON.stringify(link.rows),
    ]),
  );
}

/** Refuses to cancel a record while a record created from it is in force. @throws AppError 409 */
export async function refuseCancelling(session: Session, screens: Screens, screen: Screen, id: number): Promise<void> {
  if (!screen.makes) return;
  const left = (await living(session, screens, screen.name, id)).filter(
    ({ make }) => screen.makes!.find((one) => one.name === make)?.cascade !== true,
  );
  if (left.length === 0) return;
  const titles = [...new Set(left.map(({ to_type: type }) => inSentence(screens.get(type)?.title ?? type)))];
  throw new AppError(
    409,
    'bad_state',
    `Cancel what was made from this ${inSentence(screen.title)} first: ${titles.join(', ')}.`,
    { extra: { made: left.map(({ to_type: type, to_id: of }) => ({ type, id: of })) } },
  );
}

/** The revisions of a record, by id; none if the type has none. */
async function revisionsOf({ tenant }: Session, screen: Screen, id: number): Promise<number[]> {
  const amend = amending(screen)?.amend;
  if (!amend) return [];
  const table = tableName(tenant.schema, screen.name);
  const from = quoted(COPIED_FROM);
  const rows = await tenant.db.query<{ id: number }>(
    preparedStatement(
      `with recursive up as (select id, ${from} as of from ${table} where id = $1
           union all select t.id, t.${from} from ${table} t join up on t.id = up.of),
         down as (select id from up where of is null union all select t.id from ${table} t join down on t.${from} = down.id)
       select t.id from down join ${table} t on t.id = down.id order by t.${quoted(amend.revision)}, t.id`,
      [id],
    ),
  );
  return rows.map((row) => row.id);
}

/**
 * The records from which one was created, those created from it, and its revisions, as far as this person may see them.
 */
export async function linkedRecords(
  session: Session,
  screens: Screens,
  screen: Screen,
  id: number,
): Promise<LinkedRecords> {
  const shown = async (type: string, of: number, revision?: string): Promise<LinkedRecord[]> => {
    const other = screens.get(type);
    if (!other) return [];
    if (session.rights.refuse(other, 'view_screen') && session.rights.refuse(other, 'edit_screen')) return [];
    const [record] = await readRecords(session, other, screens, [of]);
    if (!record) return [];
    const state = other.workflow && stateOf(other.workflow, record);
    const label = other.label
      .map((name) =>
        formatValue(
          other.fields.find((field) => field.name === name)!,
          record[name],
          record,
        ),
      )
      .filter((text) => text !== '')
      .join(' · ');
    return [
      {
        type,
        title: other.title,
        id: of,
        label: label || `${other.title} ${of}`,
        state: state ? { label: state.title, colour: state.colour } : null,
        ...(revision !== undefined && { revision: Number(record[revision]) }),
        address: (other.routes.view ?? other.routes.edit)?.replace(':id', String(of)) ?? null,
      },
    ];
  };
  const [from, to, revisions] = await Promise.all([
    linksOf(session, 'to', screen.name, id),
    linksOf(session, 'from', screen.name, id),
    revisionsOf(session, screen, id),
  ]);
  const field = amending(screen)?.amend.revision;
  return {
    from: (await Promise.all(from.map((link) => shown(link.from_type, link.from_id)))).flat(),
    to: (await Promise.all(to.map((link) => shown(link.to_type, link.to_id)))).flat(),
    ...(revisions.length > 1 && {
      revisions: (await Promise.all(revisions.map((of) => shown(screen.name, of, field)))).flat(),
    }),
  };
}
