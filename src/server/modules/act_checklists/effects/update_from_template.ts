import type { Effect } from '../../../engine/modules.ts';
import { asChecklistTask, baseOf, comparison, waitsWithin } from '../template_tasks.ts';

type Row = Record<string, unknown>;

/**
 * Brings what the template changed into the adopted checklist: what only the template changed, and where the company changed
 * the same field, by the person's choice. New tasks are added; tasks that the template dropped stay, marked as the company's own.
 */
export const updateFromTemplate: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const compared = typeof record.mstr_chk_id === 'number' ? await comparison(unit, record.mstr_chk_id) : null;
    if (!compared)
      return unit.refuse([{ field: '', message: 'This checklist has the newest version of its template.' }]);
    const { checklist, template, tasks, difference } = compared;
    const codes = new Set(
      [...checklist.tasks.map((task) => String(task.code ?? '')), ...difference.added].map((code) =>
        code.toLowerCase(),
      ),
    );
    const changes = new Map<number, Row>();
    const idOf = (code: string) => checklist.tasks.find((task) => task.template_task_code === code)!.id;
    for (const { task, field, theirs, changed } of difference.fields) {
      const id = idOf(task);
      const at = changes.get(id) ?? {};
      if (changed === 'theirs' || record.on_conflict === 'theirs')
        at[field] = field === 'after' ? waitsWithin(theirs, codes) : theirs;
      else at.locally_changed = true;
      changes.set(id, at);
    }
    for (const task of difference.removed)
      changes.set(idOf(task), { ...changes.get(idOf(task)), locally_changed: true });
    const added: Row[] = [];
    for (const code of difference.added)
      added.push({
        ...(await asChecklistTask(unit, tasks[code]!, null)),
        after: waitsWithin(tasks[code]!.after, codes),
      });
    await unit.update('master_checklist', checklist.id, {
      template_version: template.version_no,
      tasks: { set: Object.fromEntries(changes), add: added },
    });
    await unit.query('update {master_checklist} set template_base = $2::jsonb where id = $1', [
      checklist.id,
      JSON.stringify(baseOf(tasks)),
    ]);
  },
};
