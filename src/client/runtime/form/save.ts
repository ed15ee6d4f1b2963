import type { FieldError, Screen, WireRecord } from '../../../descriptor/types.ts';
import { ApiError, api } from '../../api/http.ts';
import type { Once } from '../shown_once.ts';
import type { Values } from './values.ts';
import { changedRows, inForm, wholeRecord } from './rows_part.ts';
import { changedPayload, wholePayload } from './values.ts';

export type SaveOutcome =
  | { kind: 'saved'; record: WireRecord }
  /**
   * No network: it is stored on this device; a new record has no id yet, only the key of the action that creates it.
   */
  | { kind: 'waits'; record: Values; key?: string }
  /** The server's findings by field. */
  | { kind: 'refused'; errors: FieldError[] }
  /** Somebody else saved in the meantime. */
  | { kind: 'stale'; theirs: WireRecord; base: Values | null; by: string; at: string }
  /** Nothing was saved, with the reason. */
  | { kind: 'failed'; message: string; details?: string };

export interface SaveOptions {
  /** A settings screen has one record and its own address. */
  single?: boolean;
  entityId?: number | null | undefined;
  /** A new record may be stored on this device, because nobody needs its id now. */
  mayWait?: boolean | undefined;
}

/** Saves a form. Every possible result is distinguished here; the form decides what to show. */
export async function saveRecord(
  screen: Screen,
  typed: Values,
  base: Values,
  { single = false, entityId, mayWait }: SaveOptions = {},
): Promise<SaveOutcome> {
  const id = typeof base.id === 'number' && base.id > 0 ? base.id : null;
  const version = typeof base.version === 'number' ? base.version : 0;
  const options = { quiet: true, ...(entityId !== undefined && { entityId }) };
  // The same key for a new record now and later from the outbox: if only the response was lost, it is not created
  // twice.
  const key = mayWait && id === null && screen.offline?.does.includes('create') ? crypto.randomUUID() : undefined;
  try {
    const values = await withoutWaiting(screen, typed);
    const answer: { data: WireRecord; once?: Once } = single
      ? await api.put<{ data: WireRecord }>(
          `/tapi/${screen.name}/single`,
          { ...(id === null ? wholePayload(screen, values) : changedPayload(screen, values, base)), version },
          options,
        )
      : id === null
        ? await api.post<{ data: WireRecord; once?: Once }>(
            `/tapi/${screen.name}`,
            wholePayload(screen, values),
            key === undefined ? options : { ...options, headers: { 'idempotency-key': key } },
          )
        : await change(screen, id, values, base, options);
    if (answer.once) await (await import('../shown_once.ts')).showOnce(`${screen.title} saved`, answer.once);
    return { kind: 'saved', record: answer.data };
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    if (thrown.status === 0 && screen.offline && !single && (id !== null || key)) {
      const { keepWrite } = await import('../offline/keep_write.ts');
      if (await keepWrite(screen, typed, base, key))
        return { kind: 'waits', record: typed, ...(key !== undefined && { key }) };
    }
    const outcome = outcomeOf(thrown);
    return outcome.kind === 'refused' ? { ...outcome, errors: inForm(outcome.errors, typed) } : outcome;
  }
}

/** The server's findings for an unsaved form; empty if it is unreachable. */
export async function findingsOfServer(
  screen: Screen,
  values: Values,
  base: Values,
  entityId?: number | null,
): Promise<FieldError[]> {
  const id = typeof base.id === 'number' && base.id > 0 ? base.id : null;
  const typed = id === null ? wholePayload(screen, values) : changedPayload(screen, values, base);
  try {
    const { data } = await api.post<{ data: FieldError[] }>(
      `/tapi/${screen.name}/check`,
      { id, values: typed },
      { quiet: true, ...(entityId !== undefined && { entityId }) },
    );
    return inForm(data, values);
  } catch {
    return [];
  }
}

/** Values with the files of this device uploaded: those have ids from `ON_DEVICE` on. @throws ApiError */
async function withoutWaiting(screen: Screen, values: Values): Promise<Values> {
  if (!screen.offline || !/:45035996\d{8}\b/.test(JSON.stringify(values))) return values;
  return (await import('../offline/waiting_files.ts')).withFilesSent(screen, values);
}

/** Sends the changes of a record; for long lists of rows only the changed ones, both ways. */
async function change(
  screen: Screen,
  id: number,
  values: Values,
  base: Values,
  options: object,
): Promise<{ data: WireRecord }> {
  const payload = changedPayload(screen, values, base);
  for (const field of screen.fields) {
    const part = field.name in payload ? changedRows(screen, field, values, base) : null;
    if (part) payload[field.name] = part;
  }
  const large = screen.fields.some(({ name, rows }) => rows && payload[name] && !Array.isArray(payload[name]));
  const answer = await api.put<{ data: WireRecord }>(
    `/tapi/${screen.name}/${id}${large ? '?rows=changed' : ''}`,
    { ...payload, version: base.version ?? 0 },
    options,
  );
  return { ...answer, data: wholeRecord(screen, answer.data, base) };
}

/** The meaning of a refused call for a form. */
export function outcomeOf(error: ApiError): SaveOutcome {
  const { extra } = error;
  if (error.code === 'stale_version' && extra.theirs !== null && typeof extra.theirs === 'object') {
    return {
      kind: 'stale',
      theirs: extra.theirs as WireRecord,
      base: extra.base !== null && typeof extra.base === 'object' ? (extra.base as Values) : null,
      by: typeof extra.changed_by === 'string' ? extra.changed_by : 'Somebody else',
      at: typeof extra.changed_at === 'string' ? extra.changed_at : '',
    };
  }
  if (error.details.length > 0) return { kind: 'refused', errors: error.details };
  if (error.field !== null && error.field !== '')
    return { kind: 'refused', errors: [{ field: error.field, message: error.message }] };
  if (error.status === 0)
    return { kind: 'failed', message: `${error.message} Nothing is lost: save again when the connection is back.` };
  if (error.status >= 500)
    return {
      kind: 'failed',
      message: 'Server Error',
      ...(error.requestId && { details: `Request ${error.requestId}` }),
    };
  return { kind: 'failed', message: error.message };
}
