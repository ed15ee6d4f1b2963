import { gapToMedian, quarterOf } from '../../../domain/benchmark_position.ts';
import type { Quartiles } from '../../../domain/benchmark_position.ts';
import type { ReadClientYears } from '../../platform/analytics/client_years.ts';
import { dayIn } from '../../services/clock/client_day.ts';
import type { Database } from '../../db/database.ts';
import { tableName } from '../../db/names.ts';
import { notFound } from '../../db/errors.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';

const TITLE = 'Benchmark position';

/** Per platform database: the reader of its clients' figures. */
const readers = new WeakMap<Database, ReadClientYears>();

/** Registers how figures of clients are read, which are stored in their own databases. */
export function readClientYearsBy(main: Database, read: ReadClientYears): void {
  readers.set(main.owner, read);
}

interface Client {
  name: string;
  sub_domain: string;
  industry_id: number | null;
  start_month: number;
  timezone: string;
}

interface Benchmark extends Quartiles {
  kpi: string;
  year: number;
  industry: number;
  industry_name: string;
  sample_size: number | null;
  source: string;
}

const WAYS = {
  off: 'lets nobody of the platform see its figures',
  ask: 'was not asked for its figures',
  asked: 'has not answered yet',
  refused: 'has refused',
} as const;

/**
 * Benchmark position (platform_admin.md §7): a client's figures within its industry, or the nearest industry above with
 * that figure. They are shown as on the client's dashboards on this host: only to people who may open those, and with
 * the client's consent.
 */
const benchmarkPosition: ReportSource = {
  reads: { client_account: [], bench_marking: [], industry: [] },
  async rows({ session, parameters, scoped }) {
    const { db, schema } = session.tenant;
    if (parameters.client === null) return { rows: [], note: 'Choose a client.' };
    const values = new SqlParams();
    const where = [
      `c.id = ${values.bind(parameters.client)}`,
      'c.active',
      `c.state = 'active'`,
      ...scoped('client_account', 'c', values),
    ];
    const [client] = await db.query<Client>(
      preparedStatement(
        `select c.name, c.sub_domain, c.industry_id, c.fy_start_month as start_month, c.timezone from ${tableName(schema, 'client_account')} c where ${where.join(' and ')}`,
        values.list,
      ),
    );
    const read = readers.get(db.owner);
    if (!client || !read) throw notFound();
    const { dashboards, figures } = await read(session, {
      subDomain: client.sub_domain,
      startMonth: client.start_month,
      today: dayIn(client.timezone),
      purpose: TITLE,
    });
    const closed = dashboards.flatMap(({ title, access }) =>
      access === 'open' ? [] : [`${title}: the client ${WAYS[access]}.`],
    );
    const chosen = figures.filter(
      ({ kpi, year }) =>
        (parameters.kpi === null || kpi.toLowerCase().includes(String(parameters.kpi).toLowerCase())) &&
        (parameters.year === null || String(parameters.year).startsWith(`${year}-`)),
    );
    const benchmarks = await db.query<Benchmark>(
      `with recursive above(id, parent_id, depth) as (
         select id, parent_id, 0 from ${tableName(schema, 'industry')} where id = $1 union all select i.id, i.parent_id, depth + 1 from above a join ${tableName(schema, 'industry')} i on i.id = a.parent_id where depth < 10)
       select distinct on (lower(b.kpi), b.year) lower(b.kpi) as kpi, b.year, b.direction, b.p25, b.median, b.p75, b.sample_size, b.source, i.id as industry, i.name as industry_name
       from above a join ${tableName(schema, 'bench_marking')} b on b.industry_id = a.id and b.active join ${tableName(schema, 'industry')} i on i.id = a.id
       where lower(b.kpi) = any($2) order by lower(b.kpi), b.year, a.depth`,
      [client.industry_id, chosen.map(({ kpi }) => kpi.toLowerCase())],
    );
    const rows = chosen
      .flatMap(({ kpi, unit, year, value }) => {
        const among = benchmarks.find((one) => one.kpi === kpi.toLowerCase() && one.year === year);
        if (!among) return [];
        const { industry, industry_name: label, sample_size: companies, source, direction, p25, median, p75 } = among;
        return [
          {
            kpi,
            unit,
            year: `${year}-${year + 1}`,
            value,
            quarter: String(quarterOf(value, among)),
            gap: gapToMedian(value, among),
            p25,
            median,
            p75,
            direction,
            industry,
            industry__label: label,
            companies,
            source,
          },
        ];
      })
      .toSorted((a, b) => a.kpi.localeCompare(b.kpi) || b.year.localeCompare(a.year));
    const notes = [
      ...closed,
      ...(closed.length > 0 ? ['Ask on the dashboard of that name.'] : []),
      ...(rows.length === 0 && chosen.length > 0 ? ['No benchmark of its industry covers one of its figures.'] : []),
    ];
    const note =
      dashboards.length === 0
        ? 'Your user type includes no dashboards of clients, so you cannot see their figures.'
        : notes.join(' ');
    return { rows, ...(note !== '' && { note }) };
  },
};

export default benchmarkPosition;
