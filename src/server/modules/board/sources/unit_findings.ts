import { unitTile } from '../unit_tile.ts';

/** The number of rules that a unit violates. */
export default unitTile(() => ({
  type: 'board_finding',
  field: 'state',
  statement: (unit) =>
    `select count(*)::int as n from {board_finding} t where t.unit_id = ${unit} and t.state = 'open'`,
  opens: '/board_findings?state=open&unit_id=',
}));
