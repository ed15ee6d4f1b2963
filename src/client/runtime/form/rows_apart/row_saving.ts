import type { Field, FieldError, Screen, WireRecord } from '../../../../descriptor/types.ts';
import { ApiError, api } from '../../../api/http.ts';
import { onLive } from '../../../api/live.ts';
import type { FormStore } from '../form_store.ts';
import type { Values } from '../values.ts';
import type { CellConflict, Changes, RowsAnswer } from './cell_changes.ts';
import { NEW, applied, changesOf, isNothing } from './cell_changes.ts';

const VERSION = 'rows_version';
/** The pause in typing after which cells are sent. */
const PAUSE = 500;
/** The delay before retrying when the server was unreachable. */
const AGAIN = 3_000;
/** The maximum number of rows per call; the rest follows. */
const ROWS_AT_ONCE = 1_000;

export interface RowSavingState {
  phase: 'saved' | 'waiting' | 'saving' | 'offline' | 'stopped';
  /** Why saving has stopped. */
  message: string | null;
  conflicts: readonly CellConflict[];
}

/** A figure typed on a group of rows. */
export interface GroupFigure {
  group: string;
  field: string;
  total: unknown;
}

interface Answer {
  record: WireRecord;
  conflicts: CellConflict[];
  refused: FieldError[];
}

/** Sends the changed cells of one rows field automatically, and receives what others save. */
export class RowSaving {
  #screen: Screen;
  #field: Field;
  #store: FormStore;
  #options: { quiet: true; entityId?: number | null };
  #path: string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | null = null;
  #behind = false;
  #ends: (() => void)[] = [];
  #listeners = new Set<() => void>();
  #state: RowSavingState = { phase: 'saved', message: null, conflicts: [] };
  /** Refused rows, with their values at that time. */
  #refused = new Map<string, Values>();
  #made = 0;
  #figures: GroupFigure[] = [];
  #savedOf: readonly Values[] | null = null;
  #savedById = new Map<unknown, Values>();

  constructor(screen: Screen, field: Field, store: FormStore, entityId: number | null | undefined) {
    const { id } = store.base();
    this.#screen = screen;
    this.#field = field;
    this.#store = store;
    this.#options = { quiet: true, ...(entityId !== undefined && { entityId }) };
    this.#path = `/tapi/${screen.name}/${String(id)}/rows/${field.name}`;
    this.#ends.push(
      store.subscribe(() => this.#soon()),
      onLive((event) => {
        const isOurs = event.event === 'record' && event.data.type === screen.name && event.data.id === id;
        if (isOurs || event.event === 'resumed') void this.#catchUp();
      }),
    );
    this.#soon();
  }

  state = (): RowSavingState => this.#state;
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The stored row, by id; a new one has none. */
  savedRow(id: unknown): Values | null {
    const base = this.#rows('base');
    if (this.#savedOf !== base) {
      this.#savedOf = base;
      this.#savedById = new Map(base.map((row) => [row.id, row]));
    }
    return this.#savedById.get(id) ?? null;
  }

  /** Whether there are unsaved changes. */
  pending(): boolean {
    return this.#state.phase !== 'saved' || this.#state.conflicts.length > 0;
  }

  /** A figure typed on a group of rows: the history shows it beside the rows it was distributed to. */
  typedOnGroup(figure: GroupFigure): void {
    const before = this.#figures.filter(({ group, field }) => group !== figure.group || field !== figure.field);
    this.#figures = [...before, figure];
  }

  /** Sends waiting changes now. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#running;
    await this.#send();
  }

  stop(): void {
    clearTimeout(this.#timer);
    for (const end of this.#ends) end();
  }

  /** Resolves a conflict: the person's own value, or the other one. */
  decide(conflict: CellConflict, whose: 'mine' | 'theirs'): void {
    this.#update({ conflicts: this.#state.conflicts.filter((one) => one !== conflict) });
    const { id, field, theirs } = conflict;
    const rows = this.#rows('values');
    if (field === null) {
      // The other person removed the row: mine is added again, or discarded.
      const changed = rows.flatMap((row) => {
        if (row.id !== id) return [row];
        const { id: _gone, ...again } = row;
        return whose === 'mine' ? [again] : [];
      });
      this.#store.set({ [this.#field.name]: changed });
    } else if (whose === 'theirs')
      this.#store.set({ [this.#field.name]: rows.map((row) => (row.id === id ? { ...row, [field]: theirs } : row)) });
    this.#soon();
  }

