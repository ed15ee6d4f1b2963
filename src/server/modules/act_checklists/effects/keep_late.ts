import { addComment, attachFile } from '../../../engine/records/comments.ts';
import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';

type Row = Record<string, unknown>;

const FILES = ['file', 'photo'] as const;
/** Characters that are kept of a value, which nobody has checked. */
const MAX_VALUE = 1_000;
/** An id as it was sent; 0, which nothing has, for what is none. */
const idOf = (sent: unknown): number => (Number.isSafeInteger(sent) ? Number(sent) : 0);

/** The rows of evidence that were sent, by id: whole, or only what changed in them. */
function sentRows(sent: unknown): Map<number, Row> {
  const rows: [unknown, Row][] = Array.isArray(sent)
    ? (sent as Row[]).map((row) => [row.id, row])
    : Object.entries((sent as { set?: Record<string, Row> } | null | undefined)?.set ?? {});
  return new Map(rows.map(([id, row]) => [Number(id), row]));
}

/**
 * The evidence of a person who came second: their text and numbers become a comment, and their own uploads are attached.
 * Without any there is nothing to keep.
 */
export const keepLate: Effect = {
  async apply({ unit, record, input }) {
    const sent = sentRows(input.evidence);
    const lines: string[] = [];
    const files: number[] = [];
    for (const row of record.evidence as (Row & { id: number })[]) {
      const own = sent.get(row.id) ?? {};
      const label = String(row.label);
      const isNew = (name: string) => (own[name] ?? null) !== null && own[name] !== '' && own[name] !== row[name];
      if (isNew('value') && ['string', 'number'].includes(typeof own.value))
        lines.push(`${label}: ${String(own.value as string | number).slice(0, MAX_VALUE)}`);
      if (isNew('document_id')) lines.push(`${label}: ${await documentTitle(unit, own.document_id)}`);
      for (const name of FILES) {
        const uploaded = isNew(name) ? await ownUpload(unit, own[name]) : null;
        if (uploaded === null) continue;
        lines.push(`${label}: ${uploaded}`);
        files.push(Number(own[name]));
      }
    }
    if (lines.length === 0) unit.refuse([{ field: 'evidence', message: 'Nothing was added.' }]);
    const of = { type: 'chk_task_instance', id: record.id };
    await addComment(unit.session, of, `My evidence, given after the task was submitted:\n${lines.join('\n')}`);
    for (const file of files) await attachFile(unit.session, of, file);
  },
};

/** The name of a file that this person has uploaded; null = it is not theirs. */
async function ownUpload(unit: Unit, id: unknown): Promise<string | null> {
  const { tenant, userId } = unit.session;
  const [file] = await tenant.db.query<{ name: string }>(
    `select name from "${tenant.schema}".file where id = $1 and by = $2`,
    [idOf(id), userId],
  );
  return file?.name ?? null;
}

async function documentTitle(unit: Unit, id: unknown): Promise<string> {
  const [found] = await unit.query<{ title: string }>(
    `select title from {media_item} where id = $1 and entity_id = $2 and state = 'published'`,
    [idOf(id), unit.session.entityId],
  );
  return found?.title ?? unit.refuse([{ field: 'evidence', message: 'There is no such document.' }]);
}
