import { ApiError, api } from '../../api/http.ts';
import { toast } from '../feedback.ts';
import { createStore } from '../store.ts';

/** A shortcut on Home: one's own, a role's, or a general one. */
export interface QuickLink {
  id: number;
  title: string;
  url: string;
  icon: string | null;
  color: string | null;
  own: boolean;
}

const PATH = '/tapi/quick_links';
type Answer = { data: QuickLink[] };

/** null until they are known. */
export const quickLinks = createStore<QuickLink[] | null>(null);

/** Loads the links of the signed-in person. If that fails, the stars are empty; nothing else depends on them. */
export function loadQuickLinks(): void {
  quickLinks.set(null);
  api
    .get<Answer>(PATH, undefined, { quiet: true })
    .then(({ data }) => quickLinks.set(data))
    .catch(() => undefined);
}

/** Adds a page to one's own links, or removes it. */
export async function toggleQuickLink(url: string, title: string): Promise<void> {
  const kept = quickLinks.get()?.find((link) => link.own && link.url === url);
  try {
    const { data } = kept
      ? await api.delete<Answer>(`${PATH}/${kept.id}`, { quiet: true })
      : await api.post<Answer>(PATH, { title, url }, { quiet: true });
    quickLinks.set(data);
  } catch (thrown) {
    toast.error(thrown instanceof ApiError ? thrown.message : 'The quick link could not be stored. Please try again.');
  }
}
