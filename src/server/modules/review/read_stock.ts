import type { DemandClass, ValueClass } from '../../../domain/review/stock_classes.ts';
import { cover, demandClass, valueClasses } from '../../../domain/review/stock_classes.ts';
import type { LineDemand } from '../../../domain/review/reorder_point.ts';
import { orderNow, reorderPoint } from '../../../domain/review/reorder_point.ts';
import type { ReportCall } from '../../engine/reports/report_source.ts';
import { SourceReader } from '../../engine/reports/source_reader.ts';

/** The types and fields from which stock figures are derived. */
export const STOCK_READS = {
  jewel_line: ['name'],
  store: ['name'],
  jewel_piece: ['tag_no', 'net_weight', 'cost', 'received_on', 'state'],
  line_stock: ['pieces', 'net_weight', 'cost', 'received_on', 'on_order'],
  line_sale: ['pieces', 'net_weight', 'amount', 'cost'],
  category: ['name'],
  metal_rate: ['rate_per_gram'],
  inventory_policy: [],
} as const;

/** The stock policy of a company. */
export interface StockPolicy {
  abc_a: number;
  abc_b: number;
  x_max: number;
  y_max: number;
  slow_days: number;
  dead_days: number;
  carrying_percent: number;
  melt_loss_percent: number;
  demand_window_days: number;
  classes: ClassPolicy[];
}

/** How lines of a class are ordered; null = all demand classes, or as the line says. */
interface ClassPolicy {
  abc: ValueClass;
  xyz: DemandClass | null;
  service: number | null;
  review: number | null;
}

const USUAL: StockPolicy = {
  abc_a: 80,
  abc_b: 95,
  x_max: 0.5,
  y_max: 1,
  slow_days: 180,
  dead_days: 365,
  carrying_percent: 12,
  melt_loss_percent: 1.5,
  demand_window_days: 90,
  classes: [],
};

/** A line in a store: stock, sales, and its reorder point. */
export interface StoreLine {
  store: number;
  storeName: string;
  targetDays: number;
  maxDays: number;
  line: number;
  name: string;
  category: string;
  purity: string;
  weight: string;
  price: string;
  pieces: number;
  onOrder: number;
  grams: number;
  cost: number;
  /** Days since the oldest piece was received, and since the last sale; null = unknown, or none. */
  age: number | null;
  unsold: number | null;
  /** Pieces sold in the policy’s demand period. */
  sold: number;
  window: number;
  aDay: number;
  /** For the last 12 months. */
  amount: number;
  costOfSales: number;
  /** Metal value at the latest rate; null = no rate. */
  metal: number | null;
  makingPercent: number;
  reorder: number;
  upTo: number;
  order: number;
  cover: number | null;
  demand: LineDemand;
  pack: number;
  isDead: boolean;
  isSlow: boolean;
  policy: StockPolicy;
}

/** A single piece that a store owns, in it or with a customer on approval. */
export interface Piece {
  tag: string;
  huid: string | null;
  store: number;
  line: number;
  grams: number;
  cost: number;
  /** Empty = that of the line. */
  making: number | null;
  /** Days since it was received. */
  age: number;
  isHere: boolean;
}

/** A line over all requested stores. */
export interface LineClass {
  line: number;
  abc: ValueClass;
  xyz: DemandClass;
}

interface Row {
  store: number;
  store_name: string;
  target_days: number | null;
  most_days: number | null;
  store_lead: number | null;
  line: number;
  name: string;
  category: string;
  purity: string;
  weight_from: number | null;
  weight_to: number | null;
  price_from: number | null;
  price_to: number | null;
  lead_days: number | null;
  lead_sd: number | null;
  review_days: number | null;
  service: number | null;
  pack: number | null;
  making: number | null;
  pieces: number;
  on_order: number | null;
  grams: number | null;
  cost: number;
  age: number | null;
  unsold: number | null;
  sold: number | null;
  squares: number | null;
  amount: number | null;
  sales_cost: number | null;
  rate: number | null;
}

const MONTHS = 12;
const LEAD_DAYS = 7;

const span = (from: number | null, to: number | null, unit: string): string =>
  from === null && to === null ? 'Any' : to === null ? `From ${from!}${unit}` : `${from ?? 0}–${to}${unit}`;

const thousands = (amount: number | null): number | null => (amount === null ? null : amount / 1000);

/** The policies by store; the general one under null. */
async function policies(reader: SourceReader, company: number | null): Promise<Map<number | null, StockPolicy>> {
  const rows = await reader.query<StockPolicy & { store_id: number | null }>(
    (values) =>
      `select p.store_id, (select coalesce(jsonb_agg(jsonb_build_object('abc', c.abc, 'xyz', c.xyz, 'service', c.service_level::float8,
          'review', c.review_days) order by c.xyz nulls last), '[]') from {inventory_policy.classes} c where c.parent_id = p.id) as classes, ${Object.keys(
            USUAL,
          )
            .filter((name) => name !== 'classes')
            .map((name) => `p.${name}::float8 as ${name}`)
            .join(', ')} from {inventory_policy} p where p.active and p.entity_id = ${values.bind(company)}`,
  );
  return new Map(rows.map((row) => [row.store_id, row]));
}

