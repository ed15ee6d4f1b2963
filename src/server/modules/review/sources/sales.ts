import type { Forecast, Method } from '../../../../domain/review/forecast.ts';
import { forecast } from '../../../../domain/review/forecast.ts';
import type { Outlook, SalesEvent } from '../../../../domain/review/sales_outlook.ts';
import { monthAfter, outlook } from '../../../../domain/review/sales_outlook.ts';
import type { ReportCall, ReportRows, ReportSource } from '../../../engine/reports/report_source.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';

const YEARS = 5;
const STEPS = 6;
const SHOWN_MONTHS = 18;
const SERIES = 60;

/** The methods by name. */
const METHODS: Record<Method, string> = {
  naive: 'Last year again',
  simple: 'Smoothing',
  damped: 'Damped trend',
  rare: 'Rare sales',
  additive: 'Trend and season, added',
  multiplicative: 'Trend and season, multiplied',
};

/** The method of a forecast, as the charts name it. */
export const methodOf = ({ method, repeatsLast }: Pick<Forecast, 'method' | 'repeatsLast'>): string =>
  method === 'naive' && repeatsLast ? 'Last month again' : METHODS[method];

/** Said where nothing was sold yet. */
export const NOTHING = 'No sales to learn from.';

/** The summed measure of a sale. */
const MEASURES = { amount: 's.amount', pieces: 's.pieces', grams: 's.net_weight' } as const;

const rounded = (value: number, decimals = 0): number => Number(value.toFixed(decimals));

/** The requested sales that the reader may see, by day, or by store, category and month. */
function readSales<Row extends object>(call: ReportCall, by: string): Promise<Row[]> {
  const reader = new SourceReader(call);
  const { measure, store_id: store, category_id: category } = call.parameters;
  return reader.query<Row>((values) => {
    const today = `${values.bind(call.today)}::date`;
    return `select ${by}, sum(${MEASURES[(measure as keyof typeof MEASURES | null) ?? 'amount']})::float8 as sold
      from {line_sale} s join {jewel_line} l on l.id = s.line_id join {store} st on st.id = s.store_id join {category} c on c.id = l.category_id
      where s.entity_id = ${values.bind(call.session.entityId)} and s.sold_on <= ${today} and s.sold_on > ${today} - interval '${YEARS} years'
        and ${reader.seen('line_sale', 's', values)}
        ${typeof store === 'number' ? `and s.store_id = ${values.bind(store)}` : ''}
        ${typeof category === 'number' ? `and l.category_id = ${values.bind(category)}` : ''}
      group by ${by.replaceAll(/ as \w+/g, '')} order by 1`;
  });
}

/** Events of all branches and of the chosen store’s branch. */
function readEvents(call: ReportCall): Promise<(SalesEvent & { on: string })[]> {
  const reader = new SourceReader(call);
  const store = call.parameters.store_id;
  return reader.query<SalesEvent & { on: string }>(
    (
      values,
    ) => `select e.name, e.on_date::text as "on", (e.on_date - e.days_before)::text as "from", (e.on_date + e.days_after)::text as "to"
      from {event_calendar} e where e.entity_id = ${values.bind(call.session.entityId)} and ${reader.seen('event_calendar', 'e', values)}
        and (e.branch_id is null ${typeof store === 'number' ? `or e.branch_id = (select t.branch_id from {store} t where t.id = ${values.bind(store)})` : ''})
      order by e.on_date`,
  );
}

/** The effect of an assumed additional growth: displayed, never stored. */
const growth = ({ parameters }: ReportCall): number => 1 + Number(parameters.growth ?? 0) / 100;

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** Whether the chosen store sells on a day: not on its weekly day off. */
async function openDays(call: ReportCall): Promise<(day: string) => boolean> {
  const store = call.parameters.store_id;
  if (typeof store !== 'number') return () => true;
  const reader = new SourceReader(call);
  const [found] = await reader.query<{ off: string | null }>(
    (values) => `select t.weekly_off as off from {store} t where t.id = ${values.bind(store)}
      and ${reader.seen('store', 't', values)}`,
  );
  const off = WEEKDAYS.indexOf(found?.off ?? 'none');
  return (day) => new Date(`${day}T00:00:00Z`).getUTCDay() !== off;
}

async function look(call: ReportCall): Promise<{ found: Outlook; events: (SalesEvent & { on: string })[] }> {
  const days = await readSales<{ day: string; sold: number }>(call, 's.sold_on::text as day');
  const events = await readEvents(call);
  const sold = new Map(days.map(({ day, sold: amount }) => [day, amount]));
  return { found: outlook(sold, events, call.today, STEPS, await openDays(call)), events };
}

interface StoreSeries {
  store: string;
  category: string;
  /** Sales by month. */
  sold: Map<string, number>;
  /** The forecast of the coming months from all months before this one. */
  found: Forecast;
}

