import type { MoveArgs } from '../../../descriptor/shared_effects.ts';
import type { Ref } from '../events/ref.ts';
import { ledTo } from '../workflow/led_to.ts';
import { holds } from '../workflow/values.ts';
import type { SharedEffect } from './shared_call.ts';
import { aroundTarget, plainValues } from './shared_call.ts';

/** `move`: takes the records at a path through one of their transitions. */
export const moveEffect: SharedEffect = {
  async locks({ around, args }, done) {
    if (done !== undefined) return done as Ref[];
    return (await ledTo(around, (args as unknown as MoveArgs).of)).map(({ screen, id }) => ({ type: screen.name, id }));
  },
  async apply({ unit, around, args }) {
    const { of, do: name, input, when } = args as unknown as MoveArgs;
    const moved = new Map<number, Ref>();
    for (const led of await ledTo(around, of)) {
      const { screen, id } = led;
      if (moved.has(id)) continue;
      const at = aroundTarget(around, led, await unit.read(screen.name, id, { lock: true }));
      if (!(await holds(at, when))) continue;
      await unit.transition(screen.name, id, name, await plainValues(at, input));
      moved.set(id, { type: screen.name, id });
    }
    return [...moved.values()];
  },
  async reverse({ unit, args }, done) {
    for (const { type, id } of (done as Ref[]).toReversed())
      await unit.transition(type, id, (args as unknown as MoveArgs).back!);
  },
};
