import type { Fill } from '../../../engine/modules.ts';

/** The subject of a question: the name and value of the figure, as the requester sees it now. */
export const figure: Fill = {
  async run({ unit, services, record }) {
    const { dashboard, tile, filters } = record;
    if (typeof dashboard !== 'string' || typeof tile !== 'string') return { figure: null, value_then: null };
    const found = await services.figure(unit.session, {
      dashboard,
      tile,
      filters: typeof filters === 'string' ? filters : '',
    });
    return { figure: found?.title.slice(0, 160) ?? null, value_then: found?.value ?? null };
  },
};
