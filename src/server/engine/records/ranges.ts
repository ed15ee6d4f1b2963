import { formatValue } from '../../../descriptor/format.ts';
import { keyHolds } from '../../../descriptor/key_condition.ts';
import { gapsOf, overlap, rangeFields, rangeText, spanOf } from '../../../descriptor/ranges.ts';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { Field, FieldError, RangeKey, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { comparable, conditionSql } from '../../db/key_sql.ts';
import { bareTable, childTable, quoted, tableName } from '../../db/names.ts';
import { rangeName, rangeSql } from '../../db/table_shapes.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import { companyOf } from '../../access/rights/scope.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';

type Row = Record<string, unknown>;

/** A record to be written; `id` of a stored one. */
export interface Written {
  id: number | null;
  record: Row;
}

/** A range to be written, and the field for its messages. */
interface Ranged {
  /** Which of the records. */
  at: number;
  /** The record's own id. */
  id: number | null;
  row: Row;
  field: string;
}

/** The ranges that overlap with those of these records, by position: stored ones and each other's. */
export async function rangeConflicts(session: Session, screen: Screen, records: Written[]): Promise<FieldError[][]> {
  const errors: FieldError[][] = records.map(() => []);
  for (const range of screen.ranges ?? []) {
    const ranged = rangedOf(range, records);
    if (ranged.length === 0) continue;
    for (const { at, field, message } of amongThemselves(screen, range, ranged)) errors[at]!.push({ field, message });
    const changed = records.flatMap(({ id }) => id ?? []);
    for (const { of, other } of await storedOverlaps(session, screen, range, ranged, changed)) {
      const { at, field } = ranged[of]!;
      if (!errors[at]!.some((error) => error.field === field))
        errors[at]!.push({ field, message: overlapMessage(screen, range, other) });
    }
  }
  return errors;
}

function rangedOf(range: RangeKey, records: Written[]): Ranged[] {
  return records.flatMap(({ id, record }, at): Ranged[] => {
    const rows: [Row, string][] =
      range.rows === undefined
        ? record.active === false
          ? []
          : [[record, range.from]]
        : ((record[range.rows] ?? []) as Row[]).map((row, index) => [row, `${range.rows}.${index}.${range.from}`]);
    return rows.flatMap(([row, field]) =>
      row !== null && typeof row === 'object' && (!range.when || keyHolds(range.when, row)) && spanOf(range, row)
        ? [{ at, id, row, field }]
        : [],
    );
  });
}

function* amongThemselves(screen: Screen, range: RangeKey, ranged: Ranged[]) {
  const key = (row: Row) =>
    JSON.stringify(range.key.map((name) => (row[name] === undefined ? null : String(row[name]).toLowerCase())));
  const before = new Map<string, Ranged[]>();
  for (const one of ranged) {
    const same = before.get(key(one.row)) ?? [];
    const other = same.find(({ row }) => overlap(spanOf(range, row)!, spanOf(range, one.row)!));
    if (other) {
      const text = rangeText(range, rangeFields(screen, range), other.row);
      const message =
        one.at === other.at
          ? `This overlaps with another row: ${text}.`
          : `This overlaps with another row of the same file: ${text}.`;
      yield { at: one.at, field: one.field, message };
    }
    before.set(key(one.row), [...same, one]);
  }
}

/** Stored ranges, except those of changed records, that overlap with one of these. */
async function storedOverlaps(
  { tenant, entityId }: Session,
  screen: Screen,
  range: RangeKey,
  ranged: Ranged[],
  changed: number[],
): Promise<{ of: number; other: Row }[]> {
  const fields = rangeFields(screen, range);
  const own = [range.from, range.to, ...range.key].map((name) => fields.find((field) => field.name === name)!);
  const sqlOf = (field: Field) => fieldType(field.type).sql(field);
  const values = new SqlParams();
  const given = values.bind(
    JSON.stringify(
      ranged.map(({ row }, of) => ({ of, ...Object.fromEntries(own.map(({ name }) => [name, row[name] ?? null])) })),
    ),
  );
  const side = (alias: string) => (field: Field) =>
    comparable(`${alias}.${quoted(field.name)}`, sqlOf(field), field.required);
  const where = own.slice(2).map((field) => `${side('t')(field)} = ${side('x')(field)}`);
  const span = (alias: string) => rangeSql(range, `${alias}.${quoted(range.from)}`, `${alias}.${quoted(range.to)}`);
  where.push(`${span('t')} && ${span('x')}`);
  if (range.when)
    where.push(conditionSql(range.when, (name) => columnType(fields, name), range.rows === undefined ? 't.' : ''));
  const skipped = values.bind(changed);
  let label = screen.label;
  let from = `${tableName(tenant.schema, screen.name)} t`;
  if (range.rows === undefined) {
    where.push('t.active', `t.id <> all(${skipped}::bigint[])`);
    if (screen.scope === 'entity') where.push(`t.entity_id = ${values.bind(entityId)}::bigint`);
  } else {
    from = `${childTable(tenant.schema, screen.name, range.rows)} t join ${tableName(tenant.schema, screen.name)} p on p.id = t.parent_id`;
    where.push(`t.parent_id <> all(${skipped}::bigint[])`);
  }
  label = label.filter((name) => screen.fields.some((field) => field.name === name && !field.ref && !field.secret));
  const of = range.rows === undefined ? 't' : 'p';
  const rows = await tenant.db.query<Row & { of: number }>(
    preparedStatement(
      `select x.of, t.${quoted(range.from)}::text as begins, t.${quoted(range.to)}::text as ends${label.map((name) => `, ${of}.${quoted(name)} as ${quoted(`label_${name}`)}`).join('')}
       from jsonb_to_recordset(${given}::jsonb) x("of" integer, ${own.map((field) => `${quoted(field.name)} ${sqlOf(field)}`).join(', ')}) join ${from} on ${where.join(' and ')} order by x.of, t.id limit 1000`,
      values.list,
    ),
  );
  return rows.map(({ of: index, begins, ends, ...labels }) => ({
    of: index,
    other: {
      [range.from]: begins,
      [range.to]: ends,
      label: label
        .map((name) => {
          const field = screen.fields.find((one) => one.name === name)!;
          const value = labels[`label_${name}`];
          return value === null || value === undefined ? '' : formatValue(field, value);
        })
        .filter(Boolean)
        .join(' · '),
    },
  }));
}

const columnType = (fields: Field[], name: string): string | undefined => {
  const field = fields.find((one) => one.name === name);
  return field && fieldType(field.type).sql(field);
};

/** Names the neighbour and the overlapping values. */
function overlapMessage(screen: Screen, range: RangeKey, other: Row): string {
  const fields = rangeFields(screen, range);
  const text = rangeText(range, fields, other);
  const titles = range.key.map((name) => fields.find((field) => field.name === name)!.title);
  const key = titles.length === 0 ? '' : `, for the same ${inWords(titles)}`;
  const name = String(other.label);
  return `This overlaps with ${name === '' ? `another ${inSentence(screen.title)}` : name} (${text})${key}.`;
}

function inWords(titles: string[]): string {
  const words = titles.map(inSentence);
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)!}`;
}

/** The range whose constraint the database reported, and the field for the message. */
export function refusedRange(
  screen: Screen,
  constraint: string | undefined,
): { field: string; message: string } | null {
  const range = screen.ranges?.find((one) => rangeName(bareTable(screen.name, one.rows), one) === constraint);
  if (!range) return null;
  const titles = range.key.map((name) => rangeFields(screen, range).find((field) => field.name === name)!.title);
  return {
    field: range.rows ?? range.from,
    message: `This overlaps with another ${inSentence(screen.title)}${titles.length > 0 ? ` of the same ${inWords(titles)}` : ''}. Read it again and choose another range.`,
  };
}

/** Most bands that are compared; a type with more has no gaps that people could read. */
const MAX_BANDS = 500;

/** Gaps between the bands of a type: reported but not refused, because records are saved one at a time. */
export async function bandGaps(session: Session, screen: Screen): Promise<string[]> {
  const gaps: string[] = [];
  for (const range of screen.ranges ?? []) {
    if (range.word !== 'bands' || range.rows !== undefined) continue;
    const names = [...new Set([range.from, range.to, ...range.key, ...screen.label])];
    const known = screen.fields.filter((field) => names.includes(field.name) && !field.rows && !field.secret);
    const values = new SqlParams();
    const where = ['t.active'];
    if (screen.scope === 'entity') where.push(`t.entity_id = ${values.bind(companyOf(session))}::bigint`);
    if (range.when) where.push(conditionSql(range.when, (name) => columnType(screen.fields, name)));
    const list = known.map((field) => {
      const exact = fieldType(field.type).sql(field).startsWith('numeric');
      return `t.${quoted(field.name)}${exact ? '::text' : ''} as ${quoted(field.name)}`;
    });
    const rows = await session.tenant.db.query<Row>(
      preparedStatement(
        `select ${list.join(', ')} from ${tableName(session.tenant.schema, screen.name)} t where ${where.join(' and ')} order by t.${quoted(range.from)} limit ${MAX_BANDS}`,
        values.list,
      ),
    );
    const label = known.find((field) => field.name === screen.label[0] && !field.ref);
    gaps.push(
      ...gapsOf(range, screen.fields, rows, (row) =>
        label ? formatValue(label, row[label.name]) : rangeText(range, screen.fields, row),
      ),
    );
  }
  return gaps;
}
