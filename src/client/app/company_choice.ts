import { api } from '../api/http.ts';
import { currentSession, rememberSession } from './session.ts';
import type { Company, StoredSession } from './stored_session.ts';
import type { FeaturesAnswer } from './login/sign_in.ts';
import { ofCompany } from './stored_session.ts';
import { fromFeatures } from './login/sign_in.ts';

const cookie = 'company';

/** The company preselected at this person's next sign-in on this device. */
export function preferredCompany(userId: number): number | null {
  const text = document.cookie
    .split('; ')
    .find((part) => part.startsWith(`${cookie}_${userId}=`))
    ?.split('=')[1];
  return text ? Number(text) || null : null;
}

export function preferCompany(userId: number, entityId: number): void {
  document.cookie = `${cookie}_${userId}=${entityId}; path=/; max-age=31536000; samesite=lax`;
}

/** Switches to the company: sent to the server, then stored with the user's rights there. */
export async function chooseCompany(company: Company): Promise<void> {
  const { userId, email } = currentSession();
  const chosen = await api.put<{ entity_id: number; entity_name?: string; financial_year?: string | null }>(
    '/tapi/session/entity',
    { entity_id: company.id },
    { entityId: company.id, quiet: true },
  );
  const answer = await api
    .get<
      FeaturesAnswer & { data?: { id: number; name: string; branch_id?: number | null; product_list?: string[] }[] }
    >(
      '/tapi/get_email_by_entity',
      { email, entity_id: company.id, user_id: userId },
      { entityId: company.id, quiet: true },
    )
    // Rights are returned with every call; without this answer only the information beside the name is outdated.
    .catch(() => null);
  rememberSession({
    entity_id: company.id,
    ...ofCompany(company),
    entity_name: chosen?.entity_name ?? company.name,
    financial_year: chosen?.financial_year ?? company.financial_year ?? '__NA__',
    ...(answer && fromAnswer(answer)),
  });
}

/** The company's part of the answer; missing values stay. */
function fromAnswer(answer: FeaturesAnswer): Partial<StoredSession> {
  const all = fromFeatures(answer);
  const user = answer.data?.[0];
  return {
    ...(user?.branch_id !== undefined && { branch_id: all.branch_id ?? null }),
    ...(user?.product_list && { product_list: all.product_list ?? [] }),
    ...(answer.emp_details && {
      emp_id: all.emp_id ?? 0,
      empno: all.empno ?? '0',
      profile_image: all.profile_image ?? '',
      photo_id: all.photo_id ?? 0,
    }),
    ...(answer.modules_by_users && { modules_by_users: all.modules_by_users ?? [] }),
    ...(answer.screen_by_users && { screen_by_users: all.screen_by_users ?? [] }),
    ...(answer.actions_by_users && { actions_by_users: all.actions_by_users ?? [] }),
    ...(answer.appraisal_period_mstr && { appraisal_periods: all.appraisal_periods ?? [] }),
    ...(answer.customer && { customers: answer.customer }),
    ...(answer.is_admin !== undefined && { is_admin: answer.is_admin }),
  };
}
