import type { Unit } from '../../engine/records/unit.ts';
import { peopleWithAction } from './people_with_action.ts';

/** The right of people who enter figures of others: reports to HR go to them. */
const HR = 'ADMIN_ACTUAL';

/** Accounts in the company that may enter figures of others. */
export const peopleOfHr = (unit: Unit, company: number): Promise<number[]> => peopleWithAction(unit, company, HR);
