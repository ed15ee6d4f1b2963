import type { Action } from '../../../engine/modules.ts';

/** Adds more lifts of the same building with the technical data of this one. */
export const makeCopies: Action = {
  async run({ unit, record, input }) {
    const values = unit.copyOf('lift', record!);
    const place = String(input.place ?? '').trim();
    const numbers: string[] = [];
    for (let at = 0; at < Number(input.copies); at++) {
      const made = await unit.create('lift', {
        ...values,
        ...(place !== '' && { position_name: `${place} ${at + 2}` }),
      });
      numbers.push(String(made.lift_no));
    }
    return { done: `${numbers.length === 1 ? 'Added' : `${numbers.length} lifts added:`} ${numbers.join(', ')}.` };
  },
};
