import type { Session } from '../../access/context.ts';
import { tableName } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import type { Ref } from '../events/ref.ts';
import type { UnitOfWork } from './unit_of_work.ts';
import { LockedElsewhere, unitOf } from './unit_of_work.ts';

/** The records that a unit has locked, and the last of them in the order in which all units lock. */
interface Held {
  keys: Set<string>;
  last: Ref | null;
}

const held = new WeakMap<UnitOfWork, Held>();

const keyOf = ({ type, id }: Ref) => `${type} ${id}`;
const inOrder = (one: Ref, other: Ref): number =>
  one.type < other.type ? -1 : one.type > other.type ? 1 : one.id - other.id;

/**
 * Locks records until the unit ends, all at once in one order by type and id, so that two units cannot deadlock. A
 * record that comes before those already locked is not waited for: if somebody else has locked it, the unit starts
 * again, with it among its first locks.
 */
export async function lockRecords(session: Session, refs: readonly Ref[]): Promise<void> {
  const unit = unitOf(session);
  const own = unit
    ? (held.get(unit) ?? { keys: new Set<string>(), last: null })
    : { keys: new Set<string>(), last: null };
  const wanted = new Map<string, Ref>();
  for (const ref of [...refs, ...(own.last === null ? (unit?.lockFirst ?? []) : [])])
    if (!own.keys.has(keyOf(ref))) wanted.set(keyOf(ref), ref);
  if (wanted.size === 0) return;
  const { last } = own;
  const sorted = [...wanted.values()].sort(inOrder);
  const early = last === null ? [] : sorted.filter((ref) => inOrder(ref, last) < 0);
  await take(session, early, 'nowait').catch((error: unknown) => {
    if ((error as { code?: string }).code !== '55P03') throw error;
    throw new LockedElsewhere([...wanted.values()]);
  });
  await take(session, sorted.slice(early.length), '');
  for (const key of wanted.keys()) own.keys.add(key);
  const end = sorted.at(-1)!;
  if (last === null || inOrder(end, last) > 0) own.last = end;
  if (unit) held.set(unit, own);
}

async function take({ tenant }: Session, refs: readonly Ref[], wait: 'nowait' | ''): Promise<void> {
  for (const [type, some] of Map.groupBy(refs, (ref) => ref.type))
    await tenant.db.query(
      preparedStatement(
        `select 1 from ${tableName(tenant.schema, type)} where id = any($1::bigint[]) order by id for update ${wait}`,
        [some.map(({ id }) => id)],
      ),
    );
}