  #rows(of: 'base' | 'values'): readonly Values[] {
    const value = this.#store[of]()[this.#field.name];
    return Array.isArray(value) ? (value as Values[]) : [];
  }

  #held(): Set<string> {
    const held = new Set(
      this.#state.conflicts.map(({ id, field }) => (field === null ? String(id) : `${id}.${field}`)),
    );
    const now = new Map(this.#rows('values').map((row) => [String(row.id ?? row[NEW]), row]));
    for (const [key, row] of this.#refused)
      if (this.#isAsIt(row, now.get(key))) held.add(key);
      else this.#refused.delete(key);
    return held;
  }

  /** Whether a refused row is still unchanged. */
  #isAsIt(row: Values, now: Values | undefined): boolean {
    return now !== undefined && (this.#field.rows ?? []).every(({ name }) => row[name] === now[name]);
  }

  #changes(): Changes {
    const all = changesOf(this.#field.rows ?? [], this.#rows('base'), this.#rows('values'), this.#held());
    return { ...all, cells: all.cells.slice(0, ROWS_AT_ONCE), insert: all.insert.slice(0, ROWS_AT_ONCE) };
  }

  #update(patch: Partial<RowSavingState>): void {
    this.#state = { ...this.#state, ...patch };
    for (const listener of this.#listeners) listener();
  }

  #soon(wait = PAUSE): void {
    if (this.#running || this.#state.phase === 'stopped') return;
    clearTimeout(this.#timer);
    if (this.#rows('base') === this.#rows('values')) return;
    if (this.#state.phase === 'saved') this.#update({ phase: 'waiting' });
    this.#timer = setTimeout(() => void this.#send(), wait);
  }

  async #send(): Promise<void> {
    if (this.#running) return;
    this.#running = this.#sendAll();
    await this.#running;
    this.#running = null;
    if (this.#behind) void this.#catchUp();
  }

  async #sendAll(): Promise<void> {
    for (let last = ''; ;) {
      this.#name();
      const changes = this.#changes();
      const text = JSON.stringify(changes);
      if (text === last && !isNothing(changes)) {
        this.#update({ phase: 'stopped', message: 'These cells could not be saved. Open the record again.' });
        return;
      }
      last = text;
      if (isNothing(changes)) {
        this.#update({ phase: 'saved' });
        return;
      }
      this.#update({ phase: 'saving' });
      try {
        const insert = changes.insert.map((row) => this.#entered(row));
        const groups = this.#figures;
        const sent = { ...changes, insert, ...(groups.length > 0 && { groups }) };
        const { data } = await api.patch<{ data: Answer }>(this.#path, sent, this.#options);
        this.#figures = this.#figures.filter((one) => !groups.includes(one));
        this.#take(data, changes);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (!this.#refusedBy(error, changes)) return;
      }
    }
  }

  /** The sent values of a new row. */
  #entered(row: Values): Values {
    const columns = (this.#field.rows ?? []).filter(({ readOnly }) => !readOnly);
    return Object.fromEntries(columns.flatMap(({ name }) => (row[name] === undefined ? [] : [[name, row[name]]])));
  }

  /** Gives each new row a temporary key until the server has stored it. */
  #name(): void {
    const rows = this.#rows('values');
    if (rows.every((row) => typeof row.id === 'number' || row[NEW] !== undefined)) return;
    const named = rows.map((row) =>
      typeof row.id === 'number' || row[NEW] !== undefined ? row : { ...row, [NEW]: `new ${++this.#made}` },
    );
    this.#store.set({ [this.#field.name]: named });
  }

  #take({ record, conflicts, refused }: Answer, changes: Changes): void {
    this.#refuse(refused, changes);
    const places = new Set(refused.flatMap(({ field }) => /\.add\.(\d+)/.exec(field)?.[1] ?? []).map(Number));
    const rows = new Set(refused.flatMap(({ field }) => /\.set\.(\d+)/.exec(field)?.[1] ?? []).map(Number));
    const taken = {
      ...changes,
      cells: changes.cells.filter(({ id }) => !rows.has(id)),
      insert: changes.insert.filter((_, at) => !places.has(at)),
    };
    this.#lay(record, taken);
    this.#conflicts(conflicts);
  }

  /** A refusal of everything sent. @returns whether to continue with the rest */
  #refusedBy(error: ApiError, changes: Changes): boolean {
    if (error.code === 'conflict') {
      this.#refuse((error.extra.refused as FieldError[] | undefined) ?? [], changes);
      this.#conflicts((error.extra.conflicts as CellConflict[] | undefined) ?? []);
      return true;
    }
    const ofRows = error.details.filter(({ field }) => /\.(set|add)\.\d+/.test(field));
    if (error.status === 422 && ofRows.length > 0) {
      this.#refuse(ofRows, changes);
      return true;
    }
    if (error.status === 0 || error.status >= 500) {
      this.#update({ phase: 'offline' });
      this.#timer = setTimeout(() => void this.#send(), AGAIN);
    } else this.#update({ phase: 'stopped', message: error.message });
    return false;
  }

  #refuse(errors: readonly FieldError[], changes: Changes): void {
    if (errors.length === 0) return;
    const rows = this.#rows('values');
    const inForm = errors.map(({ field, message }) => {
      const [name, how, at, ...rest] = field.split('.');
      const key = how === 'set' ? at! : String(changes.insert[Number(at)]?.[NEW]);
      const place = rows.findIndex((row) => String(row.id ?? row[NEW]) === key);
      if (rows[place]) this.#refused.set(key, rows[place]);
      return { field: [name, place, ...rest].join('.'), message };
    });
    this.#store.refuse(inForm);
  }

  #conflicts(found: readonly CellConflict[]): void {
    if (found.length === 0) return;
    const theirs = new Map(
      found.flatMap((one) => (one.field === null ? [] : [[`${one.id} ${one.field}`, one.theirs]])),
    );
    const base = this.#rows('base').map((row) => {
      const changed = (this.#field.rows ?? []).filter(({ name }) => theirs.has(`${String(row.id)} ${name}`));
      if (changed.length === 0) return row;
      return {
        ...row,
        ...Object.fromEntries(changed.map(({ name }) => [name, theirs.get(`${String(row.id)} ${name}`)])),
      };
    });
    this.#store.rebase({ [this.#field.name]: base }, {});
    const known = new Set(found.map(({ id, field }) => `${id} ${field}`));
    const kept = this.#state.conflicts.filter(({ id, field }) => !known.has(`${id} ${field}`));
    this.#update({ conflicts: [...kept, ...found] });
  }

  #lay(record: WireRecord, sent: Changes | null): void {
    const { name, rows: columns = [] } = this.#field;
    const next = applied(columns, this.#rows('base'), this.#rows('values'), record[name] as RowsAnswer, sent);
    const computed = this.#screen.fields.filter(({ formula, rowGroup }) => formula !== undefined || rowGroup);
    const beside = Object.fromEntries(computed.map((one) => [one.name, record[one.name]]));
    this.#store.rebase(
      { ...beside, [VERSION]: record[VERSION], [name]: next.base },
      { [VERSION]: record[VERSION], [name]: next.values },
    );
    if (next.gone.length > 0) {
      const again = next.gone.map((row) => row);
      this.#store.set({ [name]: [...this.#rows('values'), ...again] });
      this.#conflicts(
        again.map((row) => ({ id: Number(row.id), field: null, yours: row, theirs: null, by: null, at: null })),
      );
    }
  }

  /** Receives what others saved in the meantime. */
  async #catchUp(): Promise<void> {
    if (this.#running) {
      this.#behind = true;
      return;
    }
    this.#behind = false;
    const since = Number(this.#store.base()[VERSION] ?? 0);
    try {
      const { data } = await api.get<{ data: WireRecord }>(`${this.#path}?since=${since}`, undefined, this.#options);
      // Changes saved in the meantime are newer than this response.
      if (this.#running) this.#behind = true;
      else if (Number(data[VERSION] ?? 0) > Number(this.#store.base()[VERSION] ?? 0)) this.#lay(data, null);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }
}
