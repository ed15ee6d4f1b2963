import type { HostInfo } from '../brand.ts';
import type { Company, StoredSession } from '../stored_session.ts';
import { bearer, cookieToken, csrfHeader } from '../stored_session.ts';

/** The calls of the sign-in page. Plain fetch, so that the page loads nothing unnecessary. */

export interface Credentials {
  email: string;
  password: string;
  subDomain: string;
}

export type SignInResult =
  | { result: 'success'; session: StoredPart; companies: Company[]; mustChangePassword: boolean }
  | { result: 'refused' }
  | { result: 'locked'; message: string }
  | { result: 'deactivated' }
  | { result: 'no_company' }
  | { result: 'cancelled' }
  | { result: 'error' };

type StoredPart = Partial<StoredSession> & { token: string; user_id: number };

/** `cmp_<sub-domain>`; the platform itself is `public`. */
export function prefixFor(subDomain: string): string {
  const name = subDomain.trim().toLowerCase().replace(/^cmp_/, '');
  return name === 'admin' || name === 'public' ? 'public' : `cmp_${name.replaceAll('-', '_')}`;
}

export interface LoginAnswer {
  result: string;
  message?: string;
  retry_after_s?: number;
  token?: string;
  user_id?: number;
  user_email?: string;
  user_name?: string;
  expires_at?: string;
  must_change_password?: boolean;
  challenge?: string;
  must_enrol?: boolean;
}

/** Asks for the second factor; null = the person cancelled. */
export type AskSecondFactor = (first: LoginAnswer, prefix: string) => Promise<LoginAnswer | null>;

export interface FeaturesAnswer {
  data?: {
    entity_list?: Company[];
    roles_list?: StoredSession['roles_list'];
    product_list?: string[];
    branch_id?: number | null;
    entity_id?: number | null;
    client_currency?: string;
    client_timezone?: string;
    chairman_flag?: boolean;
    ceo_flag?: boolean;
    secretary_flag?: boolean;
    designation_name?: string;
    reason?: string | null;
  }[];
  is_admin?: boolean;
  emp_details?: { id: number; empno?: string; profile_pic?: { id?: number; content_binary?: string | null } | null }[];
  appraisal_period_mstr?: StoredSession['appraisal_periods'];
  modules_by_users?: StoredSession['modules_by_users'];
  screen_by_users?: Record<string, unknown>[];
  actions_by_users?: string[];
  authorization_levels?: StoredSession['authorization_levels'];
  customer?: StoredSession['customers'];
  rating_setting?: { self_rating?: boolean }[];
  calc_settings?: { show?: boolean }[];
  subordinate_ids?: number[];
}

export function headers(token?: string): Record<string, string> {
  return {
    accept: 'application/json',
    'content-type': 'application/json',
    ...bearer(token ?? ''),
    ...csrfHeader(),
  };
}

/** Signs in and loads the user's rights. Nothing is stored yet. */
export async function signIn(
  credentials: Credentials,
  host: HostInfo,
  second?: AskSecondFactor,
): Promise<SignInResult> {
  const prefix = host.admin ? 'public' : prefixFor(host.subDomain ?? credentials.subDomain);
  let answer: LoginAnswer;
  try {
    const response = await fetch('/api/sessions/login', {
      method: 'POST',
      headers: headers(),
      body: JSON.stringify({
        email: credentials.email.trim(),
        password: host.password?.trim === false ? credentials.password : credentials.password.trim(),
        prefix,
      }),
    });
    if (response.status === 429) {
      return { result: 'locked', message: tooMany(Number(response.headers.get('retry-after')) || 60) };
    }
    if (response.status === 404) return { result: 'refused' };
    if (!response.ok) return { result: 'error' };
    answer = (await response.json()) as LoginAnswer;
  } catch {
    return { result: 'error' };
  }
  if (answer.result === 'locked') {
    return { result: 'locked', message: answer.message || tooMany(answer.retry_after_s ?? 60) };
  }
  if (second && (answer.challenge || answer.must_enrol)) {
    const next = await second(answer, prefix);
    if (!next) return { result: 'cancelled' };
    answer = next;
  }
  if (answer.result !== 'success' || answer.user_id === undefined) return { result: 'refused' };

  const session: StoredPart = {
    // Empty if the server keeps it in a cookie.
    token: answer.token || cookieToken,
    user_id: answer.user_id,
    user_name: answer.user_name ?? '',
    user_email: answer.user_email ?? '',
    expiry_date: (answer.expires_at ?? '').slice(0, 10),
    ...zoneOf(answer.expires_at ?? ''),
    domain: prefix === 'public' ? 'public' : prefix.slice('cmp_'.length),
  };
  const mustChangePassword = answer.must_change_password === true;
  return prefix === 'public' ? platformUser(session, mustChangePassword) : tenantUser(session, mustChangePassword);
}

/** Parses a server time in the client's zone: 2026-06-17T09:15:00+05:30. */
function zoneOf(time: string): { utc_offset?: number } {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(time) ?? [];
  if (sign === undefined) return time.endsWith('Z') ? { utc_offset: 0 } : {};
  return { utc_offset: (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) };
}

