import type { Fill } from '../../../engine/modules.ts';

/** What a question is about: the figure's name and its value, as the person who asks sees it at this moment. */
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
