import type { Effect } from '../../../engine/modules.ts';
import { formOf } from '../filing_form.ts';
import { addFilingTasks } from '../filing_tasks.ts';
import { peopleOf } from '../people_of_filing.ts';

/** Adds the required documents, missing people and tasks to a new filing, unless it was filed before it is imported. */
export const prepare: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    if (person.importedInto !== null) return;
    const unit = person.elevated();
    const form = await formOf(unit, record.form_id);
    if (!form) return;
    const [registered] = await unit.query<{ responsible_id: number | null }>(
      'select responsible_id from {compliance_unit} where id = $1',
      [record.unit_id],
    );
    const people = await peopleOf(unit, form, registered?.responsible_id ?? null);
    const given = Array.isArray(record.documents) ? record.documents.length : 0;
    const preparer = (record.preparer_id as number | null) ?? people.preparer_id;
    const reviewer = (record.reviewer_id as number | null) ?? people.reviewer_id;
    const filing = await unit.update('filing', record.id, {
      preparer_id: preparer,
      reviewer_id: reviewer === preparer ? null : reviewer,
      filer_id: (record.filer_id as number | null) ?? people.filer_id,
      ...(given === 0 && form.documents.length > 0 && { documents: form.documents }),
    });
    const tasks = await addFilingTasks(unit, filing);
    if (Object.keys(tasks).length > 0) await unit.update('filing', record.id, tasks);
  },
};
