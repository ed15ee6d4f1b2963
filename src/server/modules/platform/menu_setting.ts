import { defineHooks } from '../../engine/records/hooks.ts';
import type { MenuChange } from '../../db/tenant.ts';

/** Menu changes may only name existing entries. */
export default defineHooks({
  check(_session, record, _stored, screens, { menuProblems }) {
    if (typeof record.entry !== 'string' || record.entry === '') return [];
    const isPage = (address: string) =>
      [...screens.values()].some(
        ({ routes, sameAs, hierarchy, scope }) =>
          scope !== 'platform' &&
          (routes.landing === address || hierarchy?.route === address || sameAs[address] === 'landing'),
      );
    return menuProblems(record as unknown as MenuChange, isPage);
  },
});
