import { bringsPairs } from '../../../descriptor/offline_act.ts';
import type { Field, FilterExpression, Screen, WireRecord } from '../../../descriptor/types.ts';
import { filterHolds } from '../../../descriptor/filter_holds.ts';
import { currentSession } from '../../app/session.ts';
import { createStore } from '../../app/store.ts';
import { recordName } from '../form/values.ts';
import { ON_DEVICE } from '../fields/files/stored_file.ts';
import type { WaitingAct } from './device_store.ts';
import { filesOfContent, storedActs } from './device_store.ts';
import type { KeptPacket } from './packet_store.ts';
import { keepPacket, keptPacket } from './packet_store.ts';

/** The maximum age of a packet: actions on an older one would be refused. */
const MAX_AGE_MS = 72 * 3_600_000;

/** When the server collected the data shown; null = it comes from the server itself. */
export const packetShown = createStore<string | null>(null);

/** The person and company of a packet. */
export function packetKey(): string {
  const { userId, entityId } = currentSession();
  return `${userId} ${entityId ?? 0}`;
}

/** The response from this device's packet instead of the unreachable server; undefined = none. */
export async function packetAnswer(path: string, query: URLSearchParams | undefined): Promise<unknown> {
  if (!currentSession().signedIn) return undefined;
  const packet = await keptPacket(packetKey());
  if (!packet || Date.now() - Date.parse(packet.asOf) > MAX_AGE_MS) return undefined;
  const answer = await answerFrom(packet, path, query ?? new URLSearchParams());
  if (answer !== undefined) packetShown.set(packet.asOf);
  return answer;
}

async function answerFrom(packet: KeptPacket, path: string, query: URLSearchParams): Promise<unknown> {
  if (path === '/tapi/menu') return packet.menu;
  if (packet.sheets[path] !== undefined) return { data: packet.sheets[path] };
  const [, first, type = '', call, ...more] = path.split('/');
  if (first !== 'tapi' || more.length > 0) return undefined;
  if (type === 'screens') return packet.screens[call ?? ''] && { data: packet.screens[call ?? ''] };
  const screen = packet.screens[type]?.screen;
  const part = packet.types.find((one) => one.type === type);
  if (!screen || !part) return undefined;
  if (call === 'views') return { data: [] };
  const records = await withWaiting(screen, part.records);
  if (call === 'options')
    return { data: optionsFrom(screen, records, query, fetchedFrom(packet, screen, query.get('for'))) };
  if (call !== undefined && call !== 'count') {
    const record = records.find(({ id }) => String(id) === call);
    return record && { data: record };
  }
  // Only the server knows which rows are one's own.
  if (query.get('mine') === '1') return undefined;
  const rows = rowsOf(screen, records, query);
  return call === 'count' ? { count: rows.length, capped: part.more } : page(rows, query);
}

function rowsOf(screen: Screen, records: readonly WireRecord[], query: URLSearchParams): WireRecord[] {
  const active = query.get('active') ?? 'true';
  const q = (query.get('q') ?? '').trim().toLowerCase();
  const filter = JSON.parse(query.get('filter') ?? 'null') as FilterExpression | null;
  const rows = records.filter(
    (record) =>
      (active === 'all' || String(record.active) === active) &&
      (q === '' ||
        Object.values(record).some((value) => typeof value === 'string' && value.toLowerCase().includes(q))) &&
      (filter === null || filterHolds(filter, record)),
  );
  const sort = query.get('sort')?.split(',') ?? screen.sort;
  return rows.toSorted((one, other) => {
    for (const name of sort) {
      const field = name.replace(/^-/, '');
      const found = compare(shownIn(one, field), shownIn(other, field));
      if (found !== 0) return name.startsWith('-') ? -found : found;
    }
    return one.id - other.id;
  });
}

const shownIn = (record: WireRecord, field: string): unknown => record[`${field}__label`] ?? record[field] ?? null;

function compare(one: unknown, other: unknown): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one).localeCompare(String(other), 'en', { numeric: true });
}

function page(rows: readonly WireRecord[], query: URLSearchParams): unknown {
  const size = Number(query.get('size') ?? 50);
  const at = Number(query.get('after') ?? (Number(query.get('page') ?? 1) - 1) * size);
  const isMore = at + size < rows.length;
  return {
    data: rows.slice(at, at + size),
    cursor: isMore ? String(at + size) : null,
    pagination: {
      count: null,
      first: 1,
      last: null,
      page: at / size + 1,
      next_page: isMore ? at / size + 2 : null,
      prev_page: at > 0 ? at / size : null,
      total_pages: null,
      has_next: isMore,
      has_prev: at > 0,
      more: false,
    },
  };
}

