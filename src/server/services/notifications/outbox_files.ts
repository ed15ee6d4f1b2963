import { quoted } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { MailAttachment } from '../mail/mail_accounts.ts';

/** An attachment in the outbox; its content is base64. */
interface StoredFile {
  name: string;
  type: string;
  content: string;
}

export const storedFile = ({ filename, contentType, content }: MailAttachment): StoredFile => ({
  name: filename,
  type: contentType,
  content: content.toString('base64'),
});

/** The files that wait with a mail. */
export async function filesOf({ db, schema }: Pick<Tenant, 'db' | 'schema'>, id: number): Promise<MailAttachment[]> {
  const [row] = await db.query<{ files: StoredFile[] | null }>(
    `select files from ${quoted(schema)}.outbox where id = $1`,
    [id],
  );
  return (row?.files ?? []).map(({ name, type, content }) => ({
    filename: name,
    contentType: type,
    content: Buffer.from(content, 'base64'),
  }));
}
