import type { RecordsGrouped } from '../domain/report.ts';

/** An entry of the `filters` of a report. */
export type Narrowing = NonNullable<RecordsGrouped['filters']>[number];

/** The field by which a reader narrows a report, as a path over references. */
export const narrowedPath = (one: Narrowing): string => (typeof one === 'string' ? one : one.field);

/** The parameters of an entry: one of its name, or those of a period or of people above. */
export function narrowedNames(one: Narrowing): string[] {
  const name = narrowedPath(one).replaceAll('.', '_');
  if (typeof one === 'string') return [name];
  return one.by === 'period' ? [`${name}_year`, `${name}_from`, `${name}_to`] : [`${name}_above`, `${name}_direct`];
}
