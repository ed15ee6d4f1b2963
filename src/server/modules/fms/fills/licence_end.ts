import { addMonths } from '../../../../descriptor/expression/functions.ts';
import { addDays } from '../../../../domain/fms/contract_years.ts';
import type { Fill } from '../../../engine/modules.ts';

/** The last day of a licence issued on a day, by the months that licences are valid in the state of the building. */
export const licenceEnd: Fill = {
  async run({ unit, record }) {
    const { licence_issued_on: from, building_id: building } = record;
    if (typeof from !== 'string' || typeof building !== 'number') return {};
    const [state] = await unit.query<{ months: number | null }>(
      'select s.licence_months as months from {building} b join {state_mstr} s on s.id = b.state_id where b.id = $1',
      [building],
    );
    return state?.months ? { licence_valid_to: addDays(addMonths(from, state.months), -1) } : {};
  },
};
