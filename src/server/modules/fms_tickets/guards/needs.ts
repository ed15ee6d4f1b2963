import type { WireRecord } from '../../../../descriptor/types.ts';
import { missingForCompletion, neededFor } from '../../../../domain/fms/ticket_needs.ts';
import type { Guard } from '../../../engine/modules.ts';
import { openQuestions } from '../open_questions.ts';

type Row = Record<string, unknown>;

/** The requirements of the ticket type before the work counts as done. */
export const needs: Guard = {
  elevated: true,
  async check({ unit, services, record }) {
    const [found] = await unit.query<{ needs: string[] | null; has_history: boolean; material_for: string | null }>(
      `select d.needs, exists (select 1 from {job_history} h where h.fms_ticket_id = $2 and h.active) as has_history,
         (select a.name from {action_taken_mstr} a where a.id = $3 and a.needs_material) as material_for
       from {ticket_definition} d where d.id = $1`,
      [record.ticket_definition_id, record.id, record.action_taken_id ?? null],
    );
    const unrecorded = await unit.query<{ name: string; component: string }>(
      `select t.name, g.name as component from {attribute_lookup_type} t
       join {attribute_lookup_group} g on g.id = t.attribute_lookup_group_id and g.active
       join {lift} l on l.id = $2 and (coalesce(cardinality(g.lift_type_ids), 0) = 0 or l.lift_type_id = any(g.lift_type_ids))
       where t.active and $1 = any(t.needed_for) and not exists (
         select 1 from {job_history} h where h.fms_ticket_id = $3 and h.attribute_lookup_type_id = t.id and h.active)
       order by g.seq, g.name, t.name`,
      [record.ticket_definition_id, record.lift_id, record.id],
    );
    const trapped = record.trapped === true;
    const wanted = neededFor(found?.needs ?? [], trapped);
    return missingForCompletion({
      needs: found?.needs ?? [],
      trapped,
      photos: Array.isArray(record.photos) ? (record.photos as Row[]) : [],
      hasCause: Boolean(record.root_cause_id),
      hasAction: Boolean(record.action_taken_id),
      materialFor: found?.material_for ?? null,
      hasParts: Array.isArray(record.parts) && record.parts.length > 0,
      hasHistory: found?.has_history === true,
      unrecorded,
      openQuestions: wanted.has('checklist')
        ? await openQuestions(unit, services.screens().get('fms_ticket')!, record as WireRecord)
        : 0,
    });
  },
};
