import { Exact } from '../../../descriptor/exact.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import type { SetArgs } from '../../../descriptor/shared_effects.ts';
import { addsUp } from '../../../descriptor/shared_effects.ts';
import type { Field, WireRecord } from '../../../descriptor/types.ts';
import type { Ref } from '../events/ref.ts';
import type { LedTo } from '../workflow/led_to.ts';
import { ledTo } from '../workflow/led_to.ts';
import { plainValue } from '../workflow/plain_value.ts';
import { holds, valueIn } from '../workflow/values.ts';
import type { SharedCall, SharedEffect } from './shared_call.ts';
import { aroundTarget } from './shared_call.ts';

/** A changed record, with the old and new value of each field. */
interface Done extends Ref {
  values: Record<string, [unknown, unknown]>;
}

const targets = async ({ around }: SharedCall, { of }: SetArgs): Promise<LedTo[]> =>
  of === undefined ? [{ screen: around.screen, id: Number(around.record.id) }] : ledTo(around, of);

/** `set`: sets fields of the record or of records it refers to. */
export const setEffect: SharedEffect = {
  async locks(call, done) {
    if (done !== undefined) return (done as Done[]).map(({ type, id }) => ({ type, id }));
    const args = call.args as unknown as SetArgs;
    return (await targets(call, args)).map(({ screen, id }) => ({ type: screen.name, id }));
  },
  async apply(call) {
    const args = call.args as unknown as SetArgs;
    const done: Done[] = [];
    for (const led of await targets(call, args)) {
      const { screen, id } = led;
      const target = await call.unit.read(screen.name, id, { lock: true });
      const around = aroundTarget(call.around, led, target);
      if (!(await holds(around, args.when))) continue;
      const set: Record<string, unknown> = {};
      for (const [name, text] of Object.entries(args.values))
        set[name] = plainValue(fieldOf(screen.fields, name), await valueIn(around, text));
      const after = await call.unit.update(screen.name, id, set, target.version);
      const values = Object.keys(set).map((name) => [name, [target[name] ?? null, after[name] ?? null]] as const);
      done.push({ type: screen.name, id, values: Object.fromEntries(values) as Done['values'] });
    }
    return done;
  },
  async reverse({ unit, around }, result) {
    for (const { type, id, values } of (result as Done[]).toReversed()) {
      const screen = around.screens.get(type)!;
      const now: WireRecord = await unit.read(type, id, { lock: true });
      const set: Record<string, unknown> = {};
      for (const [name, [before, after]] of Object.entries(values)) {
        const field = fieldOf(screen.fields, name);
        if (addsUp(field)) {
          const difference = exact(after).minus(exact(before));
          const left = exact(now[name]).minus(difference);
          set[name] = field.type === 'integer' ? left.toNumber() : left.toFixed();
        } else if (JSON.stringify(now[name] ?? null) === JSON.stringify(after)) set[name] = before;
        else
          unit.refuse(
            [
              {
                field: '',
                message: `${field.title} of the ${inSentence(screen.title)} was changed since. Put that right first.`,
              },
            ],
            409,
          );
      }
      await unit.update(type, id, set, now.version);
    }
  },
};

const fieldOf = (fields: Field[], name: string): Field => fields.find((one) => one.name === name)!;
const exact = (value: unknown) => new Exact((value as string | number | null) ?? 0);
