import { inSentence } from '../../../descriptor/in_sentence.ts';
import type { MakeArgs } from '../../../descriptor/shared_effects.ts';
import { stateOf } from '../../../descriptor/workflow.ts';
import type { Ref } from '../events/ref.ts';
import type { SharedCall, SharedEffect } from './shared_call.ts';

/** Several documents that one effect made. */
interface Several {
  type: string;
  ids: number[];
}

const refsOf = (done: unknown): Ref[] => {
  const { type, id, ids } = done as Partial<Several> & Partial<Ref>;
  return (ids ?? [id!]).map((one) => ({ type: type!, id: one }));
};

/** `makes`: creates the next document at once. When undone, it is deleted if it has not been changed. */
export const makeEffect: SharedEffect = {
  locks: (_call, done) => Promise.resolve(done === undefined ? [] : refsOf(done)),
  async apply({ unit, around, args }) {
    const source = { type: around.screen.name, id: Number(around.record.id) };
    const make = around.screen.makes!.find(({ name }) => name === (args as unknown as MakeArgs).make)!;
    if (make.each) {
      const made = await unit.makeEach(make.name, source);
      return { type: make.to, ids: made.map(({ id }) => id) } satisfies Several;
    }
    const { id } = await unit.make(make.name, source);
    return { type: make.to, id } satisfies Ref;
  },
  async reverse(call, done) {
    for (const one of refsOf(done).toReversed()) await takeBack(call, one);
  },
};

async function takeBack({ unit, around, args }: SharedCall, { type, id }: Ref): Promise<void> {
  const target = around.screens.get(type)!;
  const [row] = await unit.query<{ state: string | null }>(
    `select ${target.workflow ? `"${target.workflow.field}"` : 'null'} as state from {${type}} where id = $1`,
    [id],
  );
  // It is gone already.
  if (!row) return;
  const state = target.workflow && stateOf(target.workflow, { [target.workflow.field]: row.state });
  if (!state || state.name === target.workflow!.states[0]!.name) return unit.remove(type, id);
  const make = around.screen.makes?.find(({ name }) => name === (args as unknown as MakeArgs).make);
  if (state.is === 'cancelled' || make?.cascade === true) return;
  const title = inSentence(target.title);
  unit.refuse(
    [{ field: '', message: `The ${title} made from this is "${state.title}". Cancel the ${title} first.` }],
    409,
  );
}
