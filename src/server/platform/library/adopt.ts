import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { Field, Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Adopted, Clash, LibraryChange, Offer, Offered, Renamed } from '../../../domain/adoption.ts';
import type { Session } from '../../access/context.ts';
import type { Database } from '../../db/database.ts';
import { quoted, tableName } from '../../db/names.ts';
import { AppError } from '../../db/errors.ts';
import { labelExpression } from '../../db/columns.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { openedFields } from '../../../descriptor/opened_fields.ts';
import { companyOf } from '../../access/rights/scope.ts';
import { changeOf } from '../../engine/records/history.ts';
import { changedSince } from './changed_since.ts';
import type { LibraryRow } from './library_rows.ts';
import { industryOf, libraryChildRows, libraryRows } from './library_rows.ts';

export interface AdoptDeps {
  engine: Engine;
  /** The platform's own database, which holds the libraries. */
  main: Database;
  /** The screens as the session's client has them. */
  screens: (session: Session) => ReadonlyMap<string, Screen>;
}

interface Own {
  id: number;
  version: number;
  label: string;
  origin: string | null;
  active: boolean;
  /** The values of single-field keys, in lower case. */
  keys: Record<string, string | null>;
}

/** Single-field keys that the library fills: a record with the same value is considered the same. */
function keyFields({ unique, library }: Screen): string[] {
  return unique.filter((key) => key.length === 1 && library!.map[key[0]!] !== undefined).map((key) => key[0]!);
}

/** The client's own records of a type, with the data needed to recognise them. */
async function ownRecords(session: Session, screen: Screen): Promise<Own[]> {
  const keys = keyFields(screen);
  const company = screen.scope === 'entity' ? companyOf(session) : null;
  const rows = await session.tenant.db.query<Own & Record<string, unknown>>(
    `select t.id, t.version, t.active, ${labelExpression(screen, 't', { screens: new Map(), schema: session.tenant.schema })} as label, t.${quoted(screen.library!.origin)} as origin${keys.map((name, at) => `, lower(t.${quoted(name)}::text) as "k${at}"`).join('')}
     from ${tableName(session.tenant.schema, screen.name)} t${company === null ? '' : ' where t.entity_id = $1'} order by t.id`,
    company === null ? [] : [company],
  );
  return rows.map((row) => ({
    id: row.id,
    version: row.version,
    active: row.active,
    label: row.label,
    origin: row.origin,
    keys: Object.fromEntries(keys.map((name, at) => [name, row[`k${at}`] as string | null])),
  }));
}

function stateOf(screen: Screen, own: Own[], row: LibraryRow): { state: Offered['state']; own: Own | null } {
  const code = row.code.toLowerCase();
  const taken = own.find(({ origin }) => origin?.toLowerCase() === code);
  if (taken) return { state: 'taken', own: taken };
  const same = own.find(
    ({ origin, keys }) =>
      origin === null &&
      Object.entries(keys).some(
        ([name, value]) =>
          value !== null && value === String(row.values[screen.library!.map[name]!] ?? '').toLowerCase(),
      ),
  );
  return same ? { state: 'same', own: same } : { state: 'new', own: null };
}

/** The keys of a row that the client already uses. */
function clashesOf(screen: Screen, own: Own[], row: LibraryRow): Clash[] {
  return keyFields(screen).flatMap((name) => {
    const value = String(row.values[screen.library!.map[name]!] ?? '');
    const mine = value === '' ? undefined : own.find(({ keys }) => keys[name] === value.toLowerCase());
    return mine
      ? [
          {
            field: name,
            title: screen.fields.find((field) => field.name === name)!.title,
            value,
            own_label: mine.label,
          },
        ]
      : [];
  });
}

function libraryOf(deps: AdoptDeps, session: Session, screen: Screen): Screen {
  return deps.screens(session).get(screen.library!.from)!;
}

/** The fields of what a library offers: those of its records, or of their rows. */
function givenFields(library: Screen, rows: string | undefined): readonly Field[] {
  return rows === undefined ? library.fields : library.fields.find(({ name }) => name === rows)!.rows!;
}

/** What the library of a list offers clients of an industry; null = of all. */
function offeredRows(
  { main }: AdoptDeps,
  library: Screen,
  { library: word, label }: Screen,
  names: string[],
  industry: number | null,
): Promise<LibraryRow[]> {
  const { rows, map } = word!;
  return rows === undefined
    ? libraryRows(main, library, names, { industry })
    : libraryChildRows(main, library, { rows, named: map[label[0]!] }, industry);
}

