import { inSentence } from '../../../descriptor/in_sentence.ts';
import { recompute } from '../../../descriptor/validate.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import { PLACE } from '../../../descriptor/words/part.ts';
import type { Session } from '../../access/context.ts';
import { AppError, invalid } from '../../db/errors.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import { changeOf, staleVersion } from './history.ts';
import { lockRecords } from './locks.ts';
import { readRecord, readWritten } from './read.ts';
import { updateStatement } from './write.ts';
import type { WriteContext } from './write_context.ts';
import { inUnit } from './unit_of_work.ts';

type Row = Record<string, unknown>;

interface DoorDeps {
  screens(session: Session): Map<string, Screen>;
  update(session: Session, screen: Screen, id: number, input: Row, what: string): Promise<WireRecord>;
}

/** The HTTP endpoints of a part: actions there change the rows of its parent. */
interface PartDoors {
  create(session: Session, screen: Screen, input: Row, what: string): Promise<WireRecord>;
  update(session: Session, screen: Screen, id: number, input: Row, what: string): Promise<WireRecord>;
  remove(session: Session, screen: Screen, id: number): Promise<void>;
}

const NOT_OF_ROW = new Set(['id', 'version', 'active', PLACE]);

export function ofParent({ screens, update }: DoorDeps): PartDoors {
  /**
   * Changes the rows of a parent, which is locked and read first. @throws AppError 404 if the person does not see it
   */
  async function changeRows(
    actor: Session,
    { part }: Screen,
    parentId: number,
    what: string,
    change: (session: Session) => Promise<Row>,
  ): Promise<{ before: Set<unknown>; after: WireRecord; session: Session }> {
    const parent = screens(actor).get(part!.of)!;
    return inUnit(actor, async ({ session: own }) => {
      const session = { ...actor, tenant: own.tenant };
      await lockRecords(session, [{ type: parent.name, id: parentId }]);
      const stored = await readRecord(session, parent, screens(session), parentId);
      const before = new Set(((stored[part!.field] as Row[] | null) ?? []).map(({ id }) => id));
      const rows = await change(session);
      const input = { version: stored.version, [part!.field]: rows };
      const after = await update(session, parent, parentId, input, what).catch((error: unknown) => {
        throw ofPart(error, part!.field);
      });
      return { before, after, session };
    });
  }

  return {
    async create(actor, screen, input, what) {
      const { by, of, field } = screen.part!;
      const parentId = Number(input[by]);
      if (!Number.isSafeInteger(parentId) || parentId < 1)
        throw invalid([
          { field: by, message: `Say by its id which ${inSentence(screens(actor).get(of)!.title)} it belongs to.` },
        ]);
      return inUnit(actor, async (unit) => {
        const own = { ...actor, tenant: unit.session.tenant };
        const { before, after, session } = await changeRows(own, screen, parentId, what, () =>
          Promise.resolve({ add: [withoutOwn(input, by)] }),
        );
        const made = ((after[field] as Row[] | null) ?? []).find(({ id }) => !before.has(id));
        return readRecord(session, screen, screens(session), Number(made!.id));
      });
    },
    async update(actor, screen, id, input, what) {
      const { by } = screen.part!;
      const version = Number(input.version);
      if (!Number.isInteger(version))
        throw new AppError(400, 'bad_request', 'Send the version you are changing.', { field: 'version' });
      const known = await readRecord(actor, screen, screens(actor), id);
      if (input[by] !== undefined && input[by] !== known[by])
        throw invalid([
          { field: by, message: 'A row stays with its record. Add it there as a new one, and remove it here.' },
        ]);
      return inUnit(actor, async (unit) => {
        const own = { ...actor, tenant: unit.session.tenant };
        const { session } = await changeRows(own, screen, Number(known[by]), what, async (session) => {
          const stored = await readRecord(session, screen, screens(session), id);
          if (stored.version !== version) throw await staleVersion({ session, screen }, stored, version);
          return { set: { [id]: withoutOwn(input, by) } };
        });
        return readRecord(session, screen, screens(session), id);
      });
    },
    async remove(actor, screen, id) {
      const known = await readRecord(actor, screen, screens(actor), id);
      await changeRows(actor, screen, Number(known[screen.part!.by]), 'form', () => Promise.resolve({ remove: [id] }));
    },
  };
}

/** The record that a part belongs to, before the part's transition. */
export interface Above {
  screen: Screen;
  before: WireRecord;
}

/** The ancestors of a part, the nearest first, each locked until the unit ends. @throws AppError 404 */
export async function parentsOf(
  session: Session,
  screen: Screen,
  known: Map<string, Screen>,
  id: number,
): Promise<Above[]> {
  const found: Above[] = [];
  let [of, at] = [screen, id];
  while (of.part) {
    const row = await readRecord(session, of, known, at);
    at = Number(row[of.part.by]);
    of = known.get(of.part.of)!;
    found.push({ screen: of, before: await readRecord(session, of, known, at) });
  }
  // The outermost first: a save locks it first too.
  const refs = found.map(({ screen: { name: type }, before }) => ({ type, id: before.id }));
  await lockRecords(session, refs);
  return Promise.all(
    found.map(async (one) => ({ ...one, before: await readRecord(session, one.screen, known, one.before.id) })),
  );
}

/** Stores the values that a record computes from separately changed parts, with its version and history. */
export async function changeByParts(context: WriteContext, before: WireRecord): Promise<WireRecord | null> {
  const { session, screen, screens } = context;
  const record = recompute(screen, await readWritten(session, screen, screens, before.id), { storedRows: before });
  const change = changeOf(screen, before, record);
  if (Object.keys(change).length === 0) return null;
  const values = new SqlParams();
  const text = updateStatement(context, before.id, before.version, record, change, null, values);
  const [done] = await session.tenant.db.query<{ change: Row }>(preparedStatement(text, values.list));
  if (!done) throw await staleVersion(context, await readWritten(session, screen, screens, before.id), before.version);
  context.wrote?.(before.id, done.change, null);
  return readWritten(session, screen, screens, before.id);
}

const withoutOwn = (input: Row, by: string): Row =>
  Object.fromEntries(Object.entries(input).filter(([name]) => name !== by && !NOT_OF_ROW.has(name)));

/**
 * A refusal by the parent, with the fields of the part as its own endpoint names them: "qty" for "lines.set.41.qty".
 */
function ofPart(error: unknown, field: string): unknown {
  if (!(error instanceof AppError) || error.status >= 500) return error;
  const placed = (path: string) => {
    const steps = path.split('.');
    if (steps[0] !== field) return path;
    return steps.slice(steps[1] === 'set' || steps[1] === 'add' ? 3 : 2).join('.');
  };
  return new AppError(error.status, error.code, error.message, {
    ...(error.field !== null && { field: placed(error.field) }),
    ...(error.reason !== null && { reason: error.reason }),
    details: error.details.map((detail) => ({ ...detail, field: placed(detail.field) })),
    extra: error.extra,
  });
}