function tooMany(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return `Too many attempts. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
}

async function tenantUser(session: StoredPart, mustChangePassword: boolean): Promise<SignInResult> {
  let features: FeaturesAnswer;
  try {
    const response = await fetch(`/tapi/get_features_by_role/${session.user_id}`, { headers: headers(session.token) });
    if (!response.ok) return { result: 'error' };
    features = (await response.json()) as FeaturesAnswer;
  } catch {
    return { result: 'error' };
  }
  const companies = features.data?.[0]?.entity_list ?? [];
  if (companies.length === 0) {
    return { result: features.data?.[0]?.reason === 'no_company' ? 'no_company' : 'deactivated' };
  }
  return { result: 'success', session: { ...session, ...fromFeatures(features) }, companies, mustChangePassword };
}

/** The stored part of the features answer. */
export function fromFeatures(features: FeaturesAnswer): Partial<StoredSession> {
  const user = features.data?.[0] ?? {};
  const employee = features.emp_details?.[0];
  const picture = employee?.profile_pic?.content_binary;
  if (features.customer?.length === 0 && user.product_list?.includes('MS_VISITS')) console.warn('No customers.');
  return {
    entity_list: user.entity_list ?? [],
    ...(user.client_currency && { client_currency: user.client_currency }),
    ...(user.client_timezone && { client_timezone: user.client_timezone }),
    roles_list: user.roles_list ?? [],
    features: (user.roles_list ?? []).flatMap((role) => role.features ?? []),
    product_list: user.product_list ?? [],
    branch_id: user.branch_id ?? null,
    designation_name: user.designation_name ?? '',
    chairman_flag: user.chairman_flag ?? false,
    ceo_flag: user.ceo_flag ?? false,
    secretary_flag: user.secretary_flag ?? false,
    is_admin: features.is_admin ?? false,
    emp_id: employee?.id ?? 0,
    empno: employee?.empno ?? '0',
    profile_image: picture ? `data:image/png;base64,${picture}` : '',
    photo_id: picture ? 0 : (employee?.profile_pic?.id ?? 0),
    modules_by_users: features.modules_by_users ?? [],
    screen_by_users: features.screen_by_users ?? [],
    actions_by_users: features.actions_by_users ?? [],
    authorization_levels: features.authorization_levels ?? [],
    customers: features.customer ?? [],
    appraisal_periods: features.appraisal_period_mstr ?? [],
    self_rating: features.rating_setting?.[0]?.self_rating ?? true,
    kpi_visible: features.calc_settings?.[0]?.show ?? true,
    subordinate_ids: features.subordinate_ids ?? [],
  };
}

async function platformUser(session: StoredPart, mustChangePassword: boolean): Promise<SignInResult> {
  try {
    const response = await fetch(`/api/get_screen_and_user_data_by_role/?user_id=${session.user_id}`, {
      headers: headers(session.token),
    });
    // By specification, a failure here is reported as wrong credentials.
    if (!response.ok) return { result: 'refused' };
    const { data } = (await response.json()) as {
      data?: { user_type_code?: string; user_name?: string; common_screen_dataset?: Record<string, unknown>[] };
    };
    return {
      result: 'success',
      companies: [],
      mustChangePassword,
      session: {
        ...session,
        user_type_code: data?.user_type_code ?? '',
        user_name: data?.user_name ?? session.user_name ?? '',
        common_screens: data?.common_screen_dataset ?? [],
        is_admin: true,
      },
    };
  } catch {
    return { result: 'refused' };
  }
}

/** Three seconds after sign-in the day is sent to the server; the response is shown only if it fails. */
export async function updateLoggedData(
  session: { token: string; user_id: number; domain: string; expiry_date: string },
  today: Date,
): Promise<{ status: number; statusText: string } | null> {
  const date = `${today.getFullYear()}-${String(today.getMonth() + 1).padStart(2, '0')}-${String(today.getDate()).padStart(2, '0')}`;
  const schema = session.domain === 'public' ? 'public' : `cmp_${session.domain}`;
  try {
    const response = await fetch(`/update_user_logged_data/${session.user_id}/${schema}`, {
      method: 'PUT',
      headers: headers(session.token),
      body: JSON.stringify({
        user_dataset: { logged_date: date, expiry_date: session.expiry_date },
        from_user: session.user_id,
      }),
    });
    return response.ok ? null : { status: response.status, statusText: response.statusText };
  } catch {
    return { status: 0, statusText: 'Unable to contact server' };
  }
}

/** Only a path of this product: one leading slash, no other origin, not a sign-in page. */
export function safeNext(next: string | null): string | null {
  if (!next?.startsWith('/') || next.startsWith('//') || next.includes('\\')) return null;
  try {
    const address = new URL(next, location.origin);
    if (address.origin !== location.origin || /^\/(login|forgotpassword)/.test(address.pathname)) return null;
    return address.pathname + address.search + address.hash;
  } catch {
    return null;
  }
}

/**
 * The first page after sign-in, before rights are checked: the board of its people, else the start page of the roles,
 * else by the look of the sign-in page.
 */
export function landingAfterSignIn(
  session: Partial<StoredSession>,
  variant: HostInfo['brand']['loginVariant'],
  phone: boolean,
): string {
  if (session.domain === 'public') return '/admin_landing';
  if (session.chairman_flag || session.ceo_flag) return '/BoardDashBoard';
  if (session.secretary_flag) return '/SecretaryBoard';
  if (variant === 'board') return '/scorecard_new';
  const own = new Set(
    session.roles_list?.flatMap(({ landing_route: route }) => (route?.startsWith('/') ? [route] : [])),
  );
  // Home has the work of all roles.
  if (own.size > 1) return '/show_list';
  const [page] = own;
  if (page !== undefined) return page;
  const fms = (session.product_list ?? []).some((code) => code === 'FMS' || code.endsWith('_FMS'));
  return phone && fms ? '/welcome_page' : '/show_list';
}
