import { runsOn } from '../terms_on_day.ts';
import { listWith, unitTile } from '../unit_tile.ts';

const opens = (unit: number, day: string | null) =>
  day === null
    ? `/board_tenures?state=active&unit_id=${unit}`
    : listWith('/board_tenures', [
        'and',
        ['unit_id', 'eq', unit],
        ['state', 'in', ['active', 'ended']],
        ['from_date', 'lte', day],
        ['or', ['ended_on', 'empty'], ['ended_on', 'gte', day]],
      ]);

/** The members of a unit, or how many there are. */
export default unitTile((as) =>
  as === 'count'
    ? {
        type: 'board_tenure',
        field: 'board_member_id',
        statement: (unit, day) =>
          `select count(*)::int as n from {board_tenure} t where t.unit_id = ${unit} and ${runsOn('t', day)}`,
        opens,
      }
    : {
        type: 'board_tenure',
        field: 'board_member_id',
        statement: (unit, day) => `select m.name as member, d.name as designation, t.from_date::text, t.until_date::text
          from {board_tenure} t join {board_member} m on m.id = t.board_member_id
          left join {board_designation} d on d.id = t.designation_id where t.unit_id = ${unit} and ${runsOn('t', day)}`,
        order: 'order by d.order_no, m.name limit 20',
        opens,
      },
);
