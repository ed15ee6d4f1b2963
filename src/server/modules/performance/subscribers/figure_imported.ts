import type { Subscriber } from '../../../engine/modules.ts';

/** Somebody has added or corrected an imported figure: it is taken over at once. */
export const figureImported: Subscriber = {
  run({ event, unit }) {
    if (event.company !== null) unit.enqueue('take_imports', {}, `company ${event.company}`);
    return Promise.resolve();
  },
};
