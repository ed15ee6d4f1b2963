import type { Subscriber } from '../../engine/modules.ts';
import { AppError } from '../../db/errors.ts';
import { joinedNotice } from '../../access/people/people_notices.ts';

/** When a member is added, by a form or an import, notifies the manager and the people who create accounts. */
export const joined: Subscriber = {
  async run({ event, unit }) {
    const person = await unit.read('employee', event.of!.id).catch((error: unknown) => {
      // Removed since: there is nobody to announce.
      if (error instanceof AppError && error.status === 404) return null;
      throw error;
    });
    if (!person) return;
    const { session } = unit;
    await unit.notify(await joinedNotice(session.tenant.db, session, person, String(person.date_of_joining)));
  },
};
