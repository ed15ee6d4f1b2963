import type { Fill } from '../../../engine/modules.ts';

/** The route of a building, if exactly one of its branch serves its area. */
export const routeOfArea: Fill = {
  async run({ unit, record }) {
    if (typeof record.area_id !== 'number') return { route_id: null };
    const routes = await unit.query<{ id: number }>(
      'select id from {route_mstr} where active and entity_id = $1 and $2 = any(area_ids) and ($3::bigint is null or branch_id = $3) order by id limit 2',
      [unit.session.entityId, record.area_id, record.branch_id ?? null],
    );
    return { route_id: routes.length === 1 ? routes[0]!.id : null };
  },
};
