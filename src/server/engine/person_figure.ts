import type { FilterExpression } from '../../descriptor/types.ts';

/** A figure of people over some days, from the records of its module; other modules may follow it. */
export interface PersonFigure {
  title: string;
  /** The record types that it reads. */
  reads: readonly string[];
  /** The value of a person without such records: 0 for a count or a sum; default: none. */
  none?: '0';
  /**
   * The list of the records behind it. In the filter `:person` stands for the employee, `:first` and `:last` for the
   * days; absent if no list shows them.
   */
  records?: { type: string; filter: FilterExpression };
  /** It shows what is there now, whatever the days are: a period that has ended keeps the value it ended with. */
  isOfNow?: true;
  /** Its statement also reads `working`: each `person` with each working `day` in the span. */
  byWorkingDay?: true;
  /**
   * A statement that returns `person` (an employee's id) and `value` (text) for the one row of `span`: `people`, the ids
   * of employees of one `company`; `first` and `last`, the days; `zone`, the time zone in which moments have a day;
   * `kpi`, the id of the KPI that follows the figure, null for others.
   */
  sql: string;
}
