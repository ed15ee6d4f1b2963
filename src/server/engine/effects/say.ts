import { formatAlone } from '../../../descriptor/format.ts';
import { atRecord } from '../../../descriptor/place.ts';
import type { EmitArgs, NotifyArgs } from '../../../descriptor/shared_effects.ts';
import { asPublic, seenRecord } from '../records/visible.ts';
import { accountsOf } from '../workflow/waiting.ts';
import type { WireRecord } from '../../../descriptor/types.ts';
import type { Surroundings } from '../workflow/values.ts';
import type { SharedEffect } from './shared_call.ts';
import { plainValues } from './shared_call.ts';

/** `emit`: publishes an event of a module about the record. */
export const emitEffect: SharedEffect = {
  async apply({ unit, around, args }) {
    const { event, payload } = args as unknown as EmitArgs;
    unit.emit(event, await plainValues(around, payload), { type: around.screen.name, id: Number(around.record.id) });
  },
};

/** The displayed values of expressions: a field in the format of its record's branch and company. */
async function spokenValues(
  around: Surroundings,
  expressions: Record<string, string> = {},
): Promise<Record<string, string>> {
  const { screen, record } = around;
  const spoken: Record<string, string> = {};
  for (const [name, text] of Object.entries(expressions)) {
    const field = screen.fields.find((one) => one.name === text.trim() && !one.rows);
    spoken[name] = field
      ? atRecord(record, () => formatAlone(field, record[field.name], record))
      : String((await plainValues(around, { name: text })).name ?? '');
  }
  return spoken;
}

/** `notify`: notifies the people in a relation to the record, except the person taking the transition. */
export const notifyEffect: SharedEffect = {
  async apply({ unit, around, args }) {
    const { event, to, values } = args as unknown as NotifyArgs;
    const { session, screen, screens, record } = around;
    const id = Number(record.id);
    const people = await accountsOf(session, screens, screen, record as WireRecord, to);
    const seen = await seenRecord(asPublic(session), screen, screens, record as WireRecord);
    const address = screen.routes.view ?? screen.routes.edit;
    await unit.notify({
      event,
      to: people.filter((one) => one !== session.userId),
      entityId: session.entityId,
      record: { type: screen.name, id },
      values: await spokenValues({ ...around, record: seen }, values),
      ...(address && { link: address.replace(':id', String(id)) }),
    });
  },
};
