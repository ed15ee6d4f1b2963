import { closedErrors, fieldsWithClosedPeriods } from './closed_periods.ts';
import { givenRowsRemoved } from './given_rows.ts';
import { inUnit, withinTransaction } from './unit_of_work.ts';
import type { Announcements } from './announce.ts';
import type { FieldError, Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Queryable } from '../../db/database.ts';
import type { Vault } from '../../db/vault.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { sealed } from './encrypted.ts';
import type { Hooks } from './hooks.ts';
import { batchSession } from './hooks.ts';
import { followReferences } from './fetched.ts';
import type { Following } from './fetched.ts';
import type { HeldKeys } from './foreign_keys.ts';
import { insertMany, removeMany, updateMany, validateMany } from './many.ts';
import type { MayOpenFile } from './named_files.ts';
import { fileErrors, hasTextsWithFiles } from './named_files.ts';
import { refuseLocked } from '../workflow/locked_fields.ts';
import { changeOf } from './history.ts';
import { isOpened } from '../../../descriptor/opened_fields.ts';
import { keepComputed, writeParts } from './part_rows.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import { quoted, tableName } from '../../db/names.ts';
import { readRecords } from './read.ts';
import { updateWithRows } from './rows_at_once.ts';
import { rangeConflicts } from './ranges.ts';
import { unseenValues } from './unseen_values.ts';
import type { WriteContext } from './write_context.ts';

type Row = Record<string, unknown>;

/** Many records at once, for imports and jobs: checked individually, stored in few statements. */
export interface ManyCalls {
  /** Checks of single records, for imports: without the database. `stored`: their stored versions, in order. */
  validateMany(
    session: Session,
    screen: Screen,
    records: Row[],
    stored?: (Row | null | undefined)[],
    unseen?: (Row | null | undefined)[],
  ): { record: Row; errors: FieldError[] }[];
  /** The values of stored records in fields that rules use and this person does not see: for `validateMany`. */
  unseenValues(session: Session, screen: Screen, ids: number[]): Promise<ReadonlyMap<number, Row>>;
  /** Copies fetched values into records, before their checks, from references that are new or have changed. */
  followReferences(session: Session, screen: Screen, items: Following[]): Promise<void>;
  /**
   * The findings of the type's hooks and of the states for records to be written, and the values that hooks fill in;
   * null = it has neither. `changed`: the fields that people change in a stored record.
   */
  checkMany(
    session: Session,
    screen: Screen,
    records: { id: number | null; record: Row; changed?: readonly string[] }[],
  ): Promise<{ errors: FieldError[]; fill: Row }[] | null>;
  /** The side effects of records stored by an import, as after saving each one. Deleted ones are skipped. */
  saved(session: Session, screen: Screen, ids: readonly number[]): Promise<void>;
  insertMany(
    tx: Queryable,
    session: Session,
    screen: Screen,
    records: Row[],
    what: string,
    held?: HeldKeys,
  ): Promise<number[]>;
  updateMany(
    tx: Queryable,
    session: Session,
    screen: Screen,
    changes: { id: number; set: Row }[],
    what: string,
  ): Promise<void>;
  /** Adds the parts of records just inserted; `ids` and `records` are in the same order. */
  insertParts(
    tx: Queryable,
    session: Session,
    screen: Screen,
    ids: readonly number[],
    records: readonly Row[],
    what: string,
  ): Promise<void>;
  /** Changes a record by checked values, including child rows. `before`: their stored values. */
  updateWithRows(
    tx: Queryable,
    session: Session,
    screen: Screen,
    change: { id: number; before: Row; set: Row },
    what: string,
  ): Promise<void>;
  removeMany(tx: Queryable, session: Session, screen: Screen, ids: number[], what: string): Promise<void>;
}

/** The dependencies of the calls on many records. */
interface ManyDeps extends Pick<Announcements, 'ofMany' | 'publish'> {
  screens(session: Session): Map<string, Screen>;
  hooks: Hooks;
  vault: Vault | undefined;
  mayOpenFile: MayOpenFile;
  context(session: Session, screen: Screen, what: string): WriteContext;
  fillsOf(session: Session, screen: Screen, record: Row, stored: WireRecord | null): Promise<Row>;
  withClocks(session: Session, screen: Screen, record: WireRecord): Promise<void>;
  /** Why rows are written only with their parent. */
  refuseRow(session: Session, screen: Screen): AppError;
}

/** The number of records that hooks process concurrently. */
const CHECKED_AT_ONCE = 8;

