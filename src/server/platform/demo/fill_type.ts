import type { Field, Screen } from '../../../descriptor/types.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Queryable } from '../../db/database.ts';
import { literal, quoted } from '../../db/names.ts';
import { tableName } from '../../db/tables.ts';

const FIRST = [
  'Lotus',
  'Palm',
  'Coral',
  'Amber',
  'Cedar',
  'Silver',
  'Marina',
  'Heritage',
  'Garden',
  'Lake',
  'Temple',
  'Hill',
  'Royal',
  'Metro',
  'Orchid',
  'Sunrise',
];
const SECOND = [
  'Towers',
  'Residency',
  'Plaza',
  'Enclave',
  'Heights',
  'Arcade',
  'Gardens',
  'Court',
  'Chambers',
  'House',
  'Centre',
  'Park',
];

/**
 * Adds `count` records of any type in one statement, for benchmarks: realistic words, values within the limits of each
 * field, references to existing records. The database refuses types whose required references have no records.
 */
export async function fillType(
  db: Queryable,
  tenant: Pick<Tenant, 'schema'>,
  screen: Screen,
  count: number,
  entityId?: number,
): Promise<void> {
  const table = tableName(tenant.schema, screen.name);
  const single = new Set(screen.unique.flat());
  const sources: string[] = [];
  const columns: [string, string][] = screen.scope === 'entity' ? [['entity_id', String(entityId ?? 1)]] : [];
  for (const field of screen.fields) {
    if (field.type === 'ref' && field.ref) {
      if (field.ref.type === screen.name || (!field.required && single.has(field.name))) continue;
      const inCompany =
        screen.scope === 'entity' && (await hasCompany(db, tenant.schema, field.ref.type))
          ? ` where entity_id = ${entityId ?? 1}`
          : '';
      sources.push(
        `${quoted(`ids_${field.name}`)} as materialized (select array_agg(id) as ids from (select id from ${tableName(tenant.schema, field.ref.type)}${inCompany} order by id limit 1000) as known)`,
      );
      columns.push([
        field.name,
        `(select ids[1 + (i * 7919 % cardinality(ids))::int] from ${quoted(`ids_${field.name}`)})`,
      ]);
      continue;
    }
    const expression = valueOf(field, single.has(field.name));
    if (expression) columns.push([field.name, expression]);
  }
  const before = `select coalesce(max(id), 0) as last from ${table}`;
  await db.query(`with ${[`counted as materialized (${before})`, ...sources].join(', ')}
    insert into ${table} (${columns.map(([name]) => quoted(name)).join(', ')})
    select ${columns.map(([, expression]) => expression).join(', ')} from (select last + n as i from counted, generate_series(1, ${Math.trunc(count)}) as n) as numbers`);
  await db.query(`analyze ${table}`);
}

async function hasCompany(db: Queryable, schema: string, type: string): Promise<boolean> {
  const rows = await db.query(
    `select 1 from information_schema.columns where table_schema = $1 and table_name = $2 and column_name = 'entity_id'`,
    [schema, type],
  );
  return rows.length > 0;
}

function list(values: readonly (string | number)[]): string {
  return `array[${values.map((value) => literal(String(value))).join(', ')}]`;
}

/** The SQL expression of the value in row `i`; undefined = the column's default. */
function valueOf(field: Field, unique: boolean): string | undefined {
  const { minimum, maximum, maxLength, pattern } = field.schema as {
    minimum?: number;
    maximum?: number;
    maxLength?: number;
    pattern?: string;
  };
  const low = minimum ?? 0;
  const span = Math.max(1, Math.min(maximum ?? low + 100_000, low + 100_000) - low);
  if (field.options?.length && field.type === 'enum')
    return `(${list(field.options.map(({ value }) => value))})[1 + i % ${field.options.length}]`;
  switch (field.type) {
    case 'code':
      return `'B' || lpad(i::text, 8, '0')`;
    case 'name':
    case 'text': {
      if (pattern) return field.required ? `i::text` : undefined;
      const words = `(${list(FIRST)})[1 + (i * 31 % ${FIRST.length})::int] || ' ' || (${list(SECOND)})[1 + (i * 17 % ${SECOND.length})::int] || ' ' || i`;
      return unique || field.required || field.type === 'name'
        ? maxLength && maxLength < 30
          ? `i::text`
          : words
        : undefined;
    }
    case 'integer':
    case 'rating':
    case 'duration':
      return unique ? 'i' : `${low} + i % ${span}`;
    case 'money':
    case 'decimal':
    case 'quantity':
      return `${low} + round((i * 7919 % ${span * 100}::bigint)::numeric / 100, 2)`;
    case 'percent':
      return `(i * 13 % 10000)::numeric / 100`;
    case 'boolean':
      return `i % 2 = 0`;
    case 'date':
      return `current_date - (i % 3650)::int`;
    case 'datetime':
      return `now() - make_interval(mins => (i % 500000)::int)`;
    case 'time':
      return `time '08:00' + make_interval(mins => (i % 600)::int)`;
    case 'email':
      return `'person' || i || '@acmelifts.in'`;
    case 'phone':
      return `'+919' || lpad((i % 1000000000)::text, 9, '0')`;
    case 'tags':
      return field.required ? `array[${literal('other')}]` : undefined;
    case 'pincode':
      return `(600001 + i % 99999)::text`;
    default:
      return undefined;
  }
}
