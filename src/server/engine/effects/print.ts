import type { PrintArgs } from '../../../descriptor/shared_effects.ts';
import { fillPrint } from '../print/fill_print.ts';
import { LAY_OUT, keepPrint } from '../print/kept_prints.ts';
import { asPublic, seenRecord } from '../records/visible.ts';
import type { Unit } from '../records/unit.ts';
import type { Surroundings } from '../workflow/values.ts';
import type { SharedCall, SharedEffect } from './shared_call.ts';

/**
 * `print`: stores the current content of a document; its file is created after the commit. An issued document remains
 * when the transition is undone.
 */
export const printEffect: SharedEffect = {
  late: true,
  async apply(call) {
    await issue(call, (call.args as unknown as PrintArgs).name);
  },
  reverse: () => Promise.resolve(),
};

/** Issues a print of the record. @returns the id of the stored document */
export function issue({ unit, around }: SharedCall, name: string): Promise<number> {
  const { session, screen, screens } = around;
  return issuePrint(unit, { session, screen, screens, id: Number(around.record.id) }, name);
}

/** Issues a print of a record of a type. @returns the id of the stored document */
export async function issuePrint(
  unit: Pick<Unit, 'read' | 'now' | 'enqueue'>,
  { session, screen, screens, id }: Pick<Surroundings, 'session' | 'screen' | 'screens'> & { id: number },
  name: string,
): Promise<number> {
  const print = screen.prints!.find((one) => one.name === name)!;
  // Everybody who may open the record can read the stored document, so it contains only what everybody may see.
  const nobody = asPublic(session);
  const record = await seenRecord(nobody, screen, screens, await unit.read(screen.name, id));
  const content = await fillPrint({ session: nobody, screen, screens, record }, print, unit.now.toISOString());
  const kept = await keepPrint(session, { type: screen.name, id }, print, content);
  unit.enqueue(LAY_OUT, {}, LAY_OUT);
  return kept;
}
