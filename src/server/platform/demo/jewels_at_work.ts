import type { Screen } from '../../../descriptor/types.ts';
import { tableName } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';
import { ensureTables } from '../../db/tenants.ts';
import { addDays } from './dates.ts';
import { DemoPerson, letPeopleWork } from './demo_people.ts';
import { Random } from './random.ts';

/** The company with jewellery stores. */
const COMPANY = 'ARP';
const DAYS = 850;
/** How much of the year's mean is sold in each month, from January on. */
const SEASON = [0.9, 0.95, 0.85, 1.1, 1.15, 0.75, 0.7, 0.85, 0.9, 1.35, 1.4, 1.1];
/** Per store, in their order: how much it sells beside the others. */
const SIZE = [1.6, 0.8, 1, 1.3, 0.4];
/** A kiosk carries no line above this price. */
const KIOSK_UP_TO = 1_00_000;
/** So many times a usual day is sold on the days of an event. */
const FESTIVAL = 4.5;

interface Line extends Record<string, unknown> {
  id: number;
  grams: number;
  price: number;
  making: number;
}

/** Adds two years and more of sales to the jewellery stores, and what they have now: dead lines and empty trays too. */
export async function addJewelsAtWork(
  tenant: Tenant,
  screens: ReadonlyMap<string, Screen>,
  today: string,
): Promise<void> {
  if (!screens.has('line_sale')) return;
  const types = [...screens.values()].filter(({ folder }) => folder === 'review').map(({ name }) => name);
  await ensureTables(tenant, screens, types);
  const table = (type: string) => tableName(tenant.schema, type);
  const [company] = await tenant.db.query<{ id: number }>(`select id from ${table('entity')} where code = $1`, [
    COMPANY,
  ]);
  if (!company || (await tenant.db.query(`select 1 from ${table('line_sale')} limit 1`)).length > 0) return;
  const stores = await tenant.db.query<{ id: number; format: string }>(
    `select id, format from ${table('store')} where entity_id = $1 and active order by code`,
    [company.id],
  );
  const lines = await tenant.db.query<Line>(
    `select id, (coalesce(weight_from, 1) + coalesce(weight_to, weight_from, 3))::float8 / 2 as grams,
       (coalesce(price_from, 0) + coalesce(price_to, price_from, 10000))::float8 / 2 as price, coalesce(making_percent, 10)::float8 as making
     from ${table('jewel_line')} where entity_id = $1 and active order by code`,
    [company.id],
  );
  const festivals = await tenant.db.query<{ from: string; to: string }>(
    `select (on_date - days_before)::text as "from", (on_date + days_after)::text as "to" from ${table('event_calendar')} where entity_id = $1`,
    [company.id],
  );
  const random = new Random(1904);
  const sales: Record<string, unknown>[] = [];
  const stock: Record<string, unknown>[] = [];
  const tags: Record<string, unknown>[] = [];
  for (const [place, store] of stores.entries())
    for (const [at, line] of lines.entries()) {
      // Each store leaves some lines to the others.
      if ((store.format === 'kiosk' && line.price > KIOSK_UP_TO) || (place + at) % 5 === 4) continue;
      // The last lines have gone out of fashion: they were sold once, and lie there since.
      const isDead = at >= lines.length - 2;
      const aDay = isDead
        ? 0
        : ((SIZE[place % SIZE.length]! * (1 + (lines.length - at) / lines.length)) / 28) * (at % 5 === 4 ? 0.3 : 1);
      let late = 0;
      for (let back = DAYS; back >= 1; back--) {
        const day = addDays(today, -back);
        const isFestival = festivals.some(({ from, to }) => from <= day && day <= to);
        const growth = 1 + ((DAYS - back) / DAYS) * 0.2;
        const chance = aDay * SEASON[Number(day.slice(5, 7)) - 1]! * growth * (isFestival ? FESTIVAL : 1);
        if (random.next() >= chance) continue;
        const pieces = chance > 0.3 && random.next() < 0.3 ? 2 : 1;
        if (back <= 90) late += pieces;
        sales.push({
          source_ref: `S${place + 1}-${at + 1}-${day}`,
          store_id: store.id,
          line_id: line.id,
          sold_on: day,
          pieces,
          net_weight: (line.grams * pieces).toFixed(3),
          amount: (line.price * pieces).toFixed(2),
          cost: (line.price * pieces * 0.86).toFixed(2),
        });
      }
      const pieces = isDead ? 3 + (place % 3) : Math.round(late * (0.2 + ((place * 7 + at * 3) % 9) / 4));
      const oldest = isDead ? 500 + place * 40 : 20 + ((place * 53 + at * 31) % 300);
      for (let piece = 0; piece < pieces; piece++) {
        const grams = line.grams * (0.9 + ((piece * 7 + at) % 5) * 0.05);
        const number = tags.length + 1;
        tags.push({
          tag_no: `T${place + 1}-${String(number).padStart(5, '0')}`,
          huid: `A${(number * 7919 + 100_000).toString(36).toUpperCase().padStart(5, '0').slice(-5)}`,
          line_id: line.id,
          store_id: store.id,
          gross_weight: (grams * 1.04).toFixed(3),
          net_weight: grams.toFixed(3),
          cost: (line.price * 0.86).toFixed(2),
          received_on: addDays(today, -Math.round(oldest * (1 - piece / pieces))),
          state: number % 29 === 0 ? 'on_approval' : 'in_stock',
        });
      }
      stock.push({
        store_id: store.id,
        line_id: line.id,
        pieces,
        on_order: (place + at) % 11 === 0 ? 2 : 0,
        net_weight: (line.grams * pieces).toFixed(3),
        cost: (line.price * pieces * 0.86).toFixed(2),
        received_on: addDays(today, -oldest),
      });
    }
  await tenant.db.query(
    `insert into ${table('line_sale')} (entity_id, source_ref, store_id, line_id, sold_on, pieces, net_weight, amount, cost)
     select $2, x.* from jsonb_to_recordset($1::jsonb) x(source_ref text, store_id bigint, line_id bigint, sold_on date, pieces int,
       net_weight numeric, amount numeric, cost numeric)`,
    [JSON.stringify(sales), company.id],
  );
  await tenant.db.query(
    `insert into ${table('line_stock')} (entity_id, store_id, line_id, pieces, on_order, net_weight, cost, received_on)
     select $2, x.* from jsonb_to_recordset($1::jsonb) x(store_id bigint, line_id bigint, pieces int, on_order int, net_weight numeric,
       cost numeric, received_on date)`,
    [JSON.stringify(stock), company.id],
  );
  await tenant.db.query(
    `insert into ${table('jewel_piece')} (entity_id, tag_no, huid, line_id, store_id, gross_weight, net_weight, cost, received_on, state)
     select $2, x.* from jsonb_to_recordset($1::jsonb) x(tag_no text, huid text, line_id bigint, store_id bigint, gross_weight numeric,
       net_weight numeric, cost numeric, received_on date, state text)`,
    [JSON.stringify(tags), company.id],
  );
  await addStoreTasks(tenant, screens, today);
}

/** What the manager of a store has to do this week. */
const addStoreTasks = (tenant: Tenant, screens: ReadonlyMap<string, Screen>, today: string): Promise<void> =>
  letPeopleWork(
    tenant,
    screens,
    today,
    {
      company: COMPANY,
      folders: ['act_checklists'],
      types: { employee: { by: 'empno', ofCompany: true } },
      isDone: 'chk_task_instance',
    },
    async (person) => {
      const head = new DemoPerson(...person(0));
      for (const [title, days] of [
        ['Count the trays of the window', 0],
        ['Send the pieces for hallmarking', 2],
      ] as const)
        await head.add('chk_task_instance', {
          title,
          origin: 'adhoc',
          criticality: 'medium',
          assignee_id: head.id('employee', 'R0063'),
          due_on: head.day(days),
        });
    },
  );
