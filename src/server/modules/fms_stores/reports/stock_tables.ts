import type { ReportCall } from '../../../engine/reports/report_source.ts';
import { placeOf } from '../../../services/clock/client_day.ts';
import type { SqlParams } from '../../../db/sql_text.ts';

/** The end of a day in the company's time zone, as SQL. */
export const dayEnd = ({ session }: ReportCall, day: string, values: SqlParams): string =>
  `(((${values.bind(day)})::date + 1)::timestamp at time zone ${values.bind(placeOf(session).timezone)})`;

/** The beginning of a day in the company's time zone, as SQL. */
export const dayStart = ({ session }: ReportCall, day: string, values: SqlParams): string =>
  `((${values.bind(day)})::date::timestamp at time zone ${values.bind(placeOf(session).timezone)})`;

/** Whether the reader may see stock values. */
export const seesValue = ({ session }: ReportCall): boolean => session.rights.refuseAction('STOCK_VALUE_VIEW') === null;

/** The columns with stock values, which are left out for other people. */
export const valuesIn = (call: ReportCall, ...columns: string[]): { without?: string[] } =>
  seesValue(call) ? {} : { without: columns };

/** Conditions for the chosen stock points and for those that the reader may see. */
export function pointConditions(call: ReportCall, alias: string, values: SqlParams): string[] {
  const { parameters, scoped } = call;
  const limits: [string, string][] = [
    ['stock_point_id', `${alias}.id`],
    ['kind', `${alias}.kind`],
  ];
  return [
    ...scoped('stock_point', alias, values),
    ...limits.flatMap(([name, column]) =>
      (parameters[name] ?? null) === null ? [] : [`${column} = ${values.bind(parameters[name])}`],
    ),
    ...((parameters.site_id ?? null) === null
      ? []
      : [
          `exists (select 1 from {storage_location} sl where sl.id = ${alias}.storage_location_id and sl.site_id = ${values.bind(parameters.site_id)})`,
        ]),
    ...((parameters.branch_id ?? null) === null
      ? []
      : [
          `exists (select 1 from {storage_location} sl join {site_mstr} si on si.id = sl.site_id where sl.id = ${alias}.storage_location_id and si.branch_id = ${values.bind(parameters.branch_id)})`,
        ]),
  ];
}

/** Conditions for the chosen items. */
export function itemConditions({ parameters }: ReportCall, alias: string, values: SqlParams): string[] {
  const limits: [string, string][] = [
    ['item_id', 'id'],
    ['item_category_id', 'item_category_id'],
    ['item_class_id', 'item_class_id'],
    ['spare_group_id', 'spare_group_id'],
  ];
  return limits.flatMap(([name, column]) =>
    (parameters[name] ?? null) === null ? [] : [`${alias}.${column} = ${values.bind(parameters[name])}`],
  );
}