/** The lines of the requested stores that the reader may see. */
export async function readStoreLines(call: ReportCall): Promise<StoreLine[]> {
  const reader = new SourceReader(call);
  const { entityId } = call.session;
  const known = await policies(reader, entityId);
  const days = Math.max(USUAL.demand_window_days, ...[...known.values()].map((one) => one.demand_window_days));
  const rows = await reader.query<Row>((values) => {
    const today = `${values.bind(call.today)}::date`;
    const company = values.bind(entityId);
    const policy = `(select p.demand_window_days from {inventory_policy} p where p.active and p.entity_id = ${company}
      and (p.store_id = d.store_id or p.store_id is null) order by p.store_id nulls last limit 1)`;
    return `with d as (
        select s.store_id, s.line_id, s.sold_on, sum(s.pieces)::float8 as pieces, sum(s.amount)::float8 as amount, sum(s.cost)::float8 as cost
        from {line_sale} s where s.entity_id = ${company} and s.sold_on > ${today} - greatest(365, ${values.bind(days)}::int)
          and s.sold_on <= ${today} and ${reader.seen('line_sale', 's', values)} group by 1, 2, 3),
      sold as (
        select d.store_id, d.line_id, sum(d.amount) filter (where d.sold_on > ${today} - 365) as amount,
          sum(d.cost) filter (where d.sold_on > ${today} - 365) as cost,
          sum(d.pieces) filter (where d.sold_on > ${today} - coalesce(${policy}, ${USUAL.demand_window_days})) as pieces,
          sum(d.pieces * d.pieces) filter (where d.sold_on > ${today} - coalesce(${policy}, ${USUAL.demand_window_days})) as squares
        from d group by 1, 2)
      select st.id as store, st.name as store_name, st.target_cover_days as target_days, st.max_cover_days as most_days,
        st.lead_time_days as store_lead, l.id as line, l.name, c.name as category, l.purity, l.weight_from::float8, l.weight_to::float8,
        l.price_from::float8, l.price_to::float8, l.lead_time_days as lead_days, l.lead_time_sd::float8 as lead_sd, l.review_days,
        l.service_level::float8 as service, l.pack, l.making_percent::float8 as making, k.pieces, k.on_order, k.net_weight::float8 as grams,
        k.cost::float8 as cost, ${today} - k.received_on as age,
        ${today} - (select max(x.sold_on) from {line_sale} x where x.line_id = l.id and x.store_id = st.id and x.active and x.pieces > 0) as unsold,
        sold.pieces as sold, sold.squares, sold.amount, sold.cost as sales_cost,
        (select r.rate_per_gram::float8 from {metal_rate} r where r.active and r.entity_id = ${company} and r.metal = l.metal
          and r.purity = l.purity and r.on_date <= ${today} order by r.on_date desc limit 1) as rate
      from {line_stock} k join {jewel_line} l on l.id = k.line_id join {store} st on st.id = k.store_id
        join {category} c on c.id = l.category_id left join sold on sold.store_id = k.store_id and sold.line_id = k.line_id
      where k.entity_id = ${company} and l.active and ${reader.seen('line_stock', 'k', values)} and ${reader.seen('store', 'st', values)}
        ${typeof call.parameters.store_id === 'number' ? `and k.store_id = ${values.bind(call.parameters.store_id)}` : ''}
        ${typeof call.parameters.category_id === 'number' ? `and l.category_id = ${values.bind(call.parameters.category_id)}` : ''}
      order by st.name, l.name`;
  });
  return rows.map((row) => storeLine(row, known.get(row.store) ?? known.get(null) ?? USUAL));
}

export const placeKey = ({ store, line }: { store: number; line: number }): string => `${store} ${line}`;

/** The pieces of lines in their stores that the reader may see, by place, the oldest first. */
export async function readPieces(call: ReportCall, lines: readonly StoreLine[]): Promise<Map<string, Piece[]>> {
  const reader = new SourceReader(call);
  const rows = await reader.query<Piece>(
    (
      values,
    ) => `select p.tag_no as tag, p.huid, p.store_id as store, p.line_id as line, p.net_weight::float8 as grams, p.cost::float8 as cost,
        p.making_percent::float8 as making, ${values.bind(call.today)}::date - p.received_on as age, p.state = 'in_stock' as "isHere"
      from {jewel_piece} p where p.entity_id = ${values.bind(call.session.entityId)} and p.state in ('in_stock', 'on_approval')
        and p.store_id = any(${values.bind([...new Set(lines.map(({ store }) => store))])})
        and p.line_id = any(${values.bind([...new Set(lines.map(({ line }) => line))])}) and ${reader.seen('jewel_piece', 'p', values)}
      order by p.received_on, p.tag_no`,
  );
  return Map.groupBy(rows, placeKey);
}

