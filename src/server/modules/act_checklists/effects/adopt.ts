import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { asChecklistTask, baseOf, scheduleFields, templateTasks, waitsWithin } from '../template_tasks.ts';

type Row = Record<string, unknown>;

/** A template of a country or of some states is adopted only by a company that has a branch or a registration there. */
async function refuseElsewhere(unit: Unit, template: Row): Promise<void> {
  const states = (template.states_applicable as number[] | null) ?? [];
  const country = states.length > 0 || typeof template.country !== 'number' ? null : template.country;
  if (states.length === 0 && country === null) return;
  const [here] = await unit.query(
    `with s as (select id from {state_mstr} where id = any($2::bigint[]) or country_id = $3::bigint)
     select 1 from {branch} where entity_id = $1 and active and state_id in (select id from s)
     union all select 1 from {compliance_unit} where entity_id = $1 and active and state_id in (select id from s) limit 1`,
    [unit.session.entityId, states, country],
  );
  if (!here)
    unit.refuse([
      {
        field: 'template_id',
        message: `This template is for ${country === null ? 'other states' : 'another country'}: the company has no branch or registration there.`,
      },
    ]);
}

/** Makes the checklist of an adoption: the chosen tasks with their points and evidence, for the places and people that were named. */
export const adopt: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const template = await unit.read('chk_template', Number(record.template_id));
    if (template.state !== 'published')
      unit.refuse([{ field: 'template_id', message: 'Only a published template can be adopted.' }]);
    await refuseElsewhere(unit, template);
    const tasks = await templateTasks(unit, template.id);
    const chosen = (record.tasks as Row[]).filter((row) => row.take === true && tasks[String(row.task_code)]);
    const codes = new Set(chosen.map((row) => String(row.task_code).toLowerCase()));
    const taken: Row[] = [];
    for (const row of chosen) {
      const task = tasks[String(row.task_code)]!;
      taken.push({
        ...(await asChecklistTask(unit, task, row.employee_id)),
        title: row.title,
        ...waitsWithin(task, codes),
      });
    }
    const base = baseOf(tasks);
    const made = await unit.create('master_checklist', {
      title: record.title ?? template.title,
      category: template.category,
      statutory: template.statutory ?? false,
      kind: template.repeat === 'once' ? 'one_time' : 'recurring',
      owner_id: record.owner_id,
      board_designation_id: record.board_designation_id ?? null,
      approval_process_id: record.approval_process_id ?? null,
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
