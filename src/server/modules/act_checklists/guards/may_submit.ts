import { formatDate } from '../../../../descriptor/format.ts';
import type { FieldError } from '../../../../descriptor/types.ts';
import { dayIn, placeOf } from '../../../services/clock/client_day.ts';
import type { Guard } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { closedMonth } from '../closed_month.ts';
import { photoFacts } from '../photo_facts.ts';

/** The day on which a task was done lies between its opening and today, in a month that is open; evidence differs from last time's where it must. */
export const maySubmit: Guard = {
  async check({ unit, record }) {
    const errors: FieldError[] = [];
    const { timezone } = placeOf(unit.session);
    const done = String(record.done_on);
    const opened = record.opens_at ? dayIn(timezone, Date.parse(String(record.opens_at))) : done;
    const today = dayIn(timezone);
    if (done < opened || done > today)
      errors.push({ field: 'done_on', message: `The done date must be between ${formatDate(opened)} and today.` });
    const closed = await closedMonth(unit, String(record.due_on));
    if (closed !== null) errors.push({ field: 'done_on', message: `The month ${closed} is closed.` });
    const evidence = record.evidence as Record<string, unknown>[];
    errors.push(...(await withdrawnDocuments(unit, evidence, done)), ...(await notFromCamera(unit, evidence)));
    const mustDiffer = evidence.filter(
      (one) => one.must_differ === true && typeof (one.file ?? one.photo ?? one.document_id) === 'number',
    );
    if (mustDiffer.length > 0 && typeof record.task_id === 'number') {
      const rows = await unit.query<{ label: string; due_on: string; evidence_kind: string }>(
        `select e.label, e.evidence_kind, t.due_on::text from {chk_task_instance.evidence} e join {chk_task_instance} t on t.id = e.parent_id
         left join {file} f on f.id = coalesce(e.file, e.photo)
         where t.task_id = $1 and t.origin = 'checklist' and t.id <> $2 and t.scope_type is not distinct from $3 and t.scope_id is not distinct from $4
           and t.due_on < $5 and (f.sha256 in (select sha256 from {file} where id = any($6::bigint[])) or e.document_id = any($7::bigint[])) order by t.due_on desc limit 1`,
        [
          record.task_id,
          record.id,
          record.scope_type,
          record.scope_id,
          record.due_on,
          mustDiffer.flatMap((one) => one.file ?? one.photo ?? []),
          mustDiffer.flatMap((one) => one.document_id ?? []),
        ],
      );
      if (rows[0])
        errors.push({
          field: 'evidence',
          message: `This ${rows[0].evidence_kind === 'document' ? 'document' : 'file'} was already submitted for the task of ${formatDate(rows[0].due_on)}. Add the one for this period.`,
        });
    }
    return errors;
  },
};

/**
 * Photos that must be taken with the camera were uploaded as such. The browser says so: who forges its request is not
 * found out.
 */
async function notFromCamera(unit: Unit, evidence: readonly Record<string, unknown>[]): Promise<FieldError[]> {
  const asked = evidence.filter(({ camera_only: only, photo }) => only === true && typeof photo === 'number');
  const facts = asked.length === 0 ? new Map() : await photoFacts(unit, asked, null);
  return asked.flatMap(({ label, photo }) =>
    facts.get(Number(photo))?.from_camera === true
      ? []
      : [{ field: 'evidence', message: `Take the photo "${String(label)}" here with the camera of your device.` }],
  );
}

/** Evidence names documents that are in force on the day on which the task was done. */
async function withdrawnDocuments(
  unit: Unit,
  evidence: readonly Record<string, unknown>[],
  done: string,
): Promise<FieldError[]> {
  const ids = evidence.flatMap((one) => (one.evidence_kind === 'document' ? (one.document_id ?? []) : []));
  if (ids.length === 0) return [];
  const rows = await unit.query<{ title: string }>(
    `select title from {media_item} where id = any($1::bigint[]) and (state <> 'published' or not active or publish_to < $2::date) order by title`,
    [ids, done],
  );
  return rows.map(({ title }) => ({
    field: 'evidence',
    message: `The document "${title}" is not published on the day on which the task was done. Choose another one.`,
  }));
}
