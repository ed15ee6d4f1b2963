import type { Notifications } from '../../services/notifications/notify.ts';

/** Events of the past are not mailed to anybody. */
export const SILENT: Notifications = {
  notify: () => Promise.resolve(),
  notifyMany: () => Promise.resolve(),
  write: () => Promise.resolve(),
  post: () => Promise.resolve(),
};
