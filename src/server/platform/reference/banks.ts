import { createRequire } from 'node:module';
import type { Queryable } from '../../db/database.ts';

export interface BankRow {
  /** The first four letters of the bank's IFSCs. */
  code: string;
  name: string;
  kind:
    | 'public'
    | 'private'
    | 'foreign'
    | 'small_finance'
    | 'payments'
    | 'local_area'
    | 'regional_rural'
    | 'cooperative'
    | null;
  /** The recipient of transfers to the bank; for a small bank its clearing bank. */
  ifsc: string | null;
  micr: string | null;
  upi: boolean;
  nach: boolean;
}

interface Detail {
  ifsc?: string | null;
  micr?: string | null;
  type?: string;
  upi?: boolean;
  ach_debit?: boolean;
  nach_debit?: boolean;
}

const KINDS: Record<string, BankRow['kind']> = {
  PSB: 'public',
  Private: 'private',
  Foreign: 'foreign',
  SFB: 'small_finance',
  PB: 'payments',
  LAB: 'local_area',
  RRB: 'regional_rural',
  SCB: 'cooperative',
  DCCB: 'cooperative',
  'S-UCB': 'cooperative',
  'O-UCB': 'cooperative',
};

let loaded: BankRow[] | undefined;

/** All Indian banks with an IFSC, by name; for some only the name is known. */
export function banks(): BankRow[] {
  loaded ??= readBanks();
  return loaded;
}

function readBanks(): BankRow[] {
  const require = createRequire(import.meta.url);
  const names = require('ifsc/src/banknames.json') as Record<string, string>;
  const details = require('ifsc/src/banks.json') as Record<string, Detail>;
  return Object.entries(names)
    .map(([code, name]): BankRow => {
      const { ifsc, micr, type, upi, ach_debit, nach_debit } = details[code] ?? {};
      return {
        code,
        name: name.replace(/\s+/g, ' ').trim(),
        kind: (type && KINDS[type]) || null,
        ifsc: ifsc || null,
        micr: micr || null,
        upi: upi === true,
        nach: ach_debit === true || nach_debit === true,
      };
    })
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.code < b.code ? -1 : 1));
}

/**
 * Writes the banks into a tenant's schema; existing rows are unchanged, so it can be repeated. Returns the number of
 * new rows. The table must exist.
 */
export async function loadBanks(db: Queryable, schema: string): Promise<number> {
  const [row] = await db.query<{ n: number }>({
    text: `with added as (
        insert into "${schema}"."bank" (code, name, kind, ifsc, micr, upi, nach)
        select code, name, kind, ifsc, micr, upi, nach
        from jsonb_to_recordset($1::jsonb) as r(code text, name text, kind text, ifsc text, micr text, upi boolean, nach boolean)
        on conflict do nothing returning 1)
      select count(*)::int as n from added`,
    values: [JSON.stringify(banks())],
  });
  return row?.n ?? 0;
}
