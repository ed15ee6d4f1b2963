import type { Queryable } from '../../db/database.ts';
import { quoted } from '../../db/names.ts';
import { addMonths } from './dates.ts';

/** What the demo company pays in, with the rate in rupees at the start of the last four quarters, the latest first. */
const RATES: Readonly<Record<string, readonly string[]>> = {
  USD: ['84.35', '83.90', '83.45', '83.10'],
  EUR: ['91.80', '91.10', '90.20', '90.65'],
  GBP: ['107.40', '106.20', '105.60', '105.10'],
  CNY: ['11.75', '11.62', '11.54', '11.60'],
  JPY: ['0.5560', '0.5615', '0.5480', '0.5705'],
  AED: ['22.97', '22.84', '22.72', '22.63'],
  SGD: ['63.30', '62.75', '62.10', '62.00'],
};

/** Sets the rates of currencies: all clients get the currencies, but each one enters the rates itself. */
export async function addCurrencyRates(db: Queryable, schema: string, today: string): Promise<void> {
  const s = quoted(schema);
  const quarter = `${today.slice(0, 5)}${String(Math.floor((Number(today.slice(5, 7)) - 1) / 3) * 3 + 1).padStart(2, '0')}-01`;
  const rows = Object.entries(RATES).flatMap(([code, rates]) =>
    rates.map((rate, at) => ({ code, rate, at, from: addMonths(quarter, -3 * at) })),
  );
  await db.query(
    `insert into ${s}.currency_setting__rates (parent_id, position, valid_from, rate_to_base)
     select c.id, x.at, x."from", x.rate from jsonb_to_recordset($1::jsonb) as x(code text, rate numeric, at int, "from" date)
     join ${s}.currency_setting c on c.iso_code = x.code
     where not exists (select 1 from ${s}.currency_setting__rates r where r.parent_id = c.id)`,
    [JSON.stringify(rows)],
  );
}
