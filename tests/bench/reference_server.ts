/**
 * The yardstick of `npm run bench`: what one would write by hand for one table, nothing else.
 * No session, no rights, no choice of company, no checks: Fastify, pg, one prepared statement a call. What it
 * reads and writes is what the engine reads and writes: a list's rows have the same columns and labels, an insert
 * leaves the same record with the same line of history and the same entry for the search, and answers with the same
 * columns and labels. Its pool has the product's size.
 */
import Fastify from 'fastify';
import { Pool, types } from 'pg';
import { visitsByHand } from './visits_by_hand.ts';

const schema = '"cmp_demo"';
types.setTypeParser(20, Number);
for (const oid of [1082, 1114, 1184]) types.setTypeParser(oid, (text) => text);

const pool = new Pool({ connectionString: process.env.REFERENCE_DATABASE_URL, max: 10 });
const columns =
  'id, version, active, created_at, created_by, updated_at, updated_by, entity_id, number, title, branch_id, customer_id, lift_make_id, status, amount, qty, start_date';
const listText = (where: string, size: number) => `
  select t.*, r0.name as branch_id__label, r1.name as customer_id__label, r2.name as lift_make_id__label
  from (select ${columns} from ${schema}.bench_contract ${where} order by start_date desc, id desc limit ${size} offset $1) t
  left join ${schema}.branch r0 on r0.id = t.branch_id
  left join ${schema}.bench_customer r1 on r1.id = t.customer_id
  left join ${schema}.bench_make r2 on r2.id = t.lift_make_id
  order by t.start_date desc, t.id desc`;

const user = 1;
/** The part of a statement that enters what its part `r` returned into the table that is searched over all types. */
const entryText = (type: string, title: string, code: string, text: string) => `
  f as (
    insert into ${schema}.search_entry (record_type, record_id, entity_id, place, title, code, text)
    select '${type}', r.id, r.entity_id, 3, ${title}, ${code}, ${text} from r
    on conflict (record_type, record_id) do update set entity_id = excluded.entity_id, place = excluded.place,
      title = excluded.title, code = excluded.code, text = excluded.text
  )`;
const written = [
  'number',
  'title',
  'branch_id',
  'customer_id',
  'lift_make_id',
  'status',
  'amount',
  'qty',
  'start_date',
];
const insertText = `
  with r as (
    insert into ${schema}.bench_contract (entity_id, ${written.join(', ')}, created_by, updated_by)
    values (1, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) returning *
  ), h as (
    insert into ${schema}.history (record_type, record_id, entity_id, version, op, by, what, change)
    select 'bench_contract', r.id, 1, r.version, 'I', $10, 'form', $11::jsonb from r
  ), ${entryText('bench_contract', 'lower(r.number)', 'lower(r.title)', `lower(r.number || ' ' || r.title)`)}
  select r.*, r0.name as branch_id__label, r1.name as customer_id__label, r2.name as lift_make_id__label, u0.name as created_by__label, u1.name as updated_by__label
  from r
  left join ${schema}.branch r0 on r0.id = r.branch_id
  left join ${schema}.bench_customer r1 on r1.id = r.customer_id
  left join ${schema}.bench_make r2 on r2.id = r.lift_make_id
  left join ${schema}.users u0 on u0.id = r.created_by
  left join ${schema}.users u1 on u1.id = r.updated_by`;

const app = Fastify();

app.get<{ Querystring: { page?: string; size?: string; status?: string } }>('/list', async (request) => {
  const size = Number(request.query.size ?? 20);
  const offset = (Number(request.query.page ?? 1) - 1) * size;
  const { status } = request.query;
  const { rows } = status
    ? await pool.query({
        name: `list_status_${size}`,
        text: listText('where entity_id = 1 and active and status = $2', size),
        values: [offset, status],
      })
    : await pool.query({
        name: `list_${size}`,
        text: listText('where entity_id = 1 and active', size),
        values: [offset],
      });
  return { data: rows };
});

app.get('/visits', async () => {
  const { rows } = await pool.query({ name: 'visits', text: visitsByHand, values: [user] });
  return { data: rows };
});

app.post<{ Body: Record<string, unknown> }>('/insert', async (request, reply) => {
  const b = request.body;
  const change = Object.fromEntries(written.map((name) => [name, [null, b[name]]]));
  const { rows } = await pool.query({
    name: 'insert',
    text: insertText,
    values: [...written.map((name) => b[name]), user, JSON.stringify(change)],
  });
  return reply.code(201).send({ data: rows[0] });
});

/** A document with its number, rows, total and line of history in one statement, read back with its labels. */
const documentText = `
  with x as (
    select row_number() over () - 1 as position, item, make_id, qty, rate, round(qty * rate, 2) as amount
    from jsonb_to_recordset($4::jsonb) x(item text, make_id bigint, qty numeric, rate numeric)
  ), n as (
    insert into ${schema}.number_counter (key, value) values ('by hand', 1)
    on conflict (key) do update set value = number_counter.value + 1 returning value
  ), r as (
    insert into ${schema}.bench_document (entity_id, number, dated_on, customer_id, total, status, created_by, updated_by)
    select 1, 'BH/' || lpad(n.value::text, greatest(4, length(n.value::text)), '0'), $1, $2, (select sum(amount) from x), 'draft', $3, $3 from n
    returning id, version, entity_id, number
  ), c as (
    insert into ${schema}.bench_document__lines (parent_id, "position", item, make_id, qty, rate, amount)
    select r.id, x.position, x.item, x.make_id, x.qty, x.rate, x.amount from r, x
  ), h as (
    insert into ${schema}.history (record_type, record_id, entity_id, version, op, by, what, change)
    select 'bench_document', r.id, 1, r.version, 'I', $3, 'form', $5::jsonb from r
  ), ${entryText('bench_document', 'lower(r.number)', 'null', 'lower(r.number)')}
  select id from r`;
const documentRead = `
  select t.*, c.name as customer_id__label, u.name as created_by__label, u.name as updated_by__label,
    (select json_agg(x) from (
      select l.id, l.item, l.make_id, m.name as make_id__label, l.qty::text, l.rate::text, l.amount::text
      from ${schema}.bench_document__lines l left join ${schema}.bench_make m on m.id = l.make_id
      where l.parent_id = t.id order by l."position", l.id) x) as lines
  from ${schema}.bench_document t
  left join ${schema}.bench_customer c on c.id = t.customer_id left join ${schema}.users u on u.id = t.created_by
  where t.id = $1`;

app.post<{ Body: Record<string, unknown> }>('/document', async (request, reply) => {
  const { dated_on, customer_id, lines } = request.body;
  const change = { dated_on: [null, dated_on], customer_id: [null, customer_id], lines: [null, lines] };
  const made = await pool.query<{ id: number }>({
    name: 'document',
    text: documentText,
    values: [dated_on, customer_id, user, JSON.stringify(lines), JSON.stringify(change)],
  });
  const { rows } = await pool.query({ name: 'document_read', text: documentRead, values: [made.rows[0]!.id] });
  return reply.code(201).send({ data: rows[0] });
});

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
console.log('ready');
