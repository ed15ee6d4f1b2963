import type { Action } from '../../../engine/modules.ts';

/** Has the failed mails of a mailbox processed again, such as after its service was changed. */
export const retryMails: Action = {
  async run({ unit, record }) {
    const failed = record!.failed_mails as { id: number }[];
    await unit.update('ticket_mailbox', record!.id, {
      failed_mails: { set: Object.fromEntries(failed.map(({ id }) => [id, { tries: 0 }])) },
    });
    unit.enqueue('fetch_mails');
    return { done: 'The mails are read again now. What fails once more stays in the list.' };
  },
};
