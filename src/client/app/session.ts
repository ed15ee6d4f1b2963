import { useSyncExternalStore } from 'react';
import type { Zones } from '../../descriptor/place.ts';
import { setPlace } from '../../descriptor/place.ts';
import { createStore } from './store.ts';
import type { Company, StoredSession } from './stored_session.ts';
import { clearSessionKeys, clearStorage, noSession, readStoredSession, writeStoredSession } from './stored_session.ts';

/** The signed-in person, as used by pages. */
export interface SessionInfo {
  token: string;
  signedIn: boolean;
  userId: number;
  name: string;
  email: string;
  designation: string;
  branchId: number | null;
  /** The company this tab works in. */
  entityId: number | null;
  entityName: string;
  financialYear: string | null;
  entities: Company[];
  employeeId: number | null;
  profileImage: string | null;
  /** If the picture is not stored in the browser: its file. */
  photoId: number | null;
  products: string[];
  actions: string[];
  isAdmin: boolean;
  /** The platform's own host, not a client's. */
  isPlatform: boolean;
  isBoard: boolean;
  chairman: boolean;
  ceo: boolean;
  secretary: boolean;
  domain: string;
  /** YYYY-MM-DD. */
  expiryDate: string;
  /** The client's UTC offset in minutes. */
  utcOffset: number;
}

let checked = { name: '', known: false };
let zones: { of: StoredSession; zones: Zones } | null = null;
const stored = createStore<StoredSession>(readStoredSession());
let info = describe(stored.get());
stored.subscribe(() => {
  info = describe(stored.get());
});

setPlace(() => {
  const { timezone, fy_start_month: fyStartMonth, currency, client_currency: clientCurrency } = stored.get();
  const of = stored.get();
  if (zones?.of !== of) zones = { of, zones: zonesIn(of) };
  return {
    timezone: isTimeZone(timezone) ? timezone : null,
    zones: zones.zones,
    entityId: of.entity_id,
    fyStartMonth,
    currency,
    clientCurrency,
  };
});

/** The time zones of the person's companies and branches; without names unknown to this browser. */
function zonesIn({ client_timezone: client, entity_list: companies }: StoredSession): Zones {
  const known = (entries: [string, string | undefined][]) =>
    Object.fromEntries(entries.filter((entry): entry is [string, string] => isTimeZone(entry[1] ?? '')));
  return {
    client: isTimeZone(client) ? client : null,
    companies: known(companies.map(({ id, company_timezone: name }) => [String(id), name])),
    branches: known(companies.flatMap(({ branch_timezones: own }) => Object.entries(own ?? {}))),
  };
}

/** The stored zone may be unknown to this browser. */
function isTimeZone(name: string): boolean {
  if (name === checked.name) return checked.known;
  let known = name !== '';
  try {
    if (known) new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    known = false;
  }
  checked = { name, known };
  return known;
}

function describe(s: StoredSession): SessionInfo {
  return {
    token: s.token,
    signedIn: s.token !== '',
    userId: s.user_id,
    name: s.user_name,
    email: s.user_email,
    designation: s.designation_name,
    branchId: s.branch_id,
    entityId: s.entity_id,
    entityName: s.entity_name,
    financialYear: s.financial_year === '__NA__' ? null : s.financial_year,
    entities: s.entity_list,
    employeeId: s.emp_id || null,
    profileImage: s.profile_image || null,
    photoId: s.photo_id || null,
    products: s.product_list,
    actions: s.actions_by_users,
    isAdmin: s.is_admin,
    isPlatform: s.domain === 'public',
    isBoard: s.chairman_flag || s.ceo_flag || s.secretary_flag,
    chairman: s.chairman_flag,
    ceo: s.ceo_flag,
    secretary: s.secretary_flag,
    domain: s.domain,
    expiryDate: s.expiry_date,
    utcOffset: s.utc_offset,
  };
}

/** The session outside components. */
export function currentSession(): SessionInfo {
  return info;
}

/** The session inside a component. */
export function useSession(): SessionInfo {
  return useSyncExternalStore(stored.subscribe, currentSession, currentSession);
}

export function storedSession(): StoredSession {
  return stored.get();
}

/** Stores facts of the session in this browser and updates every component. */
export function rememberSession(part: Partial<StoredSession>): void {
  writeStoredSession(part);
  stored.set((old) => ({ ...old, ...part }));
}

/** Clears the person's local data. The caller decides where to go. */
export function forgetSession(): void {
  clearStorage();
  stored.set(noSession);
}

/** True if the user has the product, by its suffix (FMS, PMS …), regardless of the platform's prefix. */
export function hasProduct(products: string[], suffix: string): boolean {
  return products.some((code) => code === suffix || code.endsWith(`_${suffix}`));
}

/**
 * Whole days until the session ends; 0 on its last day.
 * @param now the server's time, in ms
 * @param utcOffset the client's UTC offset in minutes: its days count
 */
export function daysLeft(expiryDate: string, now: number, utcOffset: number): number {
  const end = Date.parse(expiryDate);
  const today = Math.floor((now + utcOffset * 60_000) / 86_400_000);
  return Number.isNaN(end) ? Number.POSITIVE_INFINITY : end / 86_400_000 - today;
}

const phoneQuery = '(max-width: 576px)';

/** True at the specification's phone width, 576 px and below. */
export function usePhone(): boolean {
  return useSyncExternalStore(onPhoneChange, isPhone, () => false);
}

export function isPhone(): boolean {
  return typeof matchMedia === 'function' && matchMedia(phoneQuery).matches;
}

function onPhoneChange(listener: () => void): () => void {
  if (typeof matchMedia !== 'function') return () => undefined;
  const media = matchMedia(phoneQuery);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}

/** The session has expired without signing out: drafts stay in this browser for the next sign-in. */
export function endStoredSession(): void {
  clearSessionKeys();
  stored.set(noSession);
}
