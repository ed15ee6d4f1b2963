import type { Fill } from '../../../engine/modules.ts';

/** The rate of a document's currency on its day; 1 for the base currency, empty if Currencies have none. */
export const exchangeRate: Fill = {
  async run({ unit, record }) {
    if (typeof record.currency_id !== 'number') return { exchange_rate: null };
    const [found] = await unit.query<{ rate: string | null }>(
      `select case when k.is_base or not exists (select 1 from {currency_setting} b where b.is_base) then '1'
         else (select r.rate_to_base::text from {currency_setting.rates} r
           where r.parent_id = k.id and r.valid_from <= $2::date order by r.valid_from desc limit 1) end as rate
       from {currency_setting} k where k.id = $1`,
      [record.currency_id, record.grn_date ?? record.po_date ?? null],
    );
    return { exchange_rate: found?.rate ?? null };
  },
};