/** The sales of each category in each store, with their forecast of so many months. */
export async function storeForecasts(call: ReportCall, steps: number): Promise<StoreSeries[]> {
  const rows = await readSales<{ month: string; store: string; category: string; sold: number }>(
    call,
    `to_char(s.sold_on, 'YYYY-MM') as month, st.name as store, c.name as category`,
  );
  const current = call.today.slice(0, 7);
  const series = [...Map.groupBy(rows, ({ store, category }) => `${store}\n${category}`).values()];
  return series.flatMap((own) => {
    const sold = new Map(own.map(({ month, sold: amount }) => [month, amount]));
    const months: string[] = [];
    for (let month = own[0]!.month; month < current; month = monthAfter(month, 1)) months.push(month);
    const values = months.map((month) => sold.get(month) ?? 0);
    const found = forecast(values, 12, steps);
    return found ? [{ store: own[0]!.store, category: own[0]!.category, sold, found }] : [];
  });
}

/** Stores by category: the coming months against those of last year. */
async function table(call: ReportCall): Promise<ReportRows> {
  const current = call.today.slice(0, 7);
  const three = (of: (at: number) => number) => [0, 1, 2].reduce((sum, at) => sum + of(at), 0);
  return {
    rows: (await storeForecasts(call, 3))
      .map(({ store, category, sold, found }) => ({
        store,
        category,
        now: rounded(found.ahead[0]!.point * growth(call)),
        three: rounded(three((at) => found.ahead[at]!.point) * growth(call)),
        year_before: rounded(three((at) => sold.get(monthAfter(current, at - 12)) ?? 0)),
        method: methodOf(found),
        off: found.errors && rounded(found.errors.wape, 1),
      }))
      .toSorted((a, b) => b.three - a.three)
      .slice(0, SERIES),
  };
}

function chart(call: ReportCall, { months, forecast: found }: Outlook): ReportRows {
  if (found === null) return { rows: [], note: NOTHING };
  const current = call.today.slice(0, 7);
  const past = months.slice(-SHOWN_MONTHS).map(({ month, sold }) => ({
    month,
    sold: rounded(sold),
    expected: null,
    low: null,
    high: null,
  }));
  const ahead = found.ahead.map(({ point, low, high }, at) => ({
    month: monthAfter(current, at),
    sold: null,
    expected: rounded(point * growth(call)),
    low: rounded(low * growth(call)),
    high: rounded(high * growth(call)),
  }));
  const why = found.isShort ? ', because there are fewer than two years of sales' : '';
  return { rows: [...past, ...ahead], note: `Method: ${methodOf(found)}${why}.` };
}

/** The figures of a tile. */
async function answer(call: ReportCall): Promise<ReportRows> {
  if (call.args?.as === 'table') return table(call);
  const { found, events } = await look(call);
  const { forecast: expected, pace, factors } = found;
  switch (call.args?.as) {
    case 'month':
      return expected
        ? { rows: [{ value: rounded(expected.ahead[0]!.point * growth(call)) }], note: methodOf(expected) }
        : { rows: [], note: NOTHING };
    case 'half':
      return expected
        ? {
            rows: [{ value: rounded(expected.ahead.reduce((sum, { point }) => sum + point, 0) * growth(call)) }],
            note: methodOf(expected),
          }
        : { rows: [], note: NOTHING };
    case 'off': {
      if (expected === null) return { rows: [], note: NOTHING };
      if (!expected.errors) return { rows: [], note: 'There are too few months to test a forecast.' };
      const { wape, bias } = expected.errors;
      const side =
        Math.abs(bias) < 0.05 ? 'on neither side' : `${rounded(Math.abs(bias), 1)} % too ${bias > 0 ? 'high' : 'low'}`;
      return { rows: [{ value: rounded(wape, 1) }], note: `${methodOf(expected)}, on the whole ${side}` };
    }
    case 'pace':
      return {
        rows: pace.end === null ? [] : [{ value: rounded(pace.end) }],
        note: `${new Intl.NumberFormat('en-IN').format(Math.round(pace.reached))} so far; usually ${rounded(100 * pace.usualShare)} % of a month`,
      };
    case 'methods':
      return {
        rows: (expected?.tested ?? [])
          .toSorted((a, b) => a.wape - b.wape)
          .map(({ method, wape }) => ({ method: METHODS[method], off: rounded(wape, 1) })),
      };
    case 'events':
      return {
        rows: events
          .filter(({ to }) => to >= call.today)
          .slice(0, 10)
          .map(({ name, on, from, to }) => ({
            event: name,
            on,
            from,
            to,
            times: factors.has(name) ? rounded(factors.get(name)!, 1) : null,
          })),
      };
    default:
      return chart(call, found);
  }
}

/** The types that a forecast of sales reads. */
export const SALES_READS = {
  line_sale: ['amount', 'pieces', 'net_weight'],
  jewel_line: [],
  store: ['name', 'weekly_off'],
  category: ['name'],
  event_calendar: ['on_date'],
} as const;

/** The past and coming months of all chosen sales. */
export async function monthsAhead(call: ReportCall): Promise<ReportRows['rows']> {
  return chart(call, (await look(call)).found).rows;
}

/** The sales forecast from past sales: months, festivals, stores (performance.md §5.19). */
const sales: ReportSource = {
  reads: SALES_READS,
  rows: answer,
};

export default sales;
