import type { PrintArgs } from '../../../descriptor/shared_effects.ts';
import { fillPrint } from '../print/fill_print.ts';
import { LAY_OUT, keepPrint } from '../print/kept_prints.ts';
import { asNobody, seenRecord } from '../records/visible.ts';
import type { SharedCall, SharedEffect } from './shared_call.ts';

/** `print`: keeps a document as it says now; its file is made after the commit. What was issued stays when the act is undone. */
export const printEffect: SharedEffect = {
  late: true,
  async apply(call) {
    await issue(call, (call.args as unknown as PrintArgs).name);
  },
  reverse: () => Promise.resolve(),
};

/** Issues a print of the record. @returns the number of what is kept */
export async function issue({ unit, around }: SharedCall, name: string): Promise<number> {
  const { session, screen, screens } = around;
  const print = screen.prints!.find((one) => one.name === name)!;
  const id = Number(around.record.id);
  // What is kept is read by all who may open the record: it shows what everybody sees.
  const nobody = asNobody(session);
  const record = await seenRecord(nobody, screen, screens, await unit.read(screen.name, id));
  const content = await fillPrint({ session: nobody, screen, screens, record }, print, unit.now.toISOString());
  const kept = await keepPrint(session, { type: screen.name, id }, print, content);
  unit.enqueue(LAY_OUT, {}, LAY_OUT);
  return kept;
}