/** The library's records for this client, each with its state at the client. */
export async function offered(deps: AdoptDeps, session: Session, screen: Screen): Promise<Offer> {
  const library = libraryOf(deps, session, screen);
  const industry = await industryOf(deps.main, session.tenant.subDomain);
  const parent = library.tree?.parent;
  const second = library.label[1];
  const rows = await offeredRows(
    deps,
    library,
    screen,
    [...new Set([...Object.values(screen.library!.map), ...(parent ? [parent] : []), ...(second ? [second] : [])])],
    industry?.id ?? null,
  );
  const labels = new Map(rows.map(({ id, label }) => [id, label]));
  const own = await ownRecords(session, screen);
  const newer = await newerOf(deps, session, screen, rows, own);
  const data = rows.map((row): Offered => {
    const { state, own: mine } = stateOf(screen, own, row);
    const detail = second ? row.values[second] : null;
    return {
      id: row.id,
      code: row.code,
      label: row.label,
      detail: typeof detail === 'string' && detail !== row.code ? detail : null,
      above: parent ? (labels.get(row.values[parent] as number) ?? null) : null,
      ...(row.within !== undefined && { within: row.within }),
      state,
      own_id: mine?.id ?? null,
      own_label: mine?.label ?? null,
      clashes: state === 'taken' ? [] : clashesOf(screen, own, row),
      changes: newer.get(row.id)?.changes ?? [],
    };
  });
  // Records of another industry are not considered withdrawn.
  const known = new Set(
    (industry ? await offeredRows(deps, library, screen, [], null) : rows).map(({ code }) => code.toLowerCase()),
  );
  const withdrawn = own.flatMap(({ id, label, origin, active }) =>
    active && origin && !known.has(origin.toLowerCase()) ? [{ id, label, code: origin }] : [],
  );
  return { industry: industry?.name ?? null, data, withdrawn };
}

/** The newer library values of copied records, by row id. */
async function newerOf(
  deps: AdoptDeps,
  session: Session,
  screen: Screen,
  rows: LibraryRow[],
  own: Own[],
): Promise<Map<number, Newer>> {
  // The history of a record does not tell which of its rows has changed.
  if (screen.library!.rows !== undefined) return new Map();
  const taken = rows.flatMap((row) => {
    const { state, own: mine } = stateOf(screen, own, row);
    return state === 'taken' ? [{ row, mine: mine! }] : [];
  });
  const changed = await changedSince(
    deps.main,
    session,
    { screen, library: libraryOf(deps, session, screen) },
    taken.map(({ row, mine }) => ({ id: row.id, own: mine.id })),
  );
  const work = new Adoption(
    deps,
    session,
    { type: screen.name, wanted: new Set(), renamed: new Map() },
    { added: [], linked: [], updated: [], errors: [] },
  );
  const found = new Map<number, Newer>();
  for (const { row, mine } of taken) {
    const names = changed.get(row.id);
    try {
      const newer = names && (await work.newer(screen, row, mine.id, names));
      if (newer) found.set(row.id, newer);
    } catch (error) {
      // Records that the person does not see are not compared.
      if (!(error instanceof AppError) || error.status !== 404) throw error;
    }
  }
  return found;
}

/**
 * Copies library rows into the client's list together with the records they need, and applies newer values to existing
 * ones; a failure does not stop the others. `renamed`: rows added under other keys, beside the client's records with
 * those keys.
 * @throws AppError 400 if a field other than a key is renamed
 */
export async function adopt(
  deps: AdoptDeps,
  session: Session,
  screen: Screen,
  ids: number[],
  renamed: Renamed[] = [],
): Promise<Adopted> {
  const keys = keyFields(screen);
  for (const { set } of renamed)
    for (const name of Object.keys(set))
      if (!keys.includes(name))
        throw new AppError(400, 'bad_request', `"${name}" must be one of the library's: ${keys.join(', ')}.`, {
          field: name,
        });
  const answer: Adopted = { added: [], linked: [], updated: [], errors: [] };
  const work = new Adoption(
    deps,
    session,
    { type: screen.name, wanted: new Set(ids), renamed: new Map(renamed.map(({ id, set }) => [id, set])) },
    answer,
  );
  const industry = await industryOf(deps.main, session.tenant.subDomain);
  const library = libraryOf(deps, session, screen);
  const rows = new Map(
    (await offeredRows(deps, library, screen, Object.values(screen.library!.map), industry?.id ?? null)).map((row) => [
      row.id,
      row,
    ]),
  );
  const chosen = ids.flatMap((id) => rows.get(id) ?? []);
  const newer = await newerOf(deps, session, screen, chosen, await ownRecords(session, screen));
  for (const id of new Set(ids)) {
    const row = rows.get(id);
    try {
      if (!row) throw new AppError(404, 'not_found', 'The library no longer offers this.');
      const news = newer.get(id);
      if (news) await work.update(screen, news);
      else await work.take(screen, row);
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      answer.errors.push({ id, label: row?.label ?? String(id), message: error.message });
    }
  }
  return answer;
}

