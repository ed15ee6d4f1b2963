import type { SqlParams } from '../../db/sql_text.ts';
import type { ReportRow } from '../../../domain/report.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';
import { SourceReader } from '../../engine/reports/source_reader.ts';
import type { FilterExpression } from '../../../descriptor/types.ts';
import { chosenUnit } from './chosen_unit.ts';
import { earlierDay } from './page_period.ts';

interface UnitTile {
  type: string;
  /** The field that it reveals. */
  field: string;
  /** The statement up to its last condition, for the parameters of the unit and of an earlier day; null = today. */
  statement(unit: string, day: string | null): string;
  order?: string;
  /** The list of these records for the unit's id, today or on an earlier day. */
  opens(unit: number, day: string | null): string;
}

/** The address of a list with a condition. */
export const listWith = (list: string, filter: FilterExpression): string =>
  `${list}?filter=${encodeURIComponent(JSON.stringify(filter))}`;

/** A tile about the page's unit alone: the chosen one, otherwise the reader's own committee. */
export function unitTile(tileOf: (as: unknown) => UnitTile): ReportSource {
  const { type, field } = tileOf(undefined);
  return {
    reads: { board_unit: [], [type]: [field] },
    async rows(call) {
      const unit = await chosenUnit(call);
      if (unit === null) return { rows: [] };
      const { statement, order = '', opens } = tileOf(call.args?.as);
      const day = earlierDay(call);
      const reader = new SourceReader(call);
      const rows = await reader.query<ReportRow>(
        (values: SqlParams) =>
          `${statement(values.bind(unit.id), day === null ? null : values.bind(day))} and ${reader.seen(type, 't', values)} ${order}`,
      );
      return { rows, note: unit.name, opens: opens(unit.id, day) };
    },
  };
}
