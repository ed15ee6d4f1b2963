import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { bringsPairs } from '../../../descriptor/offline_act.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import type { WaitingAct } from './device_store.ts';

type Entered = Pick<WaitingAct, 'do' | 'input'>;

/** The entered values by field; of a pair the new value. */
export function enteredValues({ do: name, input }: Entered): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input).map(([field, value]) => [field, bringsPairs(name) ? (value as unknown[])[1] : value]),
  );
}

/** Whether a value refers to a file or a record of this device, which can be changed only in its original form. */
const isOfDevice = (value: unknown): boolean => /"(?:sha256|client):/.test(JSON.stringify(value ?? null));

/** The fields of a refused action that may be changed before it is sent again, with its values. */
export function editableFields(screen: Screen, act: Entered): Field[] {
  const entered = enteredValues(act);
  const needed = new Map(
    screen.workflow?.transitions
      .find(({ name }) => name === act.do)
      ?.ask.map(({ field, required }) => [field, required]),
  );
  const isRecord = act.do === 'create' || bringsPairs(act.do);
  return [...screen.fields, ...(screen.asked ?? [])].flatMap((field) => {
    const { when: _when, ...rest } = field;
    const isShown = field.name in entered && !field.secret && !fieldType(field.type).can.file;
    if (!isShown || isOfDevice(entered[field.name]) || (isRecord && field.readOnly)) return [];
    return [{ ...rest, readOnly: false, required: needed.get(field.name) ?? field.required }];
  });
}

/** An action with other values; for a change, the old values are the current ones where others changed them. */
export function withValues(
  { do: name, input, needs }: Entered & Pick<WaitingAct, 'needs'>,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const theirs = needs?.theirs ?? {};
  return Object.fromEntries(
    Object.entries(input).map(([field, value]) => {
      const entered = bringsPairs(name) ? (value as unknown[])[1] : value;
      const next = field in values ? values[field] : entered;
      return [field, bringsPairs(name) ? [field in theirs ? theirs[field] : (value as unknown[])[0], next] : next];
    }),
  );
}