/** The calls of the engine on many records at once. */
export function manyCalls({
  screens,
  hooks,
  vault,
  mayOpenFile,
  context,
  fillsOf,
  withClocks,
  ofMany,
  publish,
  refuseRow,
}: ManyDeps): ManyCalls {
  const calls: ManyCalls = {
    validateMany: (session, screen, records, stored, unseen) =>
      validateMany(session, screen, screens(session), records, stored, unseen),
    unseenValues: (session, screen, ids) => unseenValues(session, screen, screens(session), ids),
    async followReferences(session, screen, items) {
      await followReferences(session, screen, screens(session), items);
    },
    async checkMany(session, screen, records) {
      const keyed = screen.ranges !== undefined || screen.uniqueWhen !== undefined;
      const locks = screen.workflow !== undefined && !isOpened(screen);
      const closing = fieldsWithClosedPeriods(screen).length > 0;
      if (!keyed && !locks && !closing && !screen.fills && !hooks.checks?.(screen) && !hasTextsWithFiles(screen))
        return null;
      const known = screens(session);
      const batch = batchSession(session);
      const ids = records.flatMap(({ id }) => id ?? []);
      const byId = new Map(
        ids.length > 0 ? (await readRecords(session, screen, known, ids)).map((stored) => [stored.id, stored]) : [],
      );
      const one = async ({ id, record, changed }: { id: number | null; record: Row; changed?: readonly string[] }) => {
        const stored = id === null ? null : (byId.get(id) ?? null);
        if (id !== null && !stored) return { errors: [{ field: '', message: notFound().message }], fill: {} };
        // Values that a sheet does not contain, such as child rows, are the stored ones.
        const whole = { ...stored, ...record };
        const own = (await hooks.fill?.(batch, screen, whole, stored, known)) ?? {};
        const given: Row = { ...whole, ...own };
        const filledIn = (values: Row, before: WireRecord | null) =>
          inUnit(session, (unit) => fillsOf(unit.session, screen, values, before), { preview: true });
        const next = screen.fills ? await filledIn(given, stored) : given;
        const fill =
          next === given
            ? own
            : { ...own, ...Object.fromEntries(Object.entries(next).filter(([name, value]) => given[name] !== value)) };
        const errors = [
          ...(await hooks.check(batch, screen, next, stored, known)),
          ...(await fileErrors(session, screen, next, stored, mayOpenFile)),
          ...(await givenRowsRemoved(screen, screen.fills && filledIn, next, stored)),
          ...(closing ? await closedErrors(session, known, screen, next, stored) : []),
        ];
        if (locks && stored && changed) {
          const fields = screen.fields.filter(({ name }) => changed.includes(name));
          await refuseLocked(session, known, screen, stored, changeOf({ fields }, stored, next)).catch(
            (error: unknown) => {
              if (!(error instanceof AppError)) throw error;
              errors.push({ field: error.field ?? '', message: error.message });
            },
          );
        }
        return { errors, fill };
      };
      const answers: { errors: FieldError[]; fill: Row }[] = [];
      for (let from = 0; from < records.length; from += CHECKED_AT_ONCE)
        answers.push(...(await Promise.all(records.slice(from, from + CHECKED_AT_ONCE).map(one))));
      if (keyed) {
        const written = records.map(({ id, record }) => ({
          id,
          record: { ...(id !== null && byId.get(id)), ...record },
        }));
        for (const [at, found] of (await rangeConflicts(session, screen, written)).entries())
          answers[at]!.errors.push(...found);
      }
      return answers;
    },
    async saved(session, screen, ids) {
      for (const record of await readRecords(session, screen, screens(session), [...ids])) {
        await hooks.saved(session, screen, record);
        await withClocks(session, screen, record);
      }
    },
    async insertMany(tx, session, screen, records, what, held) {
      if (screen.part) throw refuseRow(session, screen);
      const ids = await insertMany(
        tx,
        session,
        screen,
        screens(session),
        records.map((record) => sealed(vault, screen, record)),
        what,
        held,
      );
      await ofMany(tx, session, screen, 'created', ids, what);
      if (ids[0] !== undefined) publish(session, screen, ids[0], 'I');
      return ids;
    },
    async removeMany(tx, session, screen, ids, what) {
      for (const { part } of screen.fields) {
        const of = part && screens(session).get(part.type);
        if (!of || ids.length === 0) continue;
        const parts = await tx.query<{ id: number }>(
          preparedStatement(
            `select id from ${tableName(session.tenant.schema, of.name)} where ${quoted(part.by)} = any($1::bigint[])`,
            [ids],
          ),
        );
        await calls.removeMany(
          tx,
          session,
          of,
          parts.map(({ id }) => id),
          what,
        );
      }
      await removeMany(tx, session, screen, screens(session), ids, what);
      await ofMany(tx, session, screen, 'removed', ids, what);
      if (ids[0] !== undefined) publish(session, screen, ids[0], 'D');
    },
    async insertParts(tx, actor, screen, ids, records, what) {
      const names = new Set(screen.fields.flatMap(({ name, part }) => (part ? [name] : [])));
      if (names.size === 0) return;
      await withinTransaction(actor, tx, async (session) => {
        const own = context(session, screen, what);
        for (const [at, id] of ids.entries()) {
          const made = await writeParts(own, id, null, records[at]!, names);
          await keepComputed(own, { ...made, id } as WireRecord);
        }
      });
    },
    async updateWithRows(tx, session, screen, { id, before, set }, what) {
      const own = { session, screen, screens: screens(session), what };
      const names = new Set(screen.fields.flatMap(({ name, part }) => (part && name in set ? [name] : [])));
      const written =
        names.size > 0
          ? await withinTransaction(session, tx, (by) =>
              writeParts(context(by, screen, what), id, before, { ...before, ...set }, names),
            )
          : set;
      const now = Object.fromEntries(Object.keys(set).map((name) => [name, written[name]]));
      await updateWithRows(tx, own, id, before, sealed(vault, screen, now));
      await ofMany(tx, session, screen, 'changed', [id], what);
      publish(session, screen, id, 'U');
    },
    async updateMany(tx, session, screen, changes, what) {
      if (screen.part) throw refuseRow(session, screen);
      await updateMany(
        tx,
        session,
        screen,
        screens(session),
        changes.map(({ id, set }) => ({ id, set: sealed(vault, screen, set) })),
        what,
      );
      const ids = changes.map(({ id }) => id);
      await ofMany(tx, session, screen, 'changed', ids, what);
      if (changes[0]) publish(session, screen, changes[0].id, 'U');
    },
  };
  return calls;
}