/** A copied record, with the library's newer values. */
interface Newer {
  record: WireRecord;
  set: Record<string, unknown>;
  changes: LibraryChange[];
}

/** The request: rows of one type, some under other keys. */
interface Wish {
  type: string;
  wanted: ReadonlySet<number>;
  renamed: ReadonlyMap<number, Record<string, string>>;
}

class Adoption {
  readonly #deps: AdoptDeps;
  readonly #session: Session;
  readonly #wish: Wish;
  readonly #answer: Adopted;
  readonly #own = new Map<string, Own[]>();
  /** Rows in progress, by type and code: circular references are left empty. */
  readonly #going = new Set<string>();

  constructor(deps: AdoptDeps, session: Session, wish: Wish, answer: Adopted) {
    this.#deps = deps;
    this.#session = session;
    this.#wish = wish;
    this.#answer = answer;
  }

  async #ownOf(screen: Screen): Promise<Own[]> {
    const known = this.#own.get(screen.name) ?? (await ownRecords(this.#session, screen));
    this.#own.set(screen.name, known);
    return known;
  }

  /** @returns the client's record of the row: created, linked or existing */
  async take(screen: Screen, row: LibraryRow): Promise<number> {
    const { engine } = this.#deps;
    const { origin, map } = screen.library!;
    const own = await this.#ownOf(screen);
    const { state, own: mine } = stateOf(screen, own, row);
    if (state === 'taken') return mine!.id;
    const open = openedFields(screen, [origin]);
    const renamed = screen.name === this.#wish.type ? this.#wish.renamed.get(row.id) : undefined;
    if (state === 'same' && !renamed) {
      const refused = this.#session.rights.refuse(screen, 'edit_screen');
      if (refused)
        throw new AppError(
          403,
          'forbidden',
          `${mine!.label} already exists, and linking would change it. ${refused.message}`,
          { reason: refused.reason },
        );
      const { version } = await engine.update(
        this.#session,
        open,
        mine!.id,
        { version: mine!.version, [origin]: row.code },
        'library',
      );
      Object.assign(mine!, { origin: row.code, version });
      this.#answer.linked.push({ id: mine!.id, label: mine!.label });
      return mine!.id;
    }
    const mark = `${screen.name} ${row.code.toLowerCase()}`;
    this.#going.add(mark);
    const record: Record<string, unknown> = { [origin]: row.code };
    const given = givenFields(libraryOf(this.#deps, this.#session, screen), screen.library!.rows);
    for (const [name, theirs] of Object.entries(map)) {
      const field = screen.fields.find((one) => one.name === name);
      // Fields that the client has hidden are not filled; file ids are meaningless at another client.
      if (field && !fieldType(field.type).can.file)
        record[name] = await this.#value(
          field,
          given.find((one) => one.name === theirs)!,
          row.values[theirs],
        );
    }
    const made = await engine.create(this.#session, open, { ...record, ...renamed }, 'library');
    const label = String(made[screen.label[0] ?? 'id'] ?? row.label);
    own.push({ id: made.id, version: made.version, active: true, label, origin: row.code, keys: {} });
    this.#going.delete(mark);
    this.#answer.added.push({
      id: made.id,
      label: screen.name === this.#wish.type ? label : `${label} (${screen.title})`,
    });
    return made.id;
  }

  /** A record with these library values, as far as its references exist here; null = unchanged. */
  async newer(screen: Screen, row: LibraryRow, id: number, names: ReadonlySet<string>): Promise<Newer | null> {
    const library = libraryOf(this.#deps, this.#session, screen);
    const record = await this.#deps.engine.read(this.#session, screen, id);
    const set: Record<string, unknown> = {};
    const changes: LibraryChange[] = [];
    for (const [name, theirs] of Object.entries(screen.library!.map)) {
      const field = screen.fields.find((one) => one.name === name);
      if (!field || fieldType(field.type).can.file || !names.has(theirs)) continue;
      const given = library.fields.find((one) => one.name === theirs)!;
      const value = row.values[theirs] ?? null;
      const next =
        field.ref && !field.rows
          ? await this.#known(field, given, value as number | null)
          : await this.#value(field, given, value);
      // A record it refers to is missing here: the value cannot be copied.
      if (next === null && value !== null) continue;
      if (
        Object.keys(changeOf({ ...screen, fields: [field] }, { [name]: bare(record[name]) }, { [name]: bare(next) }))
          .length === 0
      )
        continue;
      set[name] = next;
      const label =
        field.ref && typeof value === 'number' ? ((await this.#referred(given, value))?.label ?? null) : null;
      changes.push({
        title: field.title,
        from: words(field, record[name], record[`${name}__label`]),
        to: words(field, next, label),
      });
    }
    return changes.length > 0 ? { record, set, changes } : null;
  }

  /** Applies newer values; other changes by the client stay. */
  async update(screen: Screen, { record, set }: Newer): Promise<void> {
    const refused = this.#session.rights.refuse(screen, 'edit_screen');
    if (refused)
      throw new AppError(403, 'forbidden', `It already exists, and updating would change it. ${refused.message}`, {
        reason: refused.reason,
      });
    const updated = await this.#deps.engine.update(
      this.#session,
      screen,
      record.id,
      { ...set, version: record.version },
      'library',
    );
    this.#answer.updated.push({ id: updated.id, label: String(updated[screen.label[0] ?? 'id']) });
  }

  async #value(field: Field, given: Field, value: unknown): Promise<unknown> {
    if (value === null || value === undefined) return null;
    if (field.rows) return this.#rows(field, given, value as Record<string, unknown>[]);
    if (field.ref)
      return given.ref ? this.#reference(field, given, value as number) : this.#coded(field, String(value));
    if (!given.ref) return value;
    // A text holds the code of what the library refers to.
    return (await this.#referred(given, value as number))?.code ?? null;
  }

  /** The client's record with this code. */
  async #coded(field: Field, code: string): Promise<number | null> {
    const target = this.#deps.screens(this.#session).get(field.ref!.type)!;
    const company = target.scope === 'entity' ? companyOf(this.#session) : null;
    const { db, schema } = this.#session.tenant;
    const [found] = await db.query<{ id: number }>(
      `select id from ${tableName(schema, target.name)} where active and lower(code) = lower($1)${company === null ? '' : ' and entity_id = $2'}`,
      company === null ? [code] : [code, company],
    );
    if (!found && field.required)
      throw new AppError(422, 'invalid', `There is no ${target.title.toLowerCase()} "${code}". Add it first.`, {
        field: field.name,
      });
    return found?.id ?? null;
  }

  async #rows(field: Field, given: Field, rows: Record<string, unknown>[]): Promise<Record<string, unknown>[]> {
    const made: Record<string, unknown>[] = [];
    for (const row of rows) {
      const one: Record<string, unknown> = {};
      for (const column of field.rows!) {
        const theirs = given.rows!.find(({ name }) => name === column.name);
        if (theirs)
          one[column.name] = column.ref
            ? await this.#known(column, theirs, row[column.name] as number | null)
            : (row[column.name] ?? null);
      }
      if (field.rows!.every((column) => !column.required || !column.ref || one[column.name] !== null)) made.push(one);
    }
    return made;
  }

  async #referred(given: Field, id: number): Promise<LibraryRow | null> {
    const library = this.#deps.screens(this.#session).get(given.ref!.type);
    return library
      ? ((await libraryRows(this.#deps.main, library, [], { industry: null, ids: [id] }))[0] ?? null)
      : null;
  }

  /** The client's record corresponding to the library's reference, if there is one. */
  async #known(field: Field, given: Field, id: number | null): Promise<number | null> {
    const target = this.#deps.screens(this.#session).get(field.ref!.type);
    const row = id === null || !target?.library ? null : await this.#referred(given, id);
    if (!row) return null;
    return (
      (await this.#ownOf(target!)).find(
        ({ origin, active }) => active && origin?.toLowerCase() === row.code.toLowerCase(),
      )?.id ?? null
    );
  }

  async #reference(field: Field, given: Field, id: number): Promise<number | null> {
    const known = await this.#known(field, given, id);
    if (known !== null) return known;
    const target = this.#deps.screens(this.#session).get(field.ref!.type);
    const chosen = target?.name === this.#wish.type && this.#wish.wanted.has(id);
    if (!target?.library || (!field.required && !chosen)) return null;
    const library = libraryOf(this.#deps, this.#session, target);
    const [row] = await libraryRows(this.#deps.main, library, Object.values(target.library.map), {
      industry: null,
      ids: [id],
    });
    if (!row || this.#going.has(`${target.name} ${row.code.toLowerCase()}`)) return null;
    const refused =
      this.#session.rights.refuse(target, 'add_screen') ?? this.#session.rights.refuseAction(target.access.action);
    if (refused)
      throw new AppError(
        403,
        'forbidden',
        `It needs ${row.label} (${target.title}), which you may not add. ${refused.message}`,
        { reason: refused.reason },
      );
    return this.take(target, row);
  }
}

/** Rows without their ids, which belong to the library's rows. */
function bare(value: unknown): unknown {
  return Array.isArray(value)
    ? value.map((row: unknown) =>
        row !== null && typeof row === 'object'
          ? Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'id'))
          : row,
      )
    : value;
}

/** A value as people read it. */
function words(field: Field, value: unknown, label: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof label === 'string') return label;
  if (Array.isArray(value))
    return field.rows ? `${value.length} ${value.length === 1 ? 'row' : 'rows'}` : value.join(', ');
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return field.options?.find((option) => option.value === value)?.label ?? String(value);
}
