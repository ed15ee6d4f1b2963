import type { SqlParams } from '../../db/sql_text.ts';
import type { ReportRow } from '../../../domain/report.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';
import { SourceReader } from '../../engine/reports/source_reader.ts';
import { chosenUnit } from './chosen_unit.ts';

interface UnitTile {
  type: string;
  /** The field that it reveals. */
  field: string;
  /** The statement up to its last condition, for the parameter of the unit. */
  statement(unit: string): string;
  order?: string;
  /** The list of these records, up to the unit's id. */
  opens: string;
}

/** A tile about the page's unit alone: the chosen one, otherwise the reader's own committee. */
export function unitTile(tileOf: (as: unknown) => UnitTile): ReportSource {
  const { type, field } = tileOf(undefined);
  return {
    reads: { board_unit: [], [type]: [field] },
    async rows(call) {
      const unit = await chosenUnit(call);
      if (unit === null) return { rows: [] };
      const { statement, order = '', opens } = tileOf(call.args?.as);
      const reader = new SourceReader(call);
      const rows = await reader.query<ReportRow>(
        (values: SqlParams) => `${statement(values.bind(unit.id))} and ${reader.seen(type, 't', values)} ${order}`,
      );
      return { rows, note: unit.name, opens: `${opens}${unit.id}` };
    },
  };
}
