import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countries as countryList } from 'countries-list';
import { iso31661, iso31662 } from 'iso-3166';
import type { Queryable } from '../../db/database.ts';
import { INDIAN_STATES } from './indian_states.ts';

export interface CountryRow {
  code: string;
  name: string;
  dial_code: string | null;
  currency: string | null;
  saarc: boolean;
}
export interface StateRow {
  country: string;
  code: string;
  name: string;
  gst_code: string | null;
  union_territory: boolean;
}
export interface CityRow {
  state: string;
  code: string;
  name: string;
  tier: '1' | '2' | '3';
  population: number;
  position: { lat: number; lng: number };
}
export interface Geography {
  countries: CountryRow[];
  states: StateRow[];
  cities: CityRow[];
}

const SAARC = new Set(['IN', 'AF', 'BD', 'BT', 'MV', 'NP', 'PK', 'LK']);

let loaded: Geography | undefined;

/**
 * All countries with their dial codes, the states of the SAARC countries and the cities of India. Names are in plain
 * Latin letters, as people type them.
 */
export function geography(): Geography {
  loaded ??= { countries: readCountries(), states: readStates(), cities: readCities() };
  return loaded;
}

function readCountries(): CountryRow[] {
  const details = countryList as Record<string, { name: string; phone: number[]; currency: string[] }>;
  return iso31661
    .map(({ alpha2 }) => {
      const detail = details[alpha2];
      return (
        detail && {
          code: alpha2,
          name: plain(detail.name),
          dial_code: detail.phone[0] ? `+${detail.phone[0]}` : null,
          currency: detail.currency[0] ?? null,
          saarc: SAARC.has(alpha2),
        }
      );
    })
    .filter((row) => row !== undefined)
    .sort(byName);
}

function readStates(): StateRow[] {
  return iso31662
    .filter(({ parent }) => SAARC.has(parent))
    .map(({ code, name, parent }) => {
      const short = code.slice(parent.length + 1);
      const indian = parent === 'IN' ? INDIAN_STATES[short] : undefined;
      return {
        country: parent,
        code: short,
        name: indian?.name ?? plain(name),
        gst_code: indian?.gst ?? null,
        union_territory: indian?.unionTerritory ?? false,
      };
    })
    .sort((a, b) => a.country.localeCompare(b.country) || byName(a, b));
}

/**
 * The cities of India in the file beside this one: GeoNames' places with 5,000 people or more, and administrative
 * seats.
 */
function readCities(): CityRow[] {
  const [, ...lines] = readFileSync(join(import.meta.dirname, 'indian_cities.tsv'), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => {
    const [state = '', number = '', name = '', tier, population, lat, lng] = line.split('\t');
    return {
      state,
      code: `GN${number}`,
      name,
      tier: tier as CityRow['tier'],
      population: Number(population),
      position: { lat: Number(lat), lng: Number(lng) },
    };
  });
}

/** "Karnātaka" → "Karnataka". */
function plain(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[ʻ‘’]/g, "'")
    .trim();
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/**
 * Writes countries, states and cities into a tenant's schema; existing rows are unchanged, so it can be repeated.
 * Returns the number of new rows. The three tables must exist.
 */
export async function loadGeography(
  db: Queryable,
  schema: string,
): Promise<{ countries: number; states: number; cities: number }> {
  const { countries, states, cities } = geography();
  const table = (name: string) => `"${schema}"."${name}"`;
  const insert = async (text: string, rows: unknown[]) =>
    (
      await db.query<{ n: number }>({
        text: `with added as (${text} on conflict do nothing returning 1) select count(*)::int as n from added`,
        values: [JSON.stringify(rows)],
      })
    )[0]?.n ?? 0;

  return {
    countries: await insert(
      `insert into ${table('country')} (code, name, dial_code, currency, saarc)
       select code, name, dial_code, currency, saarc
       from jsonb_to_recordset($1::jsonb) as r(code text, name text, dial_code text, currency text, saarc boolean)`,
      countries,
    ),
    states: await insert(
      `insert into ${table('state_mstr')} (country_id, code, name, gst_code, union_territory)
       select c.id, r.code, r.name, r.gst_code, r.union_territory
       from jsonb_to_recordset($1::jsonb) as r(country text, code text, name text, gst_code text, union_territory boolean)
       join ${table('country')} c on c.code = r.country`,
      states,
    ),
    cities: await insert(
      `insert into ${table('city_mstr')} (state_id, code, name, tier, population, position)
       select s.id, r.code, r.name, r.tier, r.population, r.position
       from jsonb_to_recordset($1::jsonb) as r(state text, code text, name text, tier text, population int, position jsonb)
       join ${table('country')} c on c.code = 'IN'
       join ${table('state_mstr')} s on s.country_id = c.id and s.code = r.state`,
      cities,
    ),
  };
}
