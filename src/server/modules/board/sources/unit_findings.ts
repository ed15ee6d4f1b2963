import { listWith, unitTile } from '../unit_tile.ts';

/** The number of rules that a unit violates. */
export default unitTile(() => ({
  type: 'board_finding',
  field: 'state',
  statement: (unit, day) =>
    `select count(*)::int as n from {board_finding} t where t.unit_id = ${unit} and ${
      day === null
        ? `t.state = 'open'`
        : `t.since <= ${day}::date and (t.ended_on is null or t.ended_on > ${day}::date)`
    }`,
  opens: (unit, day) =>
    day === null
      ? `/board_findings?state=open&unit_id=${unit}`
      : listWith('/board_findings', [
          'and',
          ['unit_id', 'eq', unit],
          ['since', 'lte', day],
          ['or', ['ended_on', 'empty'], ['ended_on', 'gt', day]],
        ]),
}));
