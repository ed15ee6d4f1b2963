import type { Guard } from '../../../engine/modules.ts';

/** An empty manual cannot be published. */
export const manualHasChapters: Guard = {
  async check({ unit, record }) {
    const [chapter] = await unit.query('select 1 from {user_manual_chapter} where manual_id = $1 and active limit 1', [
      record.id,
    ]);
    return chapter ? [] : [{ field: '', message: 'Write a chapter first: there is nothing to read yet.' }];
  },
};
