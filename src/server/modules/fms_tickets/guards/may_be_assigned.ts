import type { Guard } from '../../../engine/modules.ts';
import { siteOf, techniciansOf } from '../suggestions.ts';

/**
 * An assigned technician must be in a team today and have the lift's required expertise. Other conflicts are warnings
 * on the board.
 */
export const mayBeAssigned: Guard = {
  elevated: true,
  async check({ unit, record }) {
    const site = await siteOf(unit, record);
    const person = (await techniciansOf(unit, null)).find(({ id }) => id === record.technician_id);
    if (!person)
      return [
        {
          field: 'technician_id',
          message: 'This person is not in a team today. Add them to a team, or choose somebody else.',
        },
      ];
    if (person.level < site.level)
      return [
        {
          field: 'technician_id',
          message: `${person.name} has level ${person.level}; this lift needs level ${site.level}. Choose somebody else.`,
        },
      ];
    if (site.isRescue && !person.mayRescue)
      return [{ field: 'technician_id', message: `${person.name} may not free passengers. Choose somebody else.` }];
    return [];
  },
};
