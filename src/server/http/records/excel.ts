import type { FastifyInstance, FastifyReply } from 'fastify';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import { AppError, invalid, notFound } from '../../db/errors.ts';
import { fileLink } from '../../services/files/signed_link.ts';
import type { FileStore } from '../../services/files/store.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { checkFields, readChoices } from '../../engine/excel/column_choice.ts';
import type { ExcelRuns } from '../../engine/excel/runs.ts';
import { importFields, importPages } from '../../engine/excel/sheet_columns.ts';
import { templateWorkbook } from '../../engine/excel/template.ts';
import { undoImport } from '../../engine/excel/undo_import.ts';
import { authorize } from '../../access/rights/authorize.ts';

export interface ExcelDeps {
  engine: Engine;
  screens: (session: Session) => Map<string, Screen>;
  files: FileStore;
  runs: ExcelRuns;
  /** Creates the tables of the screen's type, and of all it refers to, that the tenant has not used yet. */
  ensure(tenant: Tenant, screen: Screen): Promise<unknown>;
  /** Key that signs file addresses. */
  key: Buffer;
}

const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** Longer lists get no drop-down in a template. */
const LISTED_CHOICES = 200;
const LIST_PARAMETERS = ['q', 'filter', 'sort', 'active', 'ids', 'mine'] as const;

type Typed = { Params: { type: string } };
type Numbered = { Params: { id: string } };
type ImportQuery = { mode?: string; sheet?: string; columns?: string; ask?: string };

