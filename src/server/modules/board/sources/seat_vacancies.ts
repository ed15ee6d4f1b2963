import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';
import { chosenUnit } from '../chosen_unit.ts';
import { earlierDay, pageCompanies } from '../page_period.ts';
import { vacantOn } from '../terms_on_day.ts';
import { listWith } from '../unit_tile.ts';

/** The number of vacant seats on the page's day: of the unit of a committee's page, otherwise of the companies. */
const seatVacancies: ReportSource = {
  reads: { board_position: ['holder_id'], board_unit: [] },
  counts: ['board_tenure'],
  async rows(call) {
    const ofCommittee = call.args?.of === 'committee';
    const unit = ofCommittee ? await chosenUnit(call) : null;
    if (ofCommittee && !unit) return { rows: [] };
    const day = earlierDay(call);
    const reader = new SourceReader(call);
    const seats = await reader.query<{ id: number }>(
      (values) => `select s.id from {board_position} s where ${vacantOn('s', day === null ? null : values.bind(day))}
        and ${unit ? `s.unit_id = ${values.bind(unit.id)}` : `s.entity_id = any(${values.bind(pageCompanies(call))}::bigint[])`}
        and ${reader.seen('board_position', 's', values)} order by s.id`,
    );
    return {
      rows: [{ n: seats.length }],
      ...(unit && { note: unit.name }),
      ...(seats.length > 0 && {
        opens: listWith(
          '/board_positions',
          day === null
            ? [
                'and',
                ['holder_id', 'empty'],
                ['abolished_on', 'empty'],
                unit ? ['unit_id', 'eq', unit.id] : ['entity_id', 'in', pageCompanies(call)],
              ]
            : // Who held a seat on that day is in the terms, so the list has the seats themselves.
              ['id', 'in', seats.map(({ id }) => id)],
        ),
      }),
    };
  },
};

export default seatVacancies;
