import type { FilterExpression } from '../../descriptor/types.ts';

/** Whose figure it is: a member's or a unit's. */
export type FigureOwner = 'employee' | 'department' | 'branch' | 'store' | 'board_unit' | 'entity';

/** Something for some kinds of owners. */
type ByOwner = Partial<Record<FigureOwner, string>>;

/** A figure of people and units over some days, from the records of its module; other modules may follow it. */
export interface RecordFigure {
  title: string;
  /** The record types that it reads. */
  reads: readonly string[];
  /** The value of an owner without such records: 0 for a count or a sum; default: none. */
  none?: '0';
  /**
   * The list of the records behind it; absent if no list shows them. `by` names the field that holds the owner, by kind; a
   * company needs none. In the filter `:first` and `:last` stand for the days.
   */
  records?: { type: string; by: ByOwner; filter: FilterExpression };
  /** It shows what is there now, whatever the days are: a period that has ended keeps the value it ended with. */
  isOfNow?: true;
  /** Its statement also reads `working`: each `person`, a member of the owner, with each working `day` in the span. */
  byWorkingDay?: true;
  /** The kinds of owners that have a value, each with the expression of the owner's id in `sql`. */
  of: ByOwner;
  /**
   * A statement that returns `owner` (an id) and `value` (text) for the one row of `span`: `owners`, the ids of owners of
   * one kind in one `company`; `first` and `last`, the days; `zone`, the time zone in which moments have a day; `kpi`,
   * the id of the KPI that follows the figure, null for others. `:owner` stands for the expression of the kind.
   */
  sql: string;
}

/** The statement for owners of one kind. @throws if they have no value */
export function figureSql({ title, of, sql }: RecordFigure, kind: FigureOwner): string {
  const owner = of[kind];
  if (owner === undefined) throw new Error(`"${title}" has no value for this kind of owner: ${kind}.`);
  return sql.replaceAll(':owner', owner);
}

/** The expression of the department of an employee whose id `employee` is. */
export const departmentOf = (employee: string): string =>
  `(select m.department_id from {employee} m where m.id = ${employee})`;