/** JSON within an address; null if invalid. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** Templates, imports (dry run, then commit) and exports, for every record type. */
export async function excelRoutes(
  app: FastifyInstance,
  { engine, screens, files, runs, ensure, key }: ExcelDeps,
): Promise<void> {
  const named = (session: Session, type: string): Screen => {
    const screen = screens(session).get(type);
    if (!screen) throw notFound();
    return screen;
  };
  const numbered = (text: string): number => {
    const id = Number(text);
    if (!Number.isSafeInteger(id) || id < 1) throw notFound();
    return id;
  };
  const mayImport = async (session: Session, screen: Screen) => {
    for (const page of importPages(screen)) authorize(session, screen, page, screen.access.action);
    authorize(session, screen, 'edit_screen', 'IMPORT_DATA');
    if (screen.part) {
      const parent = inSentence(screens(session).get(screen.part.of)!.title);
      throw new AppError(409, 'bad_state', `These are rows of a ${parent}. Import them in a sheet of its file.`);
    }
    await ensure(session.tenant, screen);
  };
  const mayExport = async (session: Session, screen: Screen) => {
    authorize(session, screen, 'landing', 'EXPORT_DATA');
    await ensure(session.tenant, screen);
  };
  const sendWorkbook = (reply: FastifyReply, name: string, bytes: Buffer) =>
    reply
      .type(WORKBOOK)
      .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
      .send(bytes);

  for (const prefix of ['/tapi', '/api']) {
    app.get<Typed>(`${prefix}/:type/template.xlsx`, async (request, reply) => {
      const screen = named(request.session, request.params.type);
      for (const page of importPages(screen)) authorize(request.session, screen, page);
      await ensure(request.session.tenant, screen);
      const choices = new Map<string, string[]>();
      for (const field of importFields(screen)) {
        const target = field.ref && screens(request.session).get(field.ref.type);
        if (!target || field.type !== 'ref') continue;
        const options = await engine.options(request.session, target, {
          limit: LISTED_CHOICES + 1,
          asking: { screen, field, siblings: screen.fields },
        });
        if (options.length <= LISTED_CHOICES)
          choices.set(
            field.name,
            options.map((option) => option.label),
          );
      }
      return sendWorkbook(reply, `${screen.plural} template.xlsx`, templateWorkbook(screen, choices));
    });

    app.post<Typed & { Querystring: ImportQuery }>(`${prefix}/:type/import`, async (request, reply) => {
      const screen = named(request.session, request.params.type);
      await mayImport(request.session, screen);
      const mode = request.query.mode ?? 'all_or_nothing';
      if (mode !== 'all_or_nothing' && mode !== 'good_rows')
        throw new AppError(400, 'bad_request', 'mode is all_or_nothing or good_rows.', { field: 'mode' });
      if (screen.scope === 'entity' && request.session.entityId === null)
        throw new AppError(400, 'bad_request', 'Choose a company first.');
      const { sheet, ask } = request.query;
      if (ask !== undefined && ask !== 'columns')
        throw new AppError(400, 'bad_request', 'ask is columns.', { field: 'ask' });
      const choices = request.query.columns === undefined ? undefined : readChoices(parsed(request.query.columns));
      if (choices) checkFields(screen, choices);
      const upload = await request.file();
      if (!upload) throw new AppError(400, 'bad_request', 'Choose a workbook to import.', { field: 'file' });
      if (/\.(xlsm|xlsb|xltm)$/i.test(upload.filename))
        throw new AppError(
          415,
          'unsupported',
          'Workbooks with macros and binary workbooks are not accepted. Save it as .xlsx.',
        );
      runs.expectImport(request.session, screen);
      const file = await files.save(request.session, upload.filename, upload.file, null);
      if (/^(?:image|audio|video)\/|\/pdf$/.test(file.type))
        throw new AppError(415, 'unsupported', 'This file is no workbook. Choose an .xlsx, .xls, .ods or .csv file.');
      const id = await runs.startImport(request.session, screen, file.id, {
        mode,
        sheet,
        choices,
        ask: ask !== undefined,
      });
      return reply.code(202).send({ data: { id } });
    });

    app.get<Numbered>(`${prefix}/import/:id`, async (request) => ({
      data: await runs.importRun(request.session, numbered(request.params.id)),
    }));

    app.get<Numbered>(`${prefix}/import/:id/errors.xlsx`, async (request, reply) => {
      const id = numbered(request.params.id);
      return sendWorkbook(reply, `Import ${id} errors.xlsx`, await runs.errorSheet(request.session, id));
    });

    app.post<Numbered>(`${prefix}/import/:id/commit`, async (request, reply) => {
      const id = numbered(request.params.id);
      const run = await runs.importRun(request.session, id);
      await mayImport(request.session, named(request.session, run.type));
      await runs.commit(request.session, id, (request.body as { again?: boolean } | null)?.again === true);
      return reply.code(202).send({ data: { id } });
    });

    app.post<Numbered>(`${prefix}/import/:id/columns`, async (request, reply) => {
      const id = numbered(request.params.id);
      const screen = named(request.session, (await runs.importRun(request.session, id)).type);
      await mayImport(request.session, screen);
      const { sheet, columns, reset } = (request.body ?? {}) as Record<string, unknown>;
      if (sheet !== undefined && typeof sheet !== 'string')
        throw invalid([{ field: 'sheet', message: 'sheet is the name of a sheet of the file.' }]);
      if (reset !== undefined && typeof reset !== 'boolean')
        throw invalid([{ field: 'reset', message: 'reset is true or false.' }]);
      const choices = columns === undefined ? undefined : readChoices(columns);
      await runs.chooseColumns(request.session, screen, id, { sheet, choices, reset: reset === true });
      return reply.code(202).send({ data: { id } });
    });

    app.post<Numbered>(`${prefix}/import/:id/undo`, async (request) => {
      const id = numbered(request.params.id);
      const screen = named(request.session, (await runs.runInItsCompany(request.session, id)).type);
      await mayImport(request.session, screen);
      return { data: await undoImport(engine, request.session, screen, id) };
    });

    for (const kind of ['import', 'export'] as const)
      app.post<Numbered>(`${prefix}/${kind}/:id/cancel`, async (request, reply) => {
        await runs.cancel(request.session, kind, numbered(request.params.id));
        return reply.code(202).send({ data: { id: numbered(request.params.id) } });
      });

    app.post<Typed & { Body: Record<string, unknown> | null }>(`${prefix}/:type/export`, async (request, reply) => {
      const screen = named(request.session, request.params.type);
      await mayExport(request.session, screen);
      const body = request.body ?? {};
      const query: Record<string, string> = {};
      for (const name of LIST_PARAMETERS) {
        const value = body[name];
        if (value !== undefined && value !== null && value !== '')
          query[name] = typeof value === 'string' ? value : JSON.stringify(value);
      }
      const columns = Array.isArray(body.columns) ? body.columns.map(String) : undefined;
      const { id } = await runs.exports.start(request.session, screen, query, columns);
      return reply.code(202).send({ data: { id } });
    });

    app.get<Typed & { Querystring: Record<string, string> }>(`${prefix}/:type/export.xlsx`, async (request, reply) => {
      const screen = named(request.session, request.params.type);
      await mayExport(request.session, screen);
      const query = Object.fromEntries(
        LIST_PARAMETERS.flatMap((name) => (request.query[name] ? [[name, request.query[name]]] : [])),
      );
      const { id, done } = await runs.exports.start(request.session, screen, query, request.query.columns?.split(','));
      await runs.exports.seen(request.session, id);
      await done;
      const run = await runs.exports.run(request.session, id);
      if (run.file_id === null) throw new AppError(422, 'invalid', run.message ?? 'The export failed.');
      const { file, stream } = await files.open(request.session.tenant, run.file_id);
      return reply
        .type(WORKBOOK)
        .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`)
        .header('content-length', file.size)
        .send(stream());
    });

    app.get<Numbered>(`${prefix}/export/:id`, async (request) => {
      const run = await runs.exports.run(request.session, numbered(request.params.id));
      if (run.state !== 'running') await runs.exports.seen(request.session, run.id);
      return { data: run };
    });

    app.get<Numbered>(`${prefix}/export/:id/link`, async (request) => {
      const { session } = request;
      const run = await runs.exports.run(session, numbered(request.params.id));
      await mayExport(session, named(request.session, run.type));
      if (run.file_id === null) throw new AppError(409, 'bad_state', 'This export is not finished.');
      return { url: fileLink({ schema: session.tenant.schema, file: run.file_id, sid: session.sid }, key) };
    });
  }
}
