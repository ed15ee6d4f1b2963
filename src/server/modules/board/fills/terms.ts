import { termEnd, termsInARow } from '../../../../domain/board/terms.ts';
import type { Fill } from '../../../engine/modules.ts';
import type { TermRow } from '../judge_rules.ts';
import { termYears } from '../term_years.ts';

type Row = Record<string, unknown>;

const rowsOf = (record: Row) => (record.tenures ?? []) as Row[];

/** Fills the terms of a seat: its unit and secretary, its designation, and the consecutive number of each term. */
export const seatFacts: Fill = {
  async run({ unit, record }) {
    const { unit_id: unitId, designation_id: designation } = record;
    const rows = rowsOf(record);
    const [own] = await unit.query<{ secretary_id: number | null }>(
      'select secretary_id from {board_unit} where id = $1',
      [unitId],
    );
    const terms = await unit.query<TermRow>(
      `select t.id, t.board_member_id, t.from_date::text as "from", coalesce(t.ended_on, t.until_date)::text as until, t.state
       from {board_tenure} t join {board_position} s on s.id = t.seat_id
       where t.board_member_id = any($1) and t.active and t.state in ('active', 'ended') and s.unit_id = $2 and s.designation_id = $3`,
      [rows.flatMap(({ board_member_id: id }) => (typeof id === 'number' ? [id] : [])), unitId, designation],
    );
    return {
      tenures: rows.map((row) => ({
        ...row,
        unit_id: unitId,
        designation_id: designation,
        secretary_id: own?.secretary_id ?? null,
        term_no:
          typeof row.from_date === 'string'
            ? termsInARow(
                terms.filter(({ id, board_member_id: member }) => member === row.board_member_id && id !== row.id),
                row.from_date,
              )
            : 1,
      })),
    };
  },
};

/** The last day of each term, if the unit's type or the law limits it. */
export const termUntil: Fill = {
  async run({ unit, record }) {
    const years = await termYears(unit, record.unit_id, record.designation_id);
    return {
      tenures: rowsOf(record).map((row) => ({
        ...row,
        until_date:
          row.until_date ??
          (years !== null && typeof row.from_date === 'string' ? termEnd(row.from_date, years) : null),
      })),
    };
  },
};
