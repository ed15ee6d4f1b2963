import type { Effect } from '../../../engine/modules.ts';
import { asChecklistTask, baseOf, scheduleFields, templateTasks } from '../template_tasks.ts';

type Row = Record<string, unknown>;

/** Makes the checklist of an adoption: the chosen tasks with their points and evidence, for the places and people that were named. */
export const adopt: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const template = await unit.read('chk_template', Number(record.template_id));
    if (template.state !== 'published')
      unit.refuse([{ field: 'template_id', message: 'Only a published template can be adopted.' }]);
    const tasks = await templateTasks(unit, template.id);
    const taken: Row[] = [];
    for (const row of record.tasks as Row[]) {
      const task = tasks[String(row.task_code)];
      if (row.take !== true || !task) continue;
      taken.push({ ...(await asChecklistTask(unit, task, row.employee_id)), title: row.title });
    }
    const base = baseOf(tasks);
    const made = await unit.create('master_checklist', {
      title: record.title ?? template.title,
      category: template.category,
      statutory: template.statutory ?? false,
      kind: template.repeat === 'once' ? 'one_time' : 'recurring',
      owner_id: record.owner_id,
      board_designation_id: record.board_designation_id ?? null,
      expand_by: record.expand_by,
      branch_ids: record.branch_ids ?? null,
      department_ids: record.department_ids ?? null,
      unit_ids: record.unit_ids ?? null,
      repeat: 'monthly',
      ...scheduleFields(template),
      start_on: record.start_on,
      end_on: record.end_on ?? null,
      template_code: template.code,
      template_version: template.version_no,
      tasks: taken,
    });
    await unit.query('update {master_checklist} set template_base = $2::jsonb where id = $1', [
      made.id,
      JSON.stringify(base),
    ]);
    await unit.update('chk_adoption', record.id, { mstr_chk_id: made.id });
    if (record.activate === true)
      await unit.transition('master_checklist', made.id, 'start', { version: made.version });
  },
};
