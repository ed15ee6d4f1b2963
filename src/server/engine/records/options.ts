import type { Field, Screen } from '../../../descriptor/types.ts';
import { PLACE } from '../../../descriptor/words/part.ts';
import type { Session } from '../../access/context.ts';
import { quoted } from '../../db/names.ts';
import { AppError } from '../../db/errors.ts';
import { columnSql, detailExpression, isOrHas, labelExpression, namingText } from '../../db/columns.ts';
import { ofPartner, personalRows, rowScope } from '../../access/rights/scope.ts';
import { SqlParams, escapeLike, preparedStatement } from '../../db/sql_text.ts';
import { rowsOf } from './rows_of.ts';

export interface Option {
  id: number;
  label: string;
  detail: string | null;
  active: boolean;
  /** Values of the record that the form copies, by form field. */
  fetch: Record<string, unknown>;
}

export interface OptionsQuery {
  q?: string;
  ids?: number[];
  limit?: number;
  /** In the order of the type's list, not by name. */
  inOrder?: true;
  /** The requesting screen and field: gives the filter and the fetched values. */
  asking?: { screen: Screen; field: Field; siblings: Field[] };
  /** Values of the requesting form, for its filter. */
  where?: Record<string, unknown>;
  /** Values of several records, for its filter: an option fits one of them. */
  whereAny?: Readonly<Record<string, readonly string[]>>;
}

/**
 * The conditions on records that a reference may refer to: of the company, and of the person's own. The table has the
 * alias `t`.
 */
export function choosable(
  session: Session,
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
  ref: Field['ref'],
  values: SqlParams,
): string[] {
  const where: string[] = [];
  if (screen.scope === 'entity')
    where.push(
      ref?.acrossCompanies
        ? `t.entity_id = any(${values.bind(session.entityIds)})`
        : `t.entity_id = ${values.bind(session.entityId)}`,
    );
  return [...where, ...personalRows(session, screen, screens, 't', values), ...ofPartner(session, screen, 't', values)];
}

/** The choices of a reference field: active, of the company, matching the filter; best matches first. */
export async function optionsOf(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  query: OptionsQuery,
): Promise<Option[]> {
  const { db } = session.tenant;
  const values = new SqlParams();
  const ref = query.asking?.field.ref;
  const where = choosable(session, screen, screens, ref, values);
  // A record of a type chosen in the form: one that the person sees.
  if (query.asking?.field.refBy) where.push(...rowScope(session, screen, screens, 't', values));
  const place = { screens, schema: session.tenant.schema };
  const label = `lower(${labelExpression(screen, 't', place)})`;
  const texts = [label, ...screen.label.slice(1).map((name) => `lower(${namingText(screen, name, 't', place)})`)];
  let order = `${label}, t.id`;
  if (query.ids) where.push(`t.id = any(${values.bind(query.ids)})`);
  else {
    where.push('t.active');
    for (const [theirs, ours] of Object.entries(ref?.filter ?? {})) {
      const several = query.whereAny?.[ours];
      if (several) where.push(`(${several.map((one) => isOrHas(screen, theirs, values.bind(one))).join(' or ')})`);
      const value = query.where?.[ours];
      if (value === undefined || value === null) continue;
      if (!['string', 'number', 'boolean'].includes(typeof value))
        throw new AppError(400, 'bad_request', 'where holds plain values.', { field: 'where' });
      where.push(isOrHas(screen, theirs, values.bind(String(value))));
    }
    for (const [theirs, value] of Object.entries(ref?.fixed ?? {}))
      where.push(isOrHas(screen, theirs, values.bind(String(value))));
    const q = (query.q ?? '').trim().toLowerCase();
    if (q !== '') {
      const [starts, contains] = [values.bind(`${escapeLike(q)}%`), values.bind(`%${escapeLike(q)}%`)];
      where.push(`(${texts.map((text) => `${text} like ${contains}`).join(' or ')})`);
      order = `case when ${texts.map((text) => `${text} like ${starts}`).join(' or ')} then 0 else 1 end, ${order}`;
    }
  }
  if (query.inOrder) order = [...listOrder(screen), order].join(', ');
  const fetched = fetchedFields(query, screen);
  const columns = [
    't.id',
    `${labelExpression(screen, 't', place)} as label`,
    `${detailExpression(screen, 't', place) ?? 'null'} as detail`,
    't.active',
    ...fetched.map(({ from, at }) => `t.${quoted(from)} as "f${at}"`),
  ];
  const text = `select ${columns.join(', ')} from ${rowsOf(session, screen, screens, 't', values)} where ${where.length > 0 ? where.join(' and ') : 'true'} order by ${order} limit ${values.bind(Math.min(query.limit ?? 20, 1_000))}`;
  const rows = await db.query<Record<string, unknown>>(preparedStatement(text, values.list));
  return rows.map((row) => ({
    id: row.id as number,
    label: (row.label as string | null) ?? '',
    detail: row.detail as string | null,
    active: row.active as boolean,
    fetch: Object.fromEntries(fetched.map(({ to, at }) => [to, row[`f${at}`]])),
  }));
}

/** The order of a type's list, as far as its own fields define it; rows of a record in their order there. */
function listOrder({ sort, fields, part }: Screen): string[] {
  if (part) return [`t.${quoted(part.by)}`, `t.${quoted(PLACE)}`, 't.id'];
  return sort.flatMap((name) => {
    const field = fields.find((one) => one.name === name.replace(/^-/, ''));
    return field ? [`${columnSql(field, 't')}${name.startsWith('-') ? ' desc' : ''} nulls last`] : [];
  });
}

function fetchedFields({ asking }: OptionsQuery, screen: Screen): { to: string; from: string; at: number }[] {
  if (!asking) return [];
  const wanted = asking.siblings.filter(
    (field) =>
      field.fetch?.via === asking.field.name &&
      screen.fields.some((one) => one.name === field.fetch!.field && !one.secret && !one.masked && one.type !== 'rows'),
  );
  return wanted.map((field, at) => ({ to: field.name, from: field.fetch!.field, at }));
}
