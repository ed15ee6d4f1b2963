import { Readable } from 'node:stream';
import { AppError } from '../../db/errors.ts';
import { attachFile } from '../../engine/records/comments.ts';
import type { Unit } from '../../engine/records/unit.ts';
import type { MailAttachment } from '../../services/mail/mailbox.ts';
import type { FileStore } from '../../services/files/store.ts';

/** Attachments of one mail that are stored. */
const MAX_FILES = 20;
const MAX_NOTE = 1_000;

/** The stored attachments of a mail. */
export interface StoredAttachments {
  files: number[];
  /** Which they are, and why others were not stored. */
  note: string;
}

/** Stores the attachments of a mail that the product accepts, by the size and kind of file that it takes everywhere. */
export async function storeAttachments(
  unit: Unit,
  store: FileStore | undefined,
  { attachments = [], isCut = false }: { attachments?: readonly MailAttachment[]; isCut?: boolean },
): Promise<StoredAttachments> {
  const files: number[] = [];
  const names: string[] = [];
  const refused: string[] = [];
  for (const { name, content } of store ? attachments : []) {
    if (files.length === MAX_FILES) {
      refused.push(`${name} (at most ${MAX_FILES} files of a mail are stored)`);
      continue;
    }
    try {
      const file = await store!.save(byProduct(unit), name, Readable.from([Buffer.from(content)]), null);
      files.push(file.id);
      names.push(file.name);
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      const [reason] = error.message.split(/\.(?: |$)/);
      refused.push(`${name} (${reason})`);
    }
  }
  const note = [
    ...(names.length > 0 ? [`Attached: ${names.join(', ')}`] : []),
    ...(refused.length > 0 ? [`Not stored: ${refused.join(', ')}`] : []),
    ...(isCut ? ['The mail is very large: its attachments are only in the mailbox.'] : []),
  ].join('\n');
  return { files, note: note.slice(0, MAX_NOTE) };
}

/** Attaches stored files to a ticket. */
export async function attachToTicket(unit: Unit, id: number, files: readonly number[]): Promise<void> {
  for (const file of files) await attachFile(byProduct(unit), { type: 'ticket', id }, file);
}

/** The product received the files, whoever started the reading. */
const byProduct = (unit: Unit) => ({ ...unit.session, userId: 0 });