/** When a line is ordered, and how much now. @param stock in the store and on order */
function orderOf(demand: LineDemand, stock: number, pack: number) {
  const point = reorderPoint(demand);
  return {
    reorder: Math.ceil(point.reorder),
    upTo: Math.ceil(point.upTo),
    order: demand.aDay === 0 ? 0 : orderNow(point, stock, pack),
  };
}

/** The lines as their stores' policies order lines of their classes. */
export function orderedByClass(lines: readonly StoreLine[], classes: readonly LineClass[]): StoreLine[] {
  const byLine = new Map(classes.map((one) => [one.line, one]));
  return lines.map((line) => {
    const own = byLine.get(line.line);
    const policy = line.policy.classes.find(({ abc, xyz }) => abc === own?.abc && (xyz === null || xyz === own.xyz));
    if (!policy) return line;
    const demand = {
      ...line.demand,
      servicePercent: policy.service ?? line.demand.servicePercent,
      reviewDays: policy.review ?? line.demand.reviewDays,
    };
    return { ...line, demand, ...orderOf(demand, line.pieces + line.onOrder, line.pack) };
  });
}

function storeLine(row: Row, policy: StockPolicy): StoreLine {
  const window = policy.demand_window_days;
  const sold = Math.max(0, row.sold ?? 0);
  const aDay = sold / window;
  const demand = {
    aDay,
    deviation: Math.sqrt(Math.max(0, (row.squares ?? 0) / window - aDay ** 2)),
    leadDays: row.lead_days ?? row.store_lead ?? LEAD_DAYS,
    leadDeviation: row.lead_sd ?? 0,
    reviewDays: row.review_days ?? LEAD_DAYS,
    servicePercent: row.service ?? 95,
  };
  const { pieces } = row;
  const onOrder = row.on_order ?? 0;
  // A line that was never sold is as old as its oldest piece.
  const idle = row.unsold ?? row.age;
  return {
    store: row.store,
    storeName: row.store_name,
    targetDays: row.target_days ?? 45,
    maxDays: row.most_days ?? 90,
    line: row.line,
    name: row.name,
    category: row.category,
    purity: row.purity,
    weight: span(row.weight_from, row.weight_to, ' g'),
    price: span(thousands(row.price_from), thousands(row.price_to), ''),
    pieces,
    onOrder,
    grams: row.grams ?? 0,
    cost: row.cost,
    age: row.age,
    unsold: row.unsold,
    sold,
    window,
    aDay,
    amount: row.amount ?? 0,
    costOfSales: row.sales_cost ?? 0,
    metal: row.rate === null || row.grams === null ? null : row.rate * row.grams,
    makingPercent: row.making ?? 0,
    ...orderOf(demand, pieces + onOrder, row.pack ?? 1),
    demand,
    pack: row.pack ?? 1,
    cover: cover(pieces, sold, window),
    isDead: pieces > 0 && idle !== null && idle > policy.dead_days,
    isSlow: pieces > 0 && idle !== null && idle > policy.slow_days && idle <= policy.dead_days,
    policy,
  };
}

/** The classes of lines over the requested stores. */
export async function readClasses(call: ReportCall, lines: readonly StoreLine[]): Promise<LineClass[]> {
  const reader = new SourceReader(call);
  const stores = [...new Set(lines.map(({ store }) => store))];
  const rows = await reader.query<{ line: number; back: number; pieces: number }>((values) => {
    const today = `${values.bind(call.today)}::date`;
    return `select s.line_id as line, (extract(year from age(date_trunc('month', ${today}), date_trunc('month', s.sold_on))) * 12
        + extract(month from age(date_trunc('month', ${today}), date_trunc('month', s.sold_on))))::int as back, sum(s.pieces)::float8 as pieces
      from {line_sale} s where s.store_id = any(${values.bind(stores)}) and s.sold_on < date_trunc('month', ${today})
        and s.sold_on >= date_trunc('month', ${today}) - interval '${MONTHS} months' and ${reader.seen('line_sale', 's', values)} group by 1, 2`;
  });
  const byLine = [...Map.groupBy(lines, ({ line }) => line)];
  const { abc_a: a, abc_b: b, x_max: x, y_max: y } = lines[0]?.policy ?? USUAL;
  const values = valueClasses(
    byLine.map(([, own]) => own.reduce((sum, one) => sum + one.amount, 0)),
    a,
    b,
  );
  return byLine.map(([line], at) => {
    const own = rows.filter((row) => row.line === line);
    const oldest = Math.max(0, ...own.map(({ back }) => back));
    const months = Array.from(
      { length: oldest },
      (_, month) => own.find(({ back }) => back === oldest - month)?.pieces ?? 0,
    );
    return { line, abc: values[at]!, xyz: demandClass(months, x, y) };
  });
}
