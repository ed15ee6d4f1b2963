import { unitTile } from '../unit_tile.ts';

/** The number of vacant seats of a unit. */
export default unitTile(() => ({
  type: 'board_position',
  field: 'holder_id',
  statement: (unit) =>
    `select count(*)::int as n from {board_position} t where t.unit_id = ${unit} and t.holder_id is null and t.abolished_on is null`,
  opens: '/board_positions?unit_id=',
}));
