import type { Database } from '../../src/server/db/database.ts';

const quoted = (name: string) => `"${name}"`;

/** Documents of a type to be made from those that are there. */
export interface CopiedDocuments {
  schema: string;
  type: string;
  /** Tables of its rows, `quotation__lines`; each copy has the rows of its original so many times. */
  rows: readonly { table: string; times: number }[];
  /** The field with the number, and what numbers of copies begin with. */
  number: { field: string; prefix: string };
  /** Dates that move together, so that copies lie in the last 365 days. */
  dates: readonly string[];
  /** Dates on which a step falls due by itself: of all copies in a month, so that the product has nothing to do for them. */
  due?: readonly string[];
  count: number;
}

/**
 * Makes a year of documents from those that are there, with their rows: each a copy of one of them with a number and days
 * of its own. They go in by SQL, for what they are read by is measured, not how they are made.
 * @returns the ids of the first and the last
 */
export async function copyDocuments(
  db: Database,
  { schema, type, rows, number, dates, due = [], count }: CopiedDocuments,
): Promise<[first: number, last: number]> {
  const s = quoted(schema);
  const columnsOf = async (table: string) =>
    (
      await db.query<{ name: string }>(
        `select column_name as name from information_schema.columns where table_schema = $1 and table_name = $2 and column_name <> 'id'`,
        [schema, table],
      )
    ).map(({ name }) => name);
  const [bounds] = await db.query<{ base: number; originals: number }>(
    `select max(id) as base, count(*)::int as originals from ${s}.${quoted(type)} where entity_id = 1`,
  );
  const { base, originals } = bounds!;
  if (originals === 0) throw new Error(`There is no ${type} to copy.`);
  const [first] = dates;
  const own = await columnsOf(type);
  const values = own.map((name) =>
    name === number.field
      ? `'${number.prefix}' || lpad(i::text, 6, '0')`
      : dates.includes(name)
        ? `current_date - (i * 37 % 365)::int + (o.${quoted(name)} - o.${quoted(first!)})`
        : due.includes(name)
          ? `current_date + 30`
          : `o.${quoted(name)}`,
  );
  const from = `generate_series(1, ${count}) i
    join (select row_number() over (order by id) - 1 as place, * from ${s}.${quoted(type)} where entity_id = 1 and id <= ${base}) o on o.place = i % ${originals}`;
  await db.query(
    `insert into ${s}.${quoted(type)} (id, ${own.map(quoted).join(', ')}) overriding system value select ${base} + i, ${values.join(', ')} from ${from}`,
  );
  for (const { table, times } of rows) {
    const columns = await columnsOf(table);
    const picked = columns.map((name) =>
      name === 'parent_id' ? `${base} + i` : name === 'position' ? `r.position + 1000 * k` : `r.${quoted(name)}`,
    );
    await db.query(
      `insert into ${s}.${quoted(table)} (${columns.map(quoted).join(', ')})
       select ${picked.join(', ')} from ${from} join ${s}.${quoted(table)} r on r.parent_id = o.id, generate_series(0, ${times - 1}) k`,
    );
  }
  await db.query(
    `select setval(pg_get_serial_sequence('${s}.${quoted(type)}', 'id'), (select max(id) from ${s}.${quoted(type)}))`,
  );
  for (const table of [type, ...rows.map((one) => one.table)]) await db.query(`vacuum analyze ${s}.${quoted(table)}`);
  return [base + 1, base + count];
}
