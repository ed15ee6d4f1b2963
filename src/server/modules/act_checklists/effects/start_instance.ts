import type { Effect } from '../../../engine/modules.ts';
import type { Place } from '../checklist_directory.ts';
import { planChecklist, planningOf, readChecklists } from '../generate.ts';
import { storeInstances } from '../store_instances.ts';

type Row = Readonly<Record<string, unknown>>;

/** The chosen place of an instance, by the level at which the checklist runs. */
function placeOfInstance(record: Row, expandBy: Place['scope_type'], company: number): Place | null {
  const id = (name: string) => (typeof record[name] === 'number' ? record[name] : null);
  const chosen = expandBy === 'entity' ? company : id(`${expandBy}_id`);
  if (chosen === null) return null;
  return {
    scope_type: expandBy,
    scope_id: chosen,
    branch_id: id('branch_id'),
    department_id: id('department_id'),
    unit_id: id('unit_id'),
    employee_id: id('employee_id'),
    name: 'the place',
  };
}

/** An instance started by hand gets the tasks of its checklist, due relative to its own day. */
export const startInstance: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const [checklist] = await readChecklists(unit, [Number(record.mstr_chk_id)]);
    if (!checklist) return;
    const place = placeOfInstance(record, checklist.expand_by, unit.session.entityId!);
    if (place === null) {
      const field = `${checklist.expand_by}_id`;
      const what = {
        branch: 'branch',
        department: 'department',
        unit: 'registration',
        employee: 'person',
        entity: 'company',
      }[checklist.expand_by];
      return unit.refuse([{ field, message: `This checklist runs for each ${what}: choose one.` }]);
    }
    const day = String(record.due_on);
    const [taken] = await unit.query(
      'select id from {chk_instance} where mstr_chk_id = $1 and occurrence_key = $2 and scope_type = $3 and scope_id = $4 and id <> $5',
      [checklist.id, day, place.scope_type, place.scope_id, record.id],
    );
    if (taken) unit.refuse([{ field: 'due_on', message: 'This checklist runs for that day and place already.' }]);
    await unit.query(
      'update {chk_instance} set occurrence_key = $2, scope_type = $3, scope_id = $4, colour = $5 where id = $1',
      [record.id, day, place.scope_type, place.scope_id, 'green'],
    );
    const [planned] = planChecklist(
      checklist,
      { once: { key: day, nominal: day }, place },
      await planningOf(unit, [checklist]),
    );
    if (!planned) return unit.refuse([{ field: 'due_on', message: 'No task is due on this day. Choose another one.' }]);
    const period =
      record.period_from && record.period_to
        ? { period_from: String(record.period_from), period_to: String(record.period_to) }
        : {};
    // A manually started instance opens at once, except for tasks with predecessors.
    const opensAt = unit.now.toISOString();
    await storeInstances(unit, [
      {
        ...planned,
        tasks: planned.tasks.map((task) => ({
          ...task,
          ...period,
          ...(task.waits_for === null && { opens_at: opensAt, state: 'open' as const }),
        })),
      },
    ]);
    await unit.query(
      `update {chk_instance} i set opens_on = $2, next_due_on = $3, period_from = coalesce(period_from, $4), period_to = coalesce(period_to, $5), people_ids = $6,
         tasks_total = $7, tasks_open = $7 where id = $1`,
      [
        record.id,
        planned.opens_on,
        planned.next_due_on,
        planned.period_from,
        planned.period_to,
        planned.people_ids,
        planned.tasks.length,
      ],
    );
  },
};
