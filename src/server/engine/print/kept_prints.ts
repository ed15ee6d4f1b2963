import type { PrintContent } from '../../services/print/print_content.ts';
import type { Session } from '../../access/context.ts';
import { quoted } from '../../db/names.ts';
import type { Ref } from '../events/ref.ts';

/** An issued document. */
export interface KeptPrint {
  id: number;
  name: string;
  title: string;
  /** Null: its file is still being created. */
  file_id: number | null;
  at: string;
  by__label: string | null;
}

/** The job that creates the files of issued documents. */
export const LAY_OUT = 'issued_documents';

/** Stores the content of a document, in the transaction that issues it. @returns its id */
export async function keepPrint(
  { tenant, userId }: Session,
  { type, id }: Ref,
  { name, title }: { name: string; title: string },
  content: PrintContent,
): Promise<number> {
  const [row] = await tenant.db.query<{ id: number }>(
    `insert into ${quoted(tenant.schema)}.kept_print (record_type, record_id, name, title, content, by)
     values ($1, $2, $3, $4, $5, $6) returning id`,
    [type, id, name, title, JSON.stringify(content), userId === 0 ? null : userId],
  );
  return row!.id;
}

/** The id of the last document issued under a name; null if none was. */
export async function lastKept({ tenant }: Session, { type, id }: Ref, name: string): Promise<number | null> {
  const [row] = await tenant.db.query<{ id: number }>(
    `select id from ${quoted(tenant.schema)}.kept_print where record_type = $1 and record_id = $2 and name = $3 order by id desc limit 1`,
    [type, id, name],
  );
  return row?.id ?? null;
}
