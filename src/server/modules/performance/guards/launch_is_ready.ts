import type { FieldError } from '../../../../descriptor/types.ts';
import type { Guard } from '../../../engine/modules.ts';
import { launchMembers } from '../launch_members.ts';

const NAMED = 5;
const names = (members: readonly { name: string }[]): string =>
  members.length > NAMED
    ? `${members
        .slice(0, NAMED)
        .map(({ name }) => name)
        .join(', ')} and ${members.length - NAMED} more`
    : members.map(({ name }) => name).join(', ');

/** A launch starts only if all members have a manager and none has an appraisal for the period already (§10). */
export const launchIsReady: Guard = {
  elevated: true,
  async check({ unit: person, record }) {
    const unit = person.elevated();
    const members = await launchMembers(unit, record.id);
    const errors: FieldError[] = [];
    if (members.length === 0)
      errors.push({
        field: 'include_ids',
        message: 'There are no participants. Choose other branches, departments or dates.',
      });
    const alone = members.filter(({ manager_id: manager }) => manager === null);
    if (alone.length > 0)
      errors.push({
        field: 'exclude_ids',
        message: `Without a manager: ${names(alone)}. Assign a manager, or exclude them.`,
      });
    const twice = members.filter(
      ({ appraisal_no: number, appraisal_launch: of }) => number !== null && of !== record.id,
    );
    if (twice.length > 0)
      errors.push({
        field: 'exclude_ids',
        message: `Appraised for this period already: ${names(twice.map(({ name, appraisal_no: number, launch_no: launch }) => ({ name: `${name} in ${launch ?? number}` })))}. Exclude them.`,
      });
    return errors;
  },
};
