import { momentNow, today } from '../../../../descriptor/place.ts';
import type { Screen, WireRecord } from '../../../../descriptor/types.ts';
import { ApiError, api } from '../../../api/http.ts';
import { currentSession } from '../../../app/session.ts';
import { stepAddress } from '../../workflow/take_step.ts';
import { changeField, wholeRecord } from '../use_move.tsx';

export type Post = Record<string, unknown> & { id?: number };

/** The rows of a conversation in chronological order. */
export function postsOf(screen: Screen, record: WireRecord): Post[] {
  const { posts, at } = screen.looks!.thread!;
  const rows = Array.isArray(record[posts]) ? (record[posts] as Post[]) : [];
  return at === undefined ? rows : rows.toSorted((a, b) => String(a[at]).localeCompare(String(b[at])));
}

/** The row to add: text, kind, current time and author. */
function newPost(screen: Screen, text: string, kind: string): Post {
  const { posts, kinds, text: said, at, by } = screen.looks!.thread!;
  const columns = screen.fields.find(({ name }) => name === posts)!.rows!;
  const when = columns.find(({ name }) => name === at);
  const who = columns.find(({ name }) => name === by);
  const { userId, employeeId } = currentSession();
  return {
    ...Object.fromEntries(
      columns.flatMap((column) => (column.default === undefined ? [] : [[column.name, column.default]])),
    ),
    [said]: text,
    ...(kinds !== undefined && { [kinds]: kind }),
    ...(when && { [when.name]: when.type === 'date' ? today() : new Date(momentNow()).toISOString() }),
    ...(who && { [who.name]: who.ref?.type === 'users' ? userId : employeeId }),
  };
}

/** Adds a row to a conversation; a concurrent one does not conflict, so both stay. @throws ApiError */
export async function send(screen: Screen, record: WireRecord, text: string, kind: string): Promise<WireRecord> {
  const { step } = screen.looks!.thread!;
  const transition = screen.workflow?.transitions.find(({ name }) => name === step);
  const asked = transition?.ask[0]?.field;
  if (transition && asked !== undefined) {
    await api.post(stepAddress(screen, transition, record), { version: record.version, [asked]: text });
    return wholeRecord(screen, record);
  }
  const add = { [screen.looks!.thread!.posts]: { add: [newPost(screen, text, kind)], set: {}, remove: [] } };
  try {
    return await changeField(screen, record, add);
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.code !== 'stale_version') throw thrown;
    return changeField(screen, await wholeRecord(screen, record), add);
  }
}
