import { USUAL_PLACE } from '../../descriptor/place.ts';

/**
 * The session data stored in the browser, one local storage key per fact. A display cache only: the server authorises
 * every call by the token.
 */
export interface Company {
  id: number;
  name: string;
  financial_year?: string | null;
  fy_start_month?: number;
  currency?: string;
  /** Where the person works in it. */
  timezone?: string;
  /** Of its records, and of those of branches with a zone of their own. */
  company_timezone?: string;
  branch_timezones?: Record<string, string>;
  branch?: string | null;
  branch_id?: number | null;
  is_default?: boolean;
}

export interface StoredSession {
  token: string;
  user_id: number;
  user_name: string;
  user_email: string;
  designation_name: string;
  branch_id: number | null;
  entity_id: number | null;
  entity_name: string;
  /** `__NA__` when the company has none. */
  financial_year: string;
  /** Where the person works in the company; empty = where this machine is. */
  timezone: string;
  fy_start_month: number;
  currency: string;
  client_currency: string;
  client_timezone: string;
  entity_list: Company[];
  emp_id: number;
  empno: string;
  profile_image: string;
  /** The file of a picture that is too large to be stored here; 0 = none. */
  photo_id: number;
  roles_list: { id: number; role_name: string; features?: string[]; landing_route?: string }[];
  product_list: string[];
  modules_by_users: { id: number; active: boolean; module_code: string; module_name: string; hide_all: boolean }[];
  screen_by_users: Record<string, unknown>[];
  common_screens: Record<string, unknown>[];
  actions_by_users: string[];
  authorization_levels: { transaction_type: string; records_count: number }[];
  features: string[];
  is_admin: boolean;
  user_type_code: string;
  /** Sub-domain of the client; `public` on the platform's own host. */
  domain: string;
  /** YYYY-MM-DD. */
  expiry_date: string;
  /** The client's UTC offset in minutes: `expiry_date` is a day there. */
  utc_offset: number;
  /** The customers one visits; the first 500. */
  customers: { id: number; code: string; name: string }[];
  appraisal_periods: { id: number; name: string; from_date: string; to_date: string }[];
  self_rating: boolean;
  kpi_visible: boolean;
  chairman_flag: boolean;
  ceo_flag: boolean;
  secretary_flag: boolean;
  subordinate_ids: number[];
}

/** Stored as token if the real one is in a cookie that scripts cannot read. */
export const cookieToken = 'cookie';

/** The header with the token; none if the session is in a cookie. */
export function bearer(token: string): Record<string, string> {
  return token === '' || token === cookieToken ? {} : { authorization: `Bearer ${token}` };
}

/** Cookie transport only: the readable CSRF token. */
export function csrfHeader(): Record<string, string> {
  const token = document.cookie
    .split('; ')
    .find((part) => part.startsWith('csrf_token='))
    ?.slice('csrf_token='.length);
  return token ? { 'x-csrf-token': token } : {};
}

export const noSession: StoredSession = {
  token: '',
  user_id: 0,
  user_name: '',
  user_email: '',
  designation_name: '',
  branch_id: null,
  entity_id: null,
  entity_name: '',
  financial_year: '__NA__',
  timezone: '',
  fy_start_month: USUAL_PLACE.fyStartMonth,
  currency: USUAL_PLACE.currency,
  client_currency: USUAL_PLACE.clientCurrency,
  client_timezone: '',
  entity_list: [],
  emp_id: 0,
  empno: '0',
  profile_image: '',
  photo_id: 0,
  roles_list: [],
  product_list: [],
  modules_by_users: [],
  screen_by_users: [],
  common_screens: [],
  actions_by_users: [],
  authorization_levels: [],
  features: [],
  is_admin: false,
  user_type_code: '',
  domain: '',
  expiry_date: '',
  utc_offset: -new Date().getTimezoneOffset(),
  customers: [],
  appraisal_periods: [],
  self_rating: true,
  kpi_visible: true,
  chairman_flag: false,
  ceo_flag: false,
  secretary_flag: false,
  subordinate_ids: [],
};

const keys = Object.keys(noSession) as (keyof StoredSession)[];

/** The stored data of the current company. */
export function ofCompany({ timezone, fy_start_month, currency }: Company): Partial<StoredSession> {
  return {
    ...(timezone !== undefined && { timezone }),
    ...(fy_start_month !== undefined && { fy_start_month }),
    ...(currency !== undefined && { currency }),
  };
}

/** Reads every key; a missing or invalid one has its empty value. */
export function readStoredSession(): StoredSession {
  const session: Record<string, unknown> = { ...noSession };
  for (const key of keys) {
    const text = localStorage.getItem(key);
    if (text === null) continue;
    try {
      const value: unknown = JSON.parse(text);
      const empty = noSession[key];
      const same = empty === null ? value === null || typeof value === 'number' : typeof value === typeof empty;
      if (same && Array.isArray(value) === Array.isArray(empty)) session[key] = value;
    } catch {
      localStorage.removeItem(key);
    }
  }
  return session as unknown as StoredSession;
}

/** Writes the given facts and leaves the others unchanged. */
export function writeStoredSession(part: Partial<StoredSession>): void {
  for (const [key, value] of Object.entries(part)) localStorage.setItem(key, JSON.stringify(value));
}

/** Signing out removes everything of the person from this browser, including drafts and cached pages. */
export function clearStorage(): void {
  localStorage.clear();
  sessionStorage.clear();
}

/** Removes only the session; drafts and similar data stay. */
export function clearSessionKeys(): void {
  for (const key of keys) localStorage.removeItem(key);
}
