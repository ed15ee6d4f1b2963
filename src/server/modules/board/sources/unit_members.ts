import { unitTile } from '../unit_tile.ts';

const opens = '/board_tenures?state=active&unit_id=';

/** The members of a unit, or how many there are. */
export default unitTile((as) =>
  as === 'count'
    ? {
        type: 'board_tenure',
        field: 'board_member_id',
        statement: (unit) =>
          `select count(*)::int as n from {board_tenure} t where t.unit_id = ${unit} and t.state = 'active'`,
        opens,
      }
    : {
        type: 'board_tenure',
        field: 'board_member_id',
        statement: (unit) => `select m.name as member, d.name as designation, t.from_date::text, t.until_date::text
          from {board_tenure} t join {board_member} m on m.id = t.board_member_id
          left join {board_designation} d on d.id = t.designation_id where t.unit_id = ${unit} and t.state = 'active'`,
        order: 'order by d.order_no, m.name limit 20',
        opens,
      },
);
