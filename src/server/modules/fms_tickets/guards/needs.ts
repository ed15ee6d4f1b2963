import type { FieldError, WireRecord } from '../../../../descriptor/types.ts';
import type { Guard } from '../../../engine/modules.ts';
import { missingAnswers } from '../missing_answers.ts';

type Row = Record<string, unknown>;

/**
 * The requirements of the ticket type before the work counts as done; for trapped people also the cause and the rescue
 * report (section 4). Signature and code are required at the sign-off.
 */
export const needs: Guard = {
  elevated: true,
  async check({ unit, services, record }) {
    const [found] = await unit.query<{ needs: string[] | null; has_history: boolean }>(
      `select d.needs, exists (select 1 from {job_history} h where h.fms_ticket_id = $2 and h.active) as has_history
       from {ticket_definition} d where d.id = $1`,
      [record.ticket_definition_id, record.id],
    );
    const isRescue = record.trapped === true;
    const wanted = new Set(found?.needs);
    const photos = Array.isArray(record.photos) ? (record.photos as Row[]) : [];
    const missing: [string, boolean, FieldError][] = [
      [
        'photo_before',
        photos.some(({ kind }) => kind === 'before'),
        { field: 'photos', message: 'Add a photo from before the work.' },
      ],
      [
        'photo_after',
        photos.some(({ kind }) => kind === 'after'),
        { field: 'photos', message: 'Add a photo from after the work.' },
      ],
      [
        'root_cause',
        Boolean(record.root_cause_id),
        {
          field: 'root_cause_id',
          message: isRescue ? 'Choose why people were trapped: the root cause.' : 'Choose the root cause.',
        },
      ],
      ['action_taken', Boolean(record.action_taken_id), { field: 'action_taken_id', message: 'Choose what was done.' }],
      [
        'job_history',
        found?.has_history === true,
        { field: '', message: 'Enter under "Found and done" what you found on the lift and what you did.' },
      ],
    ];
    const [action] = await unit.query<{ name: string }>(
      `select name from {action_taken_mstr} where id = $1 and needs_material`,
      [record.action_taken_id ?? null],
    );
    const hasParts = Array.isArray(record.parts) && record.parts.length > 0;
    const unanswered = await unit.query<{ name: string; component: string }>(
      `select t.name, g.name as component from {attribute_lookup_type} t
       join {attribute_lookup_group} g on g.id = t.attribute_lookup_group_id and g.active
       join {lift} l on l.id = $2 and (coalesce(cardinality(g.lift_type_ids), 0) = 0 or l.lift_type_id = any(g.lift_type_ids))
       where t.active and $1 = any(t.needed_for) and not exists (
         select 1 from {job_history} h where h.fms_ticket_id = $3 and h.attribute_lookup_type_id = t.id and h.active)
       order by g.seq, g.name, t.name`,
      [record.ticket_definition_id, record.lift_id, record.id],
    );
    if (isRescue) for (const name of ['root_cause', 'checklist']) wanted.add(name);
    return [
      ...missing.flatMap(([name, isThere, finding]) => (wanted.has(name) && !isThere ? [finding] : [])),
      ...(action && !hasParts
        ? [{ field: 'action_taken_id', message: `"${action.name}" uses material. Enter the parts used first.` }]
        : []),
      ...unanswered.map(({ name, component }) => ({
        field: '',
        message: `Enter "${component}: ${name}" under "Found and done".`,
      })),
      ...(wanted.has('checklist')
        ? await missingAnswers(unit, services.screens().get('fms_ticket')!, record as WireRecord)
        : []),
    ];
  },
};
