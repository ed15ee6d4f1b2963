import type { Screen } from '../../../descriptor/types.ts';
import { formatDate } from '../../../descriptor/format.ts';
import type { Session } from '../../access/context.ts';
import { notFound } from '../../db/errors.ts';
import { dayIn, placeOf } from '../../services/clock/client_day.ts';
import type { ExcelRunsDeps, RunTasks } from './run_tasks.ts';

/** Exports of lists: how they are started, their progress, and whether their person has been informed. */
export class ExportRuns {
  readonly #deps: ExcelRunsDeps;
  readonly #tasks: RunTasks;

  constructor(deps: ExcelRunsDeps, tasks: RunTasks) {
    this.#deps = deps;
    this.#tasks = tasks;
  }

  /** Starts an export of a list as the person sees it. */
  async start(
    session: Session,
    screen: Screen,
    query: Record<string, string>,
    columns: string[] | undefined,
  ): Promise<{ id: number; done: Promise<void> }> {
    const { db, schema } = session.tenant;
    const [row] = await db.query<{ id: number }>(
      `insert into "${schema}"."export_run" (record_type, entity_id, state, query, by, server) values ($1, $2, 'running', $3, $4, $5) returning id`,
      [
        screen.name,
        session.entityId,
        JSON.stringify({ query, columns }),
        session.userId,
        await this.#deps.presence.number(),
      ],
    );
    const max = await this.#deps.maxRows(session);
    const fileName = `${screen.plural} ${formatDate(dayIn(placeOf(session).timezone))}.xlsx`;
    const done = this.#tasks.work(session, {
      ...(await this.#tasks.task(session, screen, row!.id, 'export')),
      export: { query, columns, maxRows: max.export, fileName },
    });
    return { id: row!.id, done: done.then(() => this.#deps.exported?.(session, screen, row!.id)) };
  }

  async run(
    session: Session,
    id: number,
  ): Promise<{
    id: number;
    type: string;
    state: string;
    done: number;
    total: number | null;
    file_id: number | null;
    message: string | null;
  }> {
    const { db, schema } = session.tenant;
    const [row] = await db.query<{
      id: number;
      type: string;
      state: string;
      done: number;
      total: number | null;
      file_id: number | null;
      message: string | null;
    }>(
      `select id, record_type as type, state, done, total, file_id, message from "${schema}"."export_run" where id = $1 and by = $2`,
      [id, session.userId],
    );
    if (!row) throw notFound();
    return row;
  }

  /** Notes that the person has seen how an export ended; they are not notified again. */
  async seen(session: Session, id: number): Promise<void> {
    const { db, schema } = session.tenant;
    await db.query(
      `update "${schema}"."export_run" set seen_at = now() where id = $1 and by = $2 and seen_at is null`,
      [id, session.userId],
    );
  }

  /** A finished export whose person has not seen it yet, or null. */
  async unseen(
    session: Session,
    id: number,
  ): Promise<{ state: 'done' | 'failed'; done: number; message: string | null } | null> {
    const { db, schema } = session.tenant;
    const [row] = await db.query<{ state: 'done' | 'failed'; done: number; message: string | null }>(
      `select state, done, message from "${schema}"."export_run" where id = $1 and by = $2 and seen_at is null and state in ('done', 'failed')`,
      [id, session.userId],
    );
    return row ?? null;
  }
}