function optionsFrom(
  screen: Screen,
  records: readonly WireRecord[],
  query: URLSearchParams,
  fetched: readonly { to: string; from: string }[],
): unknown[] {
  const ids = query.get('ids')?.split(',');
  const q = (query.get('q') ?? '').toLowerCase();
  return records
    .map((record) => ({
      id: record.id,
      label: recordName(screen, record),
      active: record.active,
      fetch: Object.fromEntries(fetched.map(({ to, from }) => [to, record[from] ?? null])),
    }))
    .filter(({ id, label, active }) => (ids ? ids.includes(String(id)) : active && label.toLowerCase().includes(q)))
    .slice(0, Number(query.get('limit') ?? 20));
}

/** The fields that the requesting form copies from a chosen record, as the server does: `mr.mr_type_id`. */
function fetchedFrom(packet: KeptPacket, screen: Screen, asking: string | null): { to: string; from: string }[] {
  const [type = '', ...path] = (asking ?? '').split('.');
  const name = path.pop();
  const form = packet.screens[type]?.screen.fields ?? [];
  const fields = path.length === 0 ? form : (form.find((one) => one.name === path[0])?.rows ?? []);
  return fields.flatMap(({ name: to, fetch }) =>
    fetch && fetch.via === name && screen.fields.some((one) => one.name === fetch.field)
      ? [{ to, from: fetch.field }]
      : [],
  );
}

/** Records as they will be once the waiting actions are sent. */
async function withWaiting(screen: Screen, records: readonly WireRecord[]): Promise<WireRecord[]> {
  const { userId } = currentSession();
  const acts = (await storedActs()).filter(({ person, type }) => person === userId && type === screen.name);
  const result: WireRecord[] = [];
  for (const record of records) {
    let shown = record;
    for (const act of acts) if (act.id === record.id) shown = await after(screen, shown, act);
    result.push(shown);
  }
  return result;
}

async function after(screen: Screen, record: WireRecord, { do: name, input }: WaitingAct): Promise<WireRecord> {
  const next: WireRecord = { ...record };
  const known = screen.fields.filter((field) => field.name in input);
  for (const field of known) {
    const given = bringsPairs(name) ? (input[field.name] as unknown[])[1] : input[field.name];
    next[field.name] = await onDevice(field, given);
    // The label belonged to the previous value.
    if (next[field.name] !== record[field.name]) delete next[`${field.name}__label`];
  }
  const step = screen.workflow?.transitions.find((one) => one.name === name);
  if (!step || !screen.workflow) return next;
  if (step.to !== null) next[screen.workflow.field] = step.to;
  const to = next[screen.workflow.field];
  // The server will check rights later; everything possible offline is offered.
  const follow = screen.workflow.transitions.filter(
    (one) => one.from.includes(to as string) && screen.offline?.does.includes(one.name),
  );
  next._can = follow.map((one) => ({ name: one.name, blocked: null }));
  return next;
}

let notes = 0;

/** The number of updates of the packet: a packet collected before the last update is older than the local data. */
export const notesTaken = (): number => notes;

/**
 * Updates or adds one of the packet's records after an action, until the packet is loaded again: the connection may
 * break before.
 * @param change the returned record, or the sent action
 */
export async function noteInPacket(type: string, id: number, change: WireRecord | WaitingAct): Promise<void> {
  notes++;
  const packet = await keptPacket(packetKey());
  const screen = packet?.screens[type]?.screen;
  const part = packet?.types.find((one) => one.type === type);
  if (!packet || !screen || !part) return;
  const at = part.records.findIndex((record) => record.id === id);
  const isAct = 'seq' in change;
  if (at >= 0)
    part.records[at] = isAct
      ? await after(screen, part.records[at]!, change as WaitingAct)
      : { ...part.records[at]!, ...change };
  else if (!isAct) part.records.push(change as WireRecord);
  else if (change.do === 'create')
    part.records.push(await after(screen, { id, version: 1, active: true }, change as WaitingAct));
  else return;
  await keepPacket(packet);
}

/** Adds answers that the server has accepted to the packet's questionnaire, until the packet is loaded again. */
export async function noteAnswers(
  address: string,
  answers: readonly { code: string; value?: unknown }[],
): Promise<void> {
  notes++;
  const packet = await keptPacket(packetKey());
  const sheet = packet?.sheets[address] as { answers?: { code: string }[] } | undefined;
  if (!packet || !sheet?.answers) return;
  const codes = new Set(answers.map(({ code }) => code));
  sheet.answers = [...sheet.answers.filter(({ code }) => !codes.has(code)), ...answers];
  await keepPacket(packet);
}

/** A value with the files of this device by their numbers here. */
async function onDevice(field: Field, value: unknown): Promise<unknown> {
  if (typeof value === 'string' && value.startsWith('sha256:')) {
    const [file] = await filesOfContent(value.slice('sha256:'.length));
    return file ? (file.stored ?? ON_DEVICE + file.id) : null;
  }
  if (!field.rows || !Array.isArray(value)) return value;
  const rows = [];
  for (const row of value as Record<string, unknown>[]) {
    const next = { ...row };
    for (const column of field.rows)
      if (column.name in row) next[column.name] = await onDevice(column, row[column.name]);
    rows.push(next);
  }
  return rows;
}
