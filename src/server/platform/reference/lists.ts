import currencyCodes from 'currency-codes';
import { currencySymbol } from '../../../descriptor/money.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted } from '../../db/names.ts';
import { HSN_CODES, SAC_CODES } from './hs_codes.ts';
import { UNITS } from './units.ts';

interface Currency {
  iso_code: string;
  name: string;
  symbol: string;
  decimals: number;
}

/** Names of codes that are not national currencies: metals, test codes, units of account. */
const NOT_MONEY = /^X(?!AF|CD|OF|PF)/;

/** Every currency in use, from ISO 4217 (package `currency-codes`, MIT); symbols as the platform's own locale data has them. */
export function currencies(): Currency[] {
  return currencyCodes.data
    .filter(({ code, countries }) => !NOT_MONEY.test(code) && countries.length > 0)
    .map(({ code, currency, digits }) => ({
      iso_code: code,
      name: currency.trim().slice(0, 120),
      symbol:
        new Intl.NumberFormat('en-IN', { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' })
          .formatToParts(0)
          .find(({ type }) => type === 'currency')
          // Fields contain only plain spaces.
          ?.value.replace(/\s/gu, ' ')
          .slice(0, 5) ?? code,
      decimals: Math.min(4, digits),
    }))
    .sort((a, b) => a.iso_code.localeCompare(b.iso_code));
}

/** Reference data by the type of list: loaded for a client, not typed. */
const LISTS: Record<string, () => Record<string, unknown>[]> = {
  currency_setting: () =>
    currencies().map((row) => ({
      ...row,
      grouping: row.iso_code === 'INR' ? 'indian' : 'western',
      is_base: row.iso_code === 'INR',
    })),
  uom: () =>
    UNITS.map(([code, name, uqc, decimals, dimension]) => ({
      code,
      name,
      uqc,
      decimals,
      dimension,
      // Items are counted; scores and percentages measure.
      for_kpis: true,
      for_items: !['percent', 'score', 'ratio', 'rating'].includes(dimension),
      symbol: dimension === 'percent' ? '%' : dimension === 'money' ? currencySymbol('INR') : null,
      display_scale: dimension === 'money' ? 'lakh' : 'one',
    })),
  hs_code: () => [
    ...HSN_CODES.map(([code, description]) => ({ code, description, kind: 'HSN' })),
    ...SAC_CODES.map(([code, description]) => ({ code, description, kind: 'SAC' })),
  ],
};

/** Types whose rows are loaded for every client. */
export const LISTED_TYPES = Object.keys(LISTS);

/** Fills a client's existing empty lists. @returns the number of added rows */
export async function loadLists(db: Queryable, schema: string): Promise<number> {
  const there = await db.query<{ name: string }>(
    'select c.relname as name from pg_class c where c.relnamespace = to_regnamespace($1) and c.relname = any($2)',
    [quoted(schema), LISTED_TYPES],
  );
  let added = 0;
  for (const { name } of there) {
    const table = `${quoted(schema)}.${quoted(name)}`;
    if ((await db.query(`select 1 from ${table} limit 1`)).length > 0) continue;
    const rows = LISTS[name]!();
    const columns = Object.keys(rows[0]!).map(quoted).join(', ');
    added += (
      await db.query({
        text: `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb) on conflict do nothing returning 1`,
        values: [JSON.stringify(rows)],
      })
    ).length;
  }
  return added;
}
