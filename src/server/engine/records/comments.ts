import type { Session } from '../../access/context.ts';
import { notFound } from '../../db/errors.ts';
import { peopleTable, quoted } from '../../db/names.ts';
import type { Ref } from '../events/ref.ts';

/** The comments of a record, the newest first. */
export function commentsOf({ tenant, userId }: Session, { type, id }: Ref): Promise<object[]> {
  return tenant.db.query<object>(
    `select c.id, c.text, c.at, c.by, u.name as by__label, c.by = $3 as mine
     from ${quoted(tenant.schema)}.comment c left join ${peopleTable(tenant.schema)} u on u.id = c.by
     where c.record_type = $1 and c.record_id = $2 and c.deleted_at is null order by c.at desc, c.id desc limit 500`,
    [type, id, userId],
  );
}

/** Adds a person's comment to a record. */
export async function addComment(
  { tenant, userId }: Session,
  { type, id }: Ref,
  text: string,
): Promise<{ id: number; at: string }> {
  const [row] = await tenant.db.query<{ id: number; at: string }>(
    `insert into ${quoted(tenant.schema)}.comment (record_type, record_id, text, by) values ($1, $2, $3, $4) returning id, at`,
    [type, id, text, userId],
  );
  return row!;
}

/** Deletes one's own comment. @throws AppError 404 */
export async function removeComment({ tenant, userId }: Session, { type, id }: Ref, comment: number): Promise<void> {
  const rows = await tenant.db.query(
    `update ${quoted(tenant.schema)}.comment set deleted_at = now()
     where id = $1 and record_type = $2 and record_id = $3 and by = $4 and deleted_at is null returning id`,
    [comment, type, id, userId],
  );
  if (rows.length === 0) throw notFound();
}

/** The files that people attached to a record, the newest first. */
export function attachmentsOf({ tenant, userId }: Session, { type, id }: Ref): Promise<object[]> {
  const s = quoted(tenant.schema);
  return tenant.db.query<object>(
    `select a.id, a.file_id, f.name, f.size, f.type, a.at, a.by, u.name as by__label, a.by = $3 as mine
     from ${s}.attachment a join ${s}.file f on f.id = a.file_id left join ${peopleTable(tenant.schema)} u on u.id = a.by
     where a.record_type = $1 and a.record_id = $2 order by a.at desc, a.id desc limit 500`,
    [type, id, userId],
  );
}

/** Attaches a stored file to a record. */
export async function attachFile(
  { tenant, userId }: Session,
  { type, id }: Ref,
  file: number,
): Promise<{ id: number; at: string }> {
  const [row] = await tenant.db.query<{ id: number; at: string }>(
    `insert into ${quoted(tenant.schema)}.attachment (record_type, record_id, file_id, by) values ($1, $2, $3, $4) returning id, at`,
    [type, id, file, userId],
  );
  return row!;
}

/** Removes an attachment: one's own or, with `any`, anybody's. @throws AppError 404 */
export async function removeAttachment(
  { tenant, userId }: Session,
  { type, id }: Ref,
  attachment: number,
  any: boolean,
): Promise<void> {
  const rows = await tenant.db.query(
    `delete from ${quoted(tenant.schema)}.attachment where id = $1 and record_type = $2 and record_id = $3 and (by = $4 or $5) returning id`,
    [attachment, type, id, userId, any],
  );
  if (rows.length === 0) throw notFound();
}
