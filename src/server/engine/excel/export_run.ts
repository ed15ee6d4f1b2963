import { formatNumber } from '../../../descriptor/format.ts';
/** One export, in a separate process: reads the list page by page as the person sees it and writes the workbook. */
import { Readable } from 'node:stream';
import { placeOf, stayAt } from '../../services/clock/client_day.ts';
import { AppError } from '../../db/errors.ts';
import { FileStore } from '../../services/files/store.ts';
import { storeEntry } from '../../services/audit/audit.ts';
import { createEngine } from '../records/engine.ts';
import { parseListQuery } from '../records/list_query.ts';
import { readRecords } from '../records/read.ts';
import { linesOf } from '../records/row_trees.ts';
import { exportedFields, rowsOfRecord, rowsSheets, withGroups } from './rows_sheets.ts';
import { receivedScreens } from './packed_screens.ts';
import { Progress } from './progress.ts';
import { besideNumber, withSheetNumber } from './sheet_number.ts';
import { SheetWriter, exportColumns } from './sheet_write.ts';
import { sessionOf } from './worker_task.ts';
import type { ServerLink, WorkerTask } from './worker_task.ts';

/** The number of rows read at a time: more than a browser may request, because nobody waits for the first ones. */
const PAGE = 5_000;
/** The number of records read at a time with their child rows. */
const WITH_ROWS = 500;
/** Exports of fewer rows are not logged. */
const FEW_ROWS = 100;

/** Runs one export in this process; `server` receives errors. */
export async function runExport(task: WorkerTask, server: ServerLink): Promise<void> {
  const options = task.export!;
  const screens = receivedScreens(task.screens);
  const screen = screens.get(task.type)!;
  const { session, db } = sessionOf(task);
  stayAt(placeOf(session));
  const progress = new Progress(db, session.tenant.schema, 'export_run', task.runId);
  const engine = createEngine({ screens: () => screens });

  try {
    const { count } = await engine.count(session, screen, parseListQuery({ ...options.query }, screen));
    await progress.say({ state: 'running', total: count });
    const columns = exportColumns(screen, options.columns);
    const writer = new SheetWriter(columns);
    const rows = rowsSheets(screen).map((sheet) => ({
      sheet,
      writer: new SheetWriter(exportedFields(sheet).map((field) => ({ title: field.title, field, key: field.name }))),
    }));
    let after: string | null = null;
    let done = 0;
    let rowCount = 0;
    let cancelled = false;
    do {
      const query = {
        ...parseListQuery(
          {
            ...options.query,
            count: 'none',
            columns: [...columns.map((column) => column.key), ...besideNumber(screen)].join(','),
            ...(after !== null && { after }),
          },
          screen,
        ),
        size: PAGE,
      };
      const { data, cursor } = await engine.list(session, screen, query);
      writer.add(data.map((record) => withSheetNumber(screen, record)));
      for (let from = 0; rows.length > 0 && from < data.length; from += WITH_ROWS) {
        const ids = data.slice(from, from + WITH_ROWS).map(({ id }) => id as number);
        const read = await readRecords(session, screen, screens, ids);
        const whole = new Map(read.map((record) => [record.id, withSheetNumber(screen, record)]));
        // In the order of the list.
        const records = ids.flatMap((id) => whole.get(id) ?? []);
        for (const { sheet, writer: into } of rows)
          for (const record of records) {
            const lines = rowsOfRecord(sheet, record);
            rowCount += lines.length;
            if (sheet.field.rowTree && !sheet.within) {
              const tree = await linesOf(session, screens, sheet.field, lines);
              const outlined = withGroups(sheet, record, lines, tree);
              into.add(
                outlined.map((line) => line.record),
                outlined.map(({ level }) => level),
              );
            } else into.add(lines);
          }
      }
      done += data.length;
      if (Math.max(done, rowCount) > options.maxRows)
        throw new AppError(
          413,
          'too_large',
          `An export holds at most ${formatNumber(options.maxRows)} rows. Narrow the list with a filter.`,
        );
      after = data.length < PAGE ? null : cursor;
      await progress.say({ done });
      cancelled = await progress.cancelled();
    } while (after !== null && !cancelled);
    if (!cancelled) {
      const bytes = writer.bytes(new Map(rows.map((one) => [one.sheet.name, one.writer])));
      const file = await new FileStore(task.dataDir, 1024 * 1024 * 1024).save(
        session,
        options.fileName,
        Readable.from([bytes]) as AsyncIterable<Buffer>,
        null,
      );
      // Before anybody can download it.
      const { userId, sid, entityId, tenant } = session;
      if (done > FEW_ROWS)
        await storeEntry(db, tenant.schema, {
          actor: userId,
          sid,
          entityId,
          action: 'export',
          target: screen.name,
          summary: `${formatNumber(done)} rows`,
        });
      await progress.say({ state: 'done', done, total: done, file_id: file.id });
    }
  } catch (error) {
    await progress.say({
      state: 'failed',
      message:
        error instanceof AppError
          ? error.message
          : 'The export stopped because of an internal error. Please try again.',
    });
    if (!(error instanceof AppError))
      server.post({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  } finally {
    await db.close();
  }
}
