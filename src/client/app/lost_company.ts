import { api } from '../api/http.ts';
import { alertDialog } from './feedback.ts';
import { openPanel } from './layout/panels.ts';
import type { FeaturesAnswer } from './login/sign_in.ts';
import { fromFeatures } from './login/sign_in.ts';
import { currentSession, forgetSession, rememberSession } from './session.ts';

/** The person lost access to the current company: another is chosen; without any they are signed out. */
export async function lostCompany(leave = () => location.assign('/login')): Promise<void> {
  const { userId, entityId } = currentSession();
  const features = await api.get<FeaturesAnswer>(`/tapi/get_features_by_role/${userId}`, undefined, {
    entityId: null,
    quiet: true,
  });
  const left = features.data?.[0]?.entity_list ?? [];
  rememberSession({
    ...fromFeatures(features),
    ...(!left.some(({ id }) => id === entityId) && { entity_id: null, entity_name: '' }),
  });
  if (left.length > 0) return openPanel('company');
  await alertDialog({ type: 'error', text: 'Your account has no company. Contact your administrator.' });
  forgetSession();
  leave();
}
