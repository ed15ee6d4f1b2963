import { productScreen } from '../../../descriptor/overlay.ts';
import { detailColumn, groupName } from '../../../descriptor/report.ts';
import { isDetail } from '../../../descriptor/report_fields.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import type { Report } from '../../../domain/report.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';

type Screens = ReadonlyMap<string, Screen>;

/** The field at the end of a path, of records that the reader may list; undefined = they have no such field. */
function fieldAt(screen: Screen, path: string, own: Screens, { rights }: LiveSession): Field | undefined {
  const [first = '', ...rest] = path.split('.');
  const field = screen.fields.find(({ name }) => name === first);
  if (rest.length === 0 || !field) return field;
  const target = field.ref && !field.masked ? own.get(field.ref.type) : undefined;
  return target && rights.refuse(target, 'landing') === null
    ? fieldAt(target, rest.join('.'), own, { rights } as LiveSession)
    : undefined;
}

/**
 * A report of records in groups for this reader: its groups have the client's names, and beside them stand its details and
 * the fields that the client wants in reports, as far as the reader sees them.
 */
export function withDetails(report: Report, own: Screens, session: LiveSession): Report {
  const { from } = report;
  const screen = from && own.get(from.type);
  if (!from || !screen) return report;
  const product = productScreen(screen);
  const groups = report.columns.slice(0, from.group.length).map((column, at): Field => {
    const path = from.group[at]!;
    const name = typeof path === 'string' ? path : path.field;
    const field = name.includes('.') ? undefined : screen.fields.find((one) => one.name === name);
    const isNamed = field && column.title === product.fields.find((one) => one.name === name)?.title;
    return isNamed && field.title !== column.title ? { ...column, title: field.title } : column;
  });
  const rest = report.columns.slice(groups.length + (from.details?.length ?? 0));
  const taken = new Set([...groups, ...rest].map(({ name }) => name));
  const paths =
    from.details === undefined
      ? []
      : [
          ...from.details,
          ...(screen.reported ?? []),
          ...from.group.flatMap((group) => {
            const { ref } = screen.fields.find(({ name }) => name === group) ?? {};
            return (ref ? (own.get(ref.type)?.reported ?? []) : []).map((name) => `${String(group)}.${name}`);
          }),
        ];
  const details = [...new Set(paths)].flatMap((path): { path: string; column: Field }[] => {
    const field = fieldAt(screen, path, own, session);
    return field && isDetail(field) && !taken.has(groupName(path)) ? [{ path, column: detailColumn(field, path) }] : [];
  });
  return {
    ...report,
    from: { ...from, ...(from.details && { details: details.map(({ path }) => path) }) },
    columns: [...groups, ...details.map(({ column }) => column), ...rest],
  };
}
