import type { FieldError } from '../../../../descriptor/types.ts';
import { planProblems } from '../../../../domain/organisation/reorganisation.ts';
import { AppError } from '../../../db/errors.ts';
import type { Guard } from '../../../engine/modules.ts';
import { movesOfPlan, peopleOfPlan, placesOf, rowsOfPlan } from '../plan_moves.ts';

/** The moves of a plan are possible together, start from today's chart, and concern people whom the person may change. */
export const planIsPossible: Guard = {
  elevated: true,
  async check({ unit, record }) {
    const forbidden = refusalOf(() => unit.authorize('employee', 'edit_screen'));
    if (forbidden !== null) return [{ field: '', message: forbidden }];
    const people = await peopleOfPlan(unit.elevated());
    const moves = movesOfPlan(record);
    const problems = planProblems(people, moves);
    const errors: FieldError[] = [];
    for (const [at, row] of rowsOfPlan(record).entries()) {
      const id = row.employee_id as number;
      const person = people.get(id);
      // A new department or designation is a move, even below the same manager.
      const isOnlyPlace = (row.to_manager_id ?? null) === person?.parent && Object.keys(placesOf(row)).length > 0;
      const problem = isOnlyPlace ? undefined : problems.get(id);
      if (problem !== undefined) errors.push({ field: `moves.${at}.to_manager_id`, message: problem });
      else if (person && (row.from_manager_id ?? null) !== person.parent)
        errors.push({
          field: `moves.${at}.employee_id`,
          message: `${person.name} has another manager than when this plan was made. Remove the move and plan it again.`,
        });
      else if (!(await isSeen(() => unit.read('employee', id))))
        errors.push({ field: `moves.${at}.employee_id`, message: 'Choose a member you may change.' });
    }
    return errors;
  },
};

function refusalOf(authorize: () => void): string | null {
  try {
    authorize();
    return null;
  } catch (error) {
    if (error instanceof AppError && error.status === 403) return error.message;
    throw error;
  }
}

async function isSeen(read: () => Promise<unknown>): Promise<boolean> {
  try {
    await read();
    return true;
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return false;
    throw error;
  }
}
