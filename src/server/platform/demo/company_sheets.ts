import { firstYear, yearName, yearSpan } from '../../../descriptor/financial_year.ts';
import type { Queryable } from '../../db/database.ts';
import { childTable, tableName } from '../../db/names.ts';
import type { Unit } from '../../engine/records/unit.ts';
import type { Line } from './kpi_positions.ts';
import { sheetLine } from './kpi_positions.ts';

/** The KPIs of a company whose members have no sheets. */
const LINES: readonly Line[] = [
  { kpi: 'REVENUE', weight: '20', year: '300000000', isSum: true },
  { kpi: 'EBITDA', weight: '15', year: '48000000', isSum: true },
  { kpi: 'PAT', weight: '10', year: '30000000', isSum: true },
  { kpi: 'CASH', weight: '15', year: '21000000' },
  { kpi: 'COLL_PCT', weight: '10', year: '92' },
  { kpi: 'COMPLAINTS', weight: '10', year: '240', isSum: true },
  { kpi: 'ATTENDANCE', weight: '10', year: '96' },
  { kpi: 'ACCIDENTS', weight: '10', year: '0' },
];

interface Company extends Record<string, unknown> {
  id: number;
  start: number;
  responsible: number;
  /** Accounts that work in it, those of the highest first. */
  accounts: number[];
}

/**
 * Adds the sheets of the other companies for two years: of those with two accounts, because whoever submits a sheet
 * does not approve it.
 * @param than the company that has sheets
 * @returns the companies
 */
export async function addCompanySheets(
  tx: Queryable,
  schema: string,
  than: number,
  today: string,
  ids: ReadonlyMap<string, number>,
  act: <T>(company: number, user: number, work: (unit: Unit) => Promise<T>) => Promise<T>,
): Promise<number[]> {
  const found = await tx.query<Company>(
    `select c.id, c.fy_start_month as start, min(e.id) as responsible, array_agg(e.user_id order by e.id) as accounts
     from ${tableName(schema, 'entity')} c join ${tableName(schema, 'employee')} e on e.entity_id = c.id and e.active
     join ${childTable(schema, 'users', 'companies')} w on w.parent_id = e.user_id and w.entity_id = c.id
     where c.id <> $1 and c.active group by c.id having count(*) > 1 order by c.id`,
    [than],
  );
  for (const { id, start, responsible, accounts } of found) {
    const [submitter, approver] = accounts as [number, number];
    const running = firstYear(today, start);
    for (const year of [running - 1, running]) {
      const span = yearSpan(year, start);
      const sheet = await act(id, submitter, (unit) =>
        unit.create('kpi_sheet', {
          owner_kind: 'entity',
          responsible_id: responsible,
          financial_year: yearName(year),
          valid_from: span.from,
          valid_to: span.to,
          lines: LINES.map((line) => sheetLine(line, ids, span.to)),
        }),
      );
      await act(id, submitter, (unit) => unit.transition('kpi_sheet', sheet.id, 'submit'));
      await act(id, approver, (unit) => unit.transition('kpi_sheet', sheet.id, 'approve'));
      await act(id, submitter, (unit) => unit.transition('kpi_sheet', sheet.id, 'acknowledge'));
    }
  }
  return found.map(({ id }) => id);
}
