import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Print } from '../../../descriptor/prints.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { notFound } from '../../db/errors.ts';
import { peopleTable, quoted } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { FileStore } from '../../services/files/store.ts';
import type { MailAttachment } from '../../services/mail/mail_accounts.ts';
import type { PrintContent } from '../../services/print/print_content.ts';
import type { Printing } from '../../services/print/printing.ts';
import { holds } from '../workflow/values.ts';
import { fillEnclosing } from './enclosures.ts';
import type { KeptPrint } from './kept_prints.ts';

/** A file to send to a browser. */
export interface PrintedFile {
  name: string;
  bytes: Buffer;
}

/** The prints offered for a record. */
export interface OfferedPrint {
  name: string;
  title: string;
}

export interface Prints {
  /** The prints available for a record now, and the documents issued from it, the latest first. */
  of(session: Session, screen: Screen, record: WireRecord): Promise<{ offered: OfferedPrint[]; issued: KeptPrint[] }>;
  /**
   * A print of a record as PDF: the last one issued under the name, otherwise the current record.
   * @throws AppError 404 for an unknown name or if its condition is false
   */
  pdf(session: Session, screen: Screen, record: WireRecord, name: string): Promise<PrintedFile>;
  /** A record as PDF with a print that is not in use. */
  tried(session: Session, screen: Screen, record: WireRecord, print: Print): Promise<PrintedFile>;
  /** A document issued from a record, by id. @throws AppError 404 */
  issued(session: Session, screen: Screen, record: WireRecord, kept: number): Promise<PrintedFile>;
  /** Issued documents as files, for a mail. */
  attachments(tenant: Tenant, kept: readonly number[]): Promise<MailAttachment[]>;
  /** Creates the files of all issued documents. @returns the number of files */
  layOutAll(tenant: Tenant): Promise<number>;
}

interface Stored {
  id: number;
  name: string;
  title: string;
  content: PrintContent;
  file_id: number | null;
}

/** "Quotation QTN-26-27-0001.pdf" */
const fileName = (title: string): string => `${title.replaceAll(/[\\/:*?"<>|]+/g, '-').slice(0, 120)}.pdf`;

export function createPrints({
  screens,
  printing,
  files,
  dataDir,
}: {
  screens(session: Session): ReadonlyMap<string, Screen>;
  printing: Printing;
  files: FileStore;
  dataDir: string;
}): Prints {
  const printOf = async (session: Session, screen: Screen, record: WireRecord, name: string): Promise<Print> => {
    const print = screen.prints?.find((one) => one.name === name);
    if (!print || !(await holds({ session, screen, screens: screens(session), record }, print.when))) throw notFound();
    return print;
  };

  async function stored(tenant: Tenant, kept: number): Promise<Stored> {
    const [row] = await tenant.db.query<Stored>(
      `select id, name, title, content, file_id from ${quoted(tenant.schema)}.kept_print where id = $1`,
      [kept],
    );
    if (!row) throw notFound();
    return row;
  }

  /** The file of an issued document, created on first use; two concurrent calls keep one file. */
  async function fileOf(tenant: Tenant, row: Stored): Promise<PrintedFile> {
    const name = fileName(row.content.title);
    if (row.file_id !== null) return { name, bytes: await bytesOf(tenant, row.file_id) };
    const bytes = await printing.pdf(tenant, row.content);
    const folder = join(dataDir, 'files', tenant.schema);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const draft = join(folder, `.${randomUUID()}`);
    try {
      await writeFile(draft, bytes, { mode: 0o600 });
      await files.take(
        tenant,
        draft,
        { name, type: 'application/pdf', by: null, fileFirst: true },
        async (tx, file) => {
          const kept = await tx.query(
            `update ${quoted(tenant.schema)}.kept_print set file_id = $2 where id = $1 and file_id is null returning id`,
            [row.id, file],
          );
          if (kept.length === 0) throw new MadeByAnother();
        },
      );
    } catch (error) {
      if (!(error instanceof MadeByAnother)) throw error;
    } finally {
      await rm(draft, { force: true });
    }
    return { name, bytes };
  }

  async function bytesOf(tenant: Tenant, file: number): Promise<Buffer> {
    const { path } = await files.open(tenant, file);
    return readFile(path);
  }

  async function printed(session: Session, screen: Screen, record: WireRecord, print: Print): Promise<PrintedFile> {
    const at = String(record.updated_at ?? record.created_at);
    const content = await fillEnclosing({ session, screen, screens: screens(session), record }, print, at);
    return { name: fileName(content.title), bytes: await printing.pdf(session.tenant, content) };
  }

  return {
    async of(session, screen, record) {
      const around = { session, screen, screens: screens(session), record };
      const offered: OfferedPrint[] = [];
      for (const { name, title, when } of screen.prints ?? [])
        if (await holds(around, when)) offered.push({ name, title });
      const { db, schema } = session.tenant;
      const issued = await db.query<KeptPrint>(
        `select k.id, k.name, k.title, k.file_id, k.at, u.name as by__label from ${quoted(schema)}.kept_print k
         left join ${peopleTable(schema)} u on u.id = k.by where k.record_type = $1 and k.record_id = $2 order by k.id desc`,
        [screen.name, record.id],
      );
      return { offered, issued };
    },
    async pdf(session, screen, record, name) {
      const [kept] = await session.tenant.db.query<Stored>(
        `select id, name, title, content, file_id from ${quoted(session.tenant.schema)}.kept_print
         where record_type = $1 and record_id = $2 and name = $3 order by id desc limit 1`,
        [screen.name, record.id, name],
      );
      if (kept) return fileOf(session.tenant, kept);
      return printed(session, screen, record, await printOf(session, screen, record, name));
    },
    tried: printed,
    async issued(session, screen, record, kept) {
      const [row] = await session.tenant.db.query<Stored>(
        `select id, name, title, content, file_id from ${quoted(session.tenant.schema)}.kept_print
         where id = $1 and record_type = $2 and record_id = $3`,
        [kept, screen.name, record.id],
      );
      if (!row) throw notFound();
      return fileOf(session.tenant, row);
    },
    async attachments(tenant, kept) {
      const made: MailAttachment[] = [];
      for (const id of kept) {
        const { name, bytes } = await fileOf(tenant, await stored(tenant, id));
        made.push({ filename: name, content: bytes, contentType: 'application/pdf' });
      }
      return made;
    },
    async layOutAll(tenant) {
      const rows = await tenant.db.query<Stored>(
        `select id, name, title, content, file_id from ${quoted(tenant.schema)}.kept_print where file_id is null order by id limit 500`,
      );
      for (const row of rows) await fileOf(tenant, row);
      return rows.length;
    },
  };
}

/** Somebody else has created the file in the meantime. */
class MadeByAnother extends Error {}
