import { openedFields } from '../../../descriptor/opened_fields.ts';
import type { FieldError, Screen } from '../../../descriptor/types.ts';
import type { Transition } from '../../../descriptor/workflow.ts';
import { importOf, openingNumber } from '../../../descriptor/workflow.ts';
import type { Session } from '../../access/context.ts';
import { AppError } from '../../db/errors.ts';
import { quoted } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import { storeEntry } from '../../services/audit/audit.ts';
import { announceChange } from '../../services/live/announced_changes.ts';
import { formatNumber } from '../../../descriptor/format.ts';
import type { Engine } from '../records/engine.ts';
import { inUnit, unitOf } from '../records/unit_of_work.ts';
import type { PlannedWrites } from './added_by_acts.ts';
import type { RowToCheck } from './worker_task.ts';

type Row = Record<string, unknown>;

/** Adds a record of an import with its existing number, and takes it into its initial state. */
async function openRecord(engine: Engine, session: Session, screen: Screen, record: Row, what: string): Promise<void> {
  const { workflow } = screen;
  const state = workflow!.field;
  const { [state]: wanted, ...given } = record;
  const number = openingNumber(screen);
  const numbered = number !== undefined && given[number] != null;
  const via = (workflow!.import?.[String(wanted)] ?? []).map((name) =>
    workflow!.transitions.find((one) => one.name === name)!,
  );
  const unit = unitOf(session)!;
  if (via.length > 0) unit.importedInto = String(wanted);
  try {
    let { id, version } = await engine.create(session, numbered ? openedFields(screen, [number]) : screen, given, what);
    for (const [at, { name, ask }] of via.entries()) {
      const moment = momentOf(via.slice(at), given);
      if (moment) unit.at = moment;
      const answers = Object.fromEntries(
        ask.flatMap(({ field }) => (given[field] == null ? [] : [[field, given[field]]])),
      );
      ({ id, version } = await engine.transition(session, screen, id, name, { version, ...answers }, { cause: what }));
    }
  } finally {
    delete unit.importedInto;
    delete unit.at;
  }
}

/** When an imported record took the first of these transitions, never later than now; null = now. */
function momentOf(transitions: readonly Transition[], given: Row): Date | null {
  for (const transition of transitions) {
    const value = given[importOf(transition)?.at ?? ''];
    if (typeof value === 'string') return new Date(Math.min(Date.parse(value), Date.now()));
  }
  return null;
}

/** The error that adding a record of an import would cause: it is tried and rolled back. */
export async function openingErrors(
  engine: Engine,
  session: Session,
  screen: Screen,
  { record }: RowToCheck,
): Promise<FieldError[]> {
  try {
    await inUnit(session, (unit) => openRecord(engine, unit.session, screen, record, 'import'), { preview: true });
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return error.details.length > 0 ? error.details : [{ field: error.field ?? '', message: error.message }];
  }
}

/** The number of records between two progress updates. */
const PROGRESS_EVERY = 50;

/**
 * Writes an import whose records are added one by one with their side effects, all or nothing. @throws AppError if a
 * record is refused after all
 */
export async function openRecords(
  engine: Engine,
  session: Session,
  screen: Screen,
  runId: number,
  { inserts, updates }: PlannedWrites,
): Promise<void> {
  const what = `import ${runId}`;
  const run = `${quoted(session.tenant.schema)}.import_run`;
  const total = inserts.length + updates.length;
  await inUnit(session, async (unit) => {
    const tx = unit.session.tenant.db;
    for (const [at, record] of inserts.entries()) {
      await openRecord(engine, unit.session, screen, record, what);
      if (at % PROGRESS_EVERY === 0)
        await session.tenant.db.query(
          preparedStatement(`update ${run} set done = $2 where id = $1 and state = 'writing'`, [runId, at]),
        );
    }
    const hasRows = ({ set }: PlannedWrites['updates'][number]) =>
      screen.fields.some(({ name, rows }) => rows && name in set);
    await engine.updateMany(
      tx,
      unit.session,
      screen,
      updates.filter((one) => !hasRows(one)),
      what,
    );
    for (const { id, before, set } of updates.filter(hasRows))
      await engine.updateWithRows(tx, unit.session, screen, { id, before, set }, what);
    const ended = await tx.query(
      preparedStatement(
        `update ${run} set state = 'imported', done = $2 where id = $1 and state = 'writing' returning 1`,
        [runId, total],
      ),
    );
    if (ended.length === 0) throw new AppError(409, 'bad_state', 'Cancelled. Nothing was saved.');
    const { userId, sid, entityId, tenant } = unit.session;
    await announceChange(tx, tenant.schema, screen);
    await storeEntry(tx, tenant.schema, {
      actor: userId,
      sid,
      entityId,
      action: 'import',
      target: screen.name,
      summary: `${formatNumber(inserts.length)} added, ${formatNumber(updates.length)} changed`,
    });
  });
}
