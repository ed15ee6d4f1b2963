import type { Action } from '../../../engine/modules.ts';

const idsIn = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : []);

/** Subscribes the acting person to a shared bot. */
export const subscribe: Action = {
  run({ unit, record }) {
    const users = idsIn(record!.subscriber_ids);
    const me = unit.session.userId;
    return Promise.resolve({
      set: { subscriber_ids: users.includes(me) ? users : [...users, me] },
      done: 'You are notified when it has something to report.',
    });
  },
};

/** Unsubscribes the acting person. */
export const unsubscribe: Action = {
  run({ unit, record }) {
    const users = idsIn(record!.subscriber_ids).filter((user) => user !== unit.session.userId);
    return Promise.resolve({ set: { subscriber_ids: users }, done: 'It no longer notifies you.' });
  },
};
