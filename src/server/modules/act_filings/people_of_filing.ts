import type { Unit } from '../../engine/records/unit.ts';
import type { FilingForm } from './filing_form.ts';

export interface FilingPeople {
  preparer_id: number | null;
  reviewer_id: number | null;
  filer_id: number | null;
}

/**
 * The people who prepare, review and file: the person responsible for the registration if they hold the form's role (or
 * it has none), otherwise the first holder of it in the company. Nobody reviews their own work.
 */
export async function peopleOf(unit: Unit, form: FilingForm, responsibleId: number | null): Promise<FilingPeople> {
  const holders = await unit.query<{ role_id: number; employee_id: number }>(
    `select r.id as role_id, u.employee_id from {role} r
     join {users.companies} c on r.id = any(c.role_ids) and c.entity_id = $2
     join {users} u on u.id = c.parent_id and u.active and u.status <> 'disabled'
     join {employee} e on e.id = u.employee_id and e.active and e.status <> 'left'
     where r.id = any($1::bigint[]) order by u.employee_id`,
    [
      [form.preparer_role_id, form.reviewer_role_id, form.filer_role_id].filter((id) => id !== null),
      unit.session.entityId,
    ],
  );
  const pick = (role: number | null, not: number | null): number | null => {
    const of = holders
      .filter(({ role_id: id, employee_id: one }) => id === role && one !== not)
      .map((one) => one.employee_id);
    if (responsibleId !== null && responsibleId !== not && (role === null || of.includes(responsibleId)))
      return responsibleId;
    return of[0] ?? null;
  };
  const preparer = pick(form.preparer_role_id, null) ?? responsibleId;
  return {
    preparer_id: preparer,
    reviewer_id: form.reviewer_role_id === null ? null : pick(form.reviewer_role_id, preparer),
    filer_id: pick(form.filer_role_id, null) ?? preparer,
  };
}
