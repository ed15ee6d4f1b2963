import type { Effect } from '../../../engine/modules.ts';
import { asChecklistTask, baseOf, comparison, waitsWithin } from '../template_tasks.ts';
import { lineOf } from '../update_lines.ts';

type Row = Record<string, unknown>;

/**
 * Changes the adopted checklist as chosen, difference by difference, and makes the new version the one with which later
 * versions are compared.
 */
export const applyUpdate: Effect = {
  elevated: true,
  locks: ({ record }) => Promise.resolve([{ type: 'master_checklist', id: Number(record.mstr_chk_id) }]),
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const compared = await comparison(unit, Number(record.mstr_chk_id));
    if (compared?.template.version_no !== record.template_version)
      return unit.refuse([
        { field: 'template_version', message: 'The template has changed in the meantime. Compare with it again.' },
      ]);
    const { checklist, template, tasks, difference } = compared!;
    const chosen = new Map((record.changes as Row[]).map(({ line, take }) => [String(line), take]));
    const takes = (task: string, what: string): boolean => {
      const take = chosen.get(lineOf(task, what));
      if (take === undefined)
        unit.refuse([{ field: 'changes', message: `A difference of task ${task} is missing. Compare again.` }]);
      return take === 'template';
    };
    const taskOf = (code: string) => checklist.tasks.find((task) => task.template_task_code === code)!;
    const added = difference.added.filter((code) => takes(code, 'task'));
    const removed = difference.removed.filter((code) => takes(code, 'task'));
    const codes = new Set(
      [...checklist.tasks.filter((task) => !removed.includes(String(task.template_task_code))), ...added].map((one) =>
        (typeof one === 'string' ? one : String(one.code ?? '')).toLowerCase(),
      ),
    );
    const set: Record<string, Row> = {};
    const change = (code: string, values: Row) => {
      const { id } = taskOf(code);
      set[id] = { ...set[id], ...values };
    };
    for (const { task, field, theirs } of difference.fields)
      change(
        task,
        takes(task, field) ? { [field]: LISTS.includes(field) ? (theirs ?? []) : theirs } : { locally_changed: true },
      );
    // Either may have been taken without the other.
    for (const ours of checklist.tasks) {
      const values = set[ours.id];
      if (values && ('after' in values || 'after_when' in values)) {
        const { after, after_when: conditions } = waitsWithin({ ...ours, ...values }, codes);
        const waited = new Set((after as string[]).map((code) => code.toLowerCase()));
        Object.assign(values, { after, after_when: waitsWithin({ after_when: conditions }, waited).after_when });
      }
    }
    for (const task of difference.removed) if (!removed.includes(task)) change(task, { locally_changed: true });
    const add: Row[] = [];
    for (const code of added)
      add.push({
        ...(await asChecklistTask(unit, tasks[code]!, null)),
        ...waitsWithin(tasks[code]!, codes),
      });
    await unit.update('master_checklist', checklist.id, {
      template_version: template.version_no,
      tasks: { set, add, remove: removed.map((code) => taskOf(code).id) },
    });
    await unit.query('update {master_checklist} set template_base = $2::jsonb where id = $1', [
      checklist.id,
      JSON.stringify(baseOf(tasks)),
    ]);
    // The adoption is of this version now, and no longer offers it.
    await unit.query('update {chk_adoption} set notified_version = null, template_id = $2 where mstr_chk_id = $1', [
      checklist.id,
      template.id,
    ]);
  },
};

/** Parts of a task that are taken as a whole. */
const LISTS: readonly string[] = ['after', 'after_when', 'subtasks', 'evidence'];
