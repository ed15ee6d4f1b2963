import { access } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import * as XLSX from 'xlsx';
import { ZipFile } from 'yazl';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import type { Session } from '../../access/context.ts';
import { authorize } from '../../access/rights/authorize.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { RecordFilesDeps } from '../../engine/records/record_files.ts';
import { filesOfRecords } from '../../engine/records/record_files.ts';
import { dayIn, placeOf } from '../../services/clock/client_day.ts';
import type { FileStore } from '../../services/files/store.ts';
import type { AuditEntry } from '../../services/audit/audit.ts';

export interface RecordFilesRouteDeps extends RecordFilesDeps {
  files: FileStore;
  audit(session: Session, entry: Pick<AuditEntry, 'action' | 'target' | 'summary'>): Promise<void>;
}

const MAX_CHOSEN = 500;
const MAX_BYTES = 1024 ** 3;

/** The files of chosen records as one ZIP, with a sheet that lists them; for types with the action "files". */
export async function recordFilesRoutes(app: FastifyInstance, deps: RecordFilesRouteDeps): Promise<void> {
  for (const prefix of ['/tapi', '/api'])
    app.post<{ Params: { type: string } }>(`${prefix}/:type/files`, async (request, reply) => {
      const { session } = request;
      const screen = deps.screens(session).get(request.params.type);
      const action = screen?.actions.find(({ browser }) => browser === 'files');
      if (!screen || !action) throw notFound();
      authorize(session, screen, action.page ?? 'view_screen', 'EXPORT_DATA');
      await deps.ensure(session, screen);
      const ids = idsIn(request.body);
      const found = await filesOfRecords(deps, session, screen, ids);
      const zip = new ZipFile();
      const index: (string | number)[][] = [['File', 'Of', 'What', 'Details', 'Size in bytes', 'SHA-256']];
      const taken = new Set<string>();
      let bytes = 0;
      for (const { folders, what, details, file } of found) {
        const of = folders.join(' / ');
        if (file === null) {
          index.push(['', of, what, details]);
          continue;
        }
        const { file: stored, path } = await deps.files.open(session.tenant, file);
        bytes += stored.size;
        if (bytes > MAX_BYTES)
          throw new AppError(422, 'invalid', 'These files have more than 1 GB. Choose fewer records.');
        const isThere = await access(path).then(
          () => true,
          () => false,
        );
        const name = isThere ? unused([...folders, `${what} - ${stored.name}`].map(safeName).join('/'), taken) : '';
        // What is packed already, such as a picture, is only stored.
        if (isThere) zip.addFile(path, name, { compress: stored.type.startsWith('text/') });
        index.push([isThere ? name : 'The file is missing', of, what, details, stored.size, stored.sha256]);
      }
      const book = XLSX.utils.book_new();
      XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(index), 'Files');
      zip.addBuffer(XLSX.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer, unused('Index.xlsx', taken));
      zip.end();
      const count = index.filter(([name], at) => at > 0 && name !== '').length;
      await deps.audit(session, {
        action: 'export',
        target: screen.name,
        summary: `${count} files of ${ids.length} ${inSentence(ids.length === 1 ? screen.title : screen.plural)}`,
      });
      const title = `${screen.plural} ${dayIn(placeOf(session).timezone)} files.zip`;
      return reply
        .type('application/zip')
        .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(title)}`)
        .header('cache-control', 'private, no-store')
        .send(zip.outputStream);
    });
}

function idsIn(body: unknown): number[] {
  const ids = (body as { ids?: unknown } | null)?.ids;
  if (
    !Array.isArray(ids) ||
    ids.length === 0 ||
    ids.length > MAX_CHOSEN ||
    !ids.every((id) => Number.isSafeInteger(id) && (id as number) > 0)
  )
    throw new AppError(400, 'bad_request', `ids are the numbers of 1 to ${MAX_CHOSEN} records.`, { field: 'ids' });
  return [...new Set(ids as number[])];
}

/** A name that every system can store. */
function safeName(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are just what is replaced
  const name = text.replaceAll(/[\u0000-\u001f<>:"/\\|?*]+/g, '-').trim();
  const dot = name.lastIndexOf('.');
  const end = dot > 0 && name.length - dot <= 6 ? name.slice(dot) : '';
  return `${name.slice(0, name.length - end.length).slice(0, 100)}${end}`.replace(/^\.+|\.+$/g, '') || '-';
}

function unused(name: string, taken: Set<string>): string {
  const dot = name.lastIndexOf('.');
  const at = dot > name.lastIndexOf('/') ? dot : name.length;
  let free = name;
  for (let count = 2; taken.has(free.toLowerCase()); count++) free = `${name.slice(0, at)} (${count})${name.slice(at)}`;
  taken.add(free.toLowerCase());
  return free;
}
