import { describe, expect, it } from 'vitest';
import { placeholders, statementOf, viewProblems } from '../../../src/descriptor/view_sql.ts';
import type { Screen } from '../../../src/descriptor/types.ts';

const order = { name: 'order', fields: [{ name: 'lines', rows: [] }] } as unknown as Screen;
const types = new Map([['order', { screen: order }]]);
const wrong = (sql: string) =>
  viewProblems(
    {
      name: 'open_order',
      reads: { order: ['total', 'lines'] },
      parameters: [{ name: 'as_on' }],
      sql,
    } as unknown as Screen,
    types,
  ).map(({ message }) => message);

describe('the statement of a view', () => {
  it('ignores comments and keywords inside texts', () => {
    expect(statementOf("-- a person's {x}\nselect 'don''t; delete' /* drop */ as a;\n")).toBe(
      "select 'don''t; delete'   as a",
    );
    expect(placeholders("select {:as_on}, '{order}' from {order} o join {order.lines} l on true")).toMatchObject([
      { parameter: 'as_on' },
      { type: 'order' },
      { type: 'order', rows: 'lines' },
    ]);
  });

  it.each([
    'select o.id, o.total from {order} o where o.dated <= {:as_on}',
    'with open as (select * from {order} o), two (a, b) as materialized (select 1, 2) select open.id from open, two',
    'select d::date as id from generate_series(1, 3) d cross join lateral (select 1 from {order.lines} l) x',
    'select o.id, {:today} - o.dated as age from {order} o',
    'select o.id, (o.made_at at time zone {:zone})::date as made_on, {:now} - o.made_at as age from {order} o',
    "select id, 'insert into x' as words, extract(year from o.dated) as year from {order} o",
  ])('may be %s', (sql) => expect(wrong(sql)).toEqual([]));

  it.each([
    ['', /is missing/],
    ['update {order} set total = 1', /does not begin with select/],
    ['select 1; select 2', /several statements/],
    ['with gone as (delete from {order} returning id) select id from gone', /"delete" stands in/],
    ['select id into copy_of from {order} o', /"into" stands in/],
    ["select nextval('x') as id", /cannot use nextval/],
    ["select pg_read_file('/etc/passwd') as id", /cannot use pg_read_file/],
    ['select id from users', /"users" in open_order.sql is read past the rights/],
    ['select id from {order} o join "other_client"."order" x on true', /past the rights/],
    ['select id from {customer} c', /not among what the view reads/],
    ['select id from {order.history} h', /no rows that the view reads/],
    ['select id from {order} o where dated < {:day}', /is not a parameter/],
    [
      'select id, o.made_at::date as made_on from {order} o',
      /made_at::date in open_order.sql takes the day of the database/,
    ],
    ['select id, current_date - o.dated as age from {order} o', /day of the database/],
  ])('is not %s', (sql, message) => expect(wrong(sql).join('\n')).toMatch(message));
});
