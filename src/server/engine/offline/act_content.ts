import { isDeepStrictEqual } from 'node:util';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { Field, Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { AppError } from '../../db/errors.ts';
import { quoted } from '../../db/names.ts';

type Row = Record<string, unknown>;

/** A file referred to by its content hash: the device does not know its id. */
const BY_CONTENT = /^sha256:([0-9a-f]{64})$/;
/** A record referred to by the action that created it on the device. */
const MADE_OFFLINE = /^client:([!-~]{8,200})$/;

/** Keys of the actions on the device that created what this content refers to. */
export function madeBefore(content: unknown): string[] {
  if (typeof content === 'string') return MADE_OFFLINE.exec(content)?.slice(1) ?? [];
  if (content === null || typeof content !== 'object') return [];
  return Object.values(content).flatMap(madeBefore);
}

/** Resolves references of a device to ids. */
export interface DeviceNames {
  /** The record that an action created; null = none. */
  record(key: string): Promise<number | null>;
  /** A file that this person has sent for a field; null = not received. */
  file(sha256: string, path: string): Promise<number | null>;
}

/** The files that a person has sent, by content and target field. */
export function filesSent({ tenant, userId }: Session): DeviceNames['file'] {
  return async (sha256, path) => {
    const [file] = await tenant.db.query<{ id: number }>(
      `select id from ${quoted(tenant.schema)}."file" where sha256 = $1 and by = $2 and for_field = $3 order by id limit 1`,
      [sha256, userId, path],
    );
    return file?.id ?? null;
  };
}

/**
 * A field's value with ids instead of the references of the device.
 * @throws AppError 409 `file_missing`, `made_missing`
 */
async function numberedValue(names: DeviceNames, field: Field, value: unknown, path: string): Promise<unknown> {
  if (typeof value === 'string') {
    const hash = BY_CONTENT.exec(value)?.[1];
    if (hash !== undefined && (fieldType(field.type).can.file || field.type === 'answers')) {
      const id = await names.file(hash, path);
      if (id === null)
        throw new AppError(409, 'file_missing', `A file of “${field.title}” has not arrived.`, { field: path });
      return id;
    }
    const key = field.ref ? MADE_OFFLINE.exec(value)?.[1] : undefined;
    if (key === undefined) return value;
    const id = await names.record(key);
    if (id === null)
      throw new AppError(409, 'made_missing', `The record in “${field.title}” was not created.`, { field: path });
    return id;
  }
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const all = [];
    for (const one of value) all.push(await numberedValue(names, field, one, path));
    return all;
  }
  // A row; for answers, one answer.
  const row: Row = {};
  for (const [name, inner] of Object.entries(value)) {
    const column = field.rows?.find((one) => one.name === name);
    row[name] =
      column || field.type === 'answers'
        ? await numberedValue(names, column ?? field, inner, column ? `${path}.${name}` : path)
        : inner;
  }
  return row;
}

/** The content of an action, with ids instead of the references of the device. */
export async function numbered(names: DeviceNames, screen: Screen, input: Row): Promise<Row> {
  const result: Row = {};
  for (const [name, value] of Object.entries(input)) {
    const field = screen.fields.find((one) => one.name === name);
    result[name] = field ? await numberedValue(names, field, value, `${screen.name}.${name}`) : value;
  }
  return result;
}

/** The part of a change that is still to be done, and the fields that somebody else has changed in the meantime. */
export function compared(stored: WireRecord, input: Row): { set: Row; theirs: Row } {
  const set: Row = {};
  const theirs: Row = {};
  for (const [field, value] of Object.entries(input)) {
    const pair = pairOf(field, value);
    const now = stored[field] ?? null;
    const old = withNumbers(pair[0], now);
    const next = withNumbers(pair[1], now);
    if (isSame(now, next)) continue;
    if (isSame(now, old)) set[field] = next;
    else theirs[field] = now;
  }
  return { set, theirs };
}

function pairOf(field: string, value: unknown): [unknown, unknown] {
  if (!Array.isArray(value) || value.length !== 2)
    throw new AppError(400, 'bad_request', `${field} is a pair of the old and the new value.`, { field });
  return value as [unknown, unknown];
}

/**
 * The rows that an action adds to a field; rows that already arrived, when only the response was lost, are not added
 * again.
 */
export function addedRows(stored: WireRecord, input: Row, field: string): Row[] {
  const [, next] = pairOf(field, input[field]);
  if (Object.keys(input).length > 1 || !Array.isArray(next))
    throw new AppError(400, 'bad_request', `This act has the rows of ${field} and nothing else.`, { field });
  const rows = withNumbers(next, stored[field] ?? []) as Row[];
  return rows.filter((row) => typeof row !== 'object' || (row?.id ?? null) === null);
}

/** Rows that the device added before have ids by now: it sends them without. */
function withNumbers(value: unknown, now: unknown): unknown {
  if (!Array.isArray(value) || !Array.isArray(now)) return value;
  const left = new Map((now as Row[]).map((row) => [row?.id, row]));
  for (const row of value as Row[]) if (row?.id !== undefined) left.delete(row.id);
  return (value as unknown[]).map((row) => {
    if (row === null || typeof row !== 'object' || Array.isArray(row) || (row as Row).id !== undefined) return row;
    const known = [...left.values()].find((one) => isSame({ ...one, id: null }, row));
    if (!known) return row;
    left.delete(known.id);
    return { ...row, id: known.id };
  });
}

const isSame = (one: unknown, other: unknown): boolean => isDeepStrictEqual(bare(one ?? null), bare(other ?? null));

/** A value without the server's display additions; for rows, only their own columns. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, inner]) => !name.includes('__') && inner !== null && inner !== undefined)
      .map(([name, inner]) => [name, bare(inner)]),
  );
}
