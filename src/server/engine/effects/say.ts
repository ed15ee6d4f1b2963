import { formatAlone } from '../../../descriptor/format.ts';
import { atRecord } from '../../../descriptor/place.ts';
import type { EmitArgs, NotifyArgs } from '../../../descriptor/shared_effects.ts';
import { asPublic, seenRecord, seenRecords } from '../records/visible.ts';
import { accountsOf, accountsOfMany } from '../workflow/waiting.ts';
import type { Field, WireRecord } from '../../../descriptor/types.ts';
import type { Surroundings } from '../workflow/values.ts';
import type { SharedCall, SharedEffect } from './shared_call.ts';
import { issue } from './print.ts';
import { plainValues } from './shared_call.ts';

/** `emit`: publishes an event of a module about the record. */
export const emitEffect: SharedEffect = {
  async apply({ unit, around, args }) {
    const { event, payload } = args as unknown as EmitArgs;
    unit.emit(event, await plainValues(around, payload), { type: around.screen.name, id: Number(around.record.id) });
  },
};

/** `label(employee_id)`: a stored record already has the label of what it refers to. */
const LABEL_OF = /^label\((\w+)\)$/;

/** The field that `launch_id.moderation_to` names, of the type that the first one refers to. */
function reachedField({ screen, screens }: Surroundings, text: string): Field | undefined {
  const [by, name, ...more] = text.split('.');
  const type = more.length === 0 ? screen.fields.find((one) => one.name === by)?.ref?.type : undefined;
  return screens.get(type ?? '')?.fields.find((one) => one.name === name && !one.rows && !one.ref);
}

/** The displayed values of expressions: a field in the format of its record's branch and company. */
async function spokenValues(
  around: Surroundings,
  expressions: Record<string, string> = {},
): Promise<Record<string, string>> {
  const { screen, record } = around;
  const spoken: Record<string, string> = {};
  for (const [name, expression] of Object.entries(expressions)) {
    const text = expression.trim();
    const field = screen.fields.find((one) => one.name === text && !one.rows);
    const label = record[`${LABEL_OF.exec(text)?.[1]}__label`];
    if (field) spoken[name] = atRecord(record, () => formatAlone(field, record[field.name], record));
    else if (typeof label === 'string') spoken[name] = label;
    else {
      const { name: value } = await plainValues(around, { name: text });
      const reached = reachedField(around, text);
      spoken[name] = reached ? atRecord(record, () => formatAlone(reached, value)) : String(value ?? '');
    }
  }
  return spoken;
}

/** The notice to these people about a record, in the words that everybody may read. */
async function noticeOf(call: SharedCall, seen: Surroundings['record'], people: readonly number[]) {
  const { around, args } = call;
  const { event, values, attach = [] } = args as unknown as NotifyArgs;
  const { session, screen, record } = around;
  const id = Number(record.id);
  const address = screen.routes.view ?? screen.routes.edit;
  const prints: number[] = [];
  for (const name of attach) prints.push(await issue(call, name));
  return {
    event,
    to: people.filter((one) => one !== session.userId),
    entityId: session.entityId,
    record: { type: screen.name, id },
    values: await spokenValues({ ...around, record: seen }, values),
    ...(prints.length > 0 && { prints }),
    ...(address && { link: address.replace(':id', String(id)) }),
  };
}

/** `notify`: notifies the people in a relation to the record, except the person taking the transition. */
export const notifyEffect: SharedEffect = {
  async apply(call) {
    const { session, screen, screens, record } = call.around;
    const { to } = call.args as unknown as NotifyArgs;
    const people = await accountsOf(session, screens, screen, record as WireRecord, to);
    const seen = await seenRecord(asPublic(session), screen, screens, record as WireRecord);
    await call.unit.notify(await noticeOf(call, seen, people));
  },
  async applyMany(calls) {
    const { session, screen, screens } = calls[0]!.around;
    const { to } = calls[0]!.args as unknown as NotifyArgs;
    const records = calls.map(({ around }) => around.record as WireRecord);
    const people = await accountsOfMany(session, screens, screen, records, to);
    const seen = await seenRecords(asPublic(session), screen, screens, records);
    const notices = [];
    for (const [at, call] of calls.entries()) notices.push(await noticeOf(call, seen[at]!, people[at]!));
    await calls[0]!.unit.notifyMany(notices);
  },
};
