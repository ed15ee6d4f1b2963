import { circle } from '../../../../domain/act_cases/case_plan.ts';
import type { Guard } from '../../../engine/modules.ts';
import { doerOf, stepsOfType } from '../case_people.ts';
import { subjectOf } from '../case_rows.ts';

/** A case can start if its type is active, its steps have no cycle, and each step has a responsible person. */
export const mayStart: Guard = {
  elevated: true,
  async check({ unit: person, record }) {
    const unit = person.elevated();
    const [type] = await unit.query<{ name: string; active: boolean }>(
      'select name, active from {case_type} where id = $1',
      [record.case_type_id],
    );
    if (!type?.active)
      return [
        { field: 'case_type_id', message: 'This type of case is no longer in use. Choose another, or activate it.' },
      ];
    const steps = await stepsOfType(unit, Number(record.case_type_id));
    const found = circle(steps.map(({ code, after }) => ({ code, after: after ?? [] })));
    if (found)
      return [
        {
          field: 'case_type_id',
          message: `Step ${found.step} waits for itself through ${found.through}. Correct the case type first.`,
        },
      ];
    const subject = await subjectOf(unit, record);
    for (const step of steps)
      if ((await doerOf(unit, step, Number(record.owner_id), subject)) === null)
        return [
          {
            field: 'owner_id',
            message:
              step.assign_by === 'field'
                ? `No person found for step ${step.title}. Enter one in the record that the case is about, or change the case type.`
                : `No person found for step ${step.title}. Give somebody its role, or change the case type.`,
          },
        ];
    return [];
  },
};
