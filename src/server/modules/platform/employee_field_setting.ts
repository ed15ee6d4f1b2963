import { ownFieldName, productField } from '../../../descriptor/setting_fields.ts';
import type { FieldSetting } from '../../../descriptor/setting_fields.ts';
import { mayBeOwn } from '../../access/people/people.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

export default defineHooks({
  /** People may never edit fields that affect their own pay, location or rights. */
  check(_session, record) {
    const setting = record as FieldSetting;
    const name = productField(setting);
    if (setting.editable_by_employee !== true || name === null || ownFieldName(setting) !== null || mayBeOwn({ name }))
      return [];
    return [
      {
        field: 'editable_by_employee',
        message: 'This affects pay, place or rights, so members cannot change it themselves: untick this.',
      },
    ];
  },
});
