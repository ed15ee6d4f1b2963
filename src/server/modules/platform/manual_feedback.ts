import { defineHooks } from '../../engine/records/hooks.ts';
import { clientSettings } from '../../services/settings/client_settings.ts';

/** Feedback of readers: each person for themselves, and only if the client asks for it. */
export default defineHooks({
  async check({ tenant, userId, rights }, record) {
    if (!rights.isAdmin && record.user_id !== userId)
      return [{ field: 'user_id', message: 'Give your own feedback: choose your own name.' }];
    return (await clientSettings(tenant)).manual_feedback
      ? []
      : [
          {
            field: 'useful',
            message:
              'Readers are not asked whether a chapter was useful. An administrator can change this in Configuration, Notifications.',
          },
        ];
  },
});
