import type { LookName, ScreenRef } from '../../../descriptor/types.ts';
import { MenuIcon } from '../../app/layout/MenuIcon.tsx';
import type { PageAction } from '../../app/page_action.ts';

/** The titles and icons of a list's looks. */
export const lookTitles: Record<LookName, { label: string; icon: string }> = {
  board: { label: 'Board', icon: 'BoardSplit' },
  calendar: { label: 'Calendar', icon: 'Calendar' },
  timeline: { label: 'Timeline', icon: 'GanttChart' },
  thread: { label: 'Conversations', icon: 'ChatMultiple' },
  map: { label: 'Map', icon: 'Map' },
  steps: { label: 'Step by step', icon: 'TaskListLtr' },
  tree_preview: { label: 'Tree and preview', icon: 'TextBulletListTree' },
};

/** The address of the list in another look, with its search and filters; null = the grid. */
export function lookAddress(landing: string, query: URLSearchParams, look: LookName | null): string {
  const next = new URLSearchParams(query);
  for (const name of ['as', 'page', 'size', 'on', 'by', 'record']) next.delete(name);
  if (look !== null) next.set('as', look);
  const text = next.toString();
  return text === '' ? landing : `${landing}?${text}`;
}

/** The other looks of a list as buttons; they keep its search and filters. */
export function lookActions(
  { looks, routes }: ScreenRef,
  query: URLSearchParams,
  shown: LookName | null = null,
): PageAction[] {
  return (looks ?? [])
    .filter((look) => look !== shown)
    .map((look) => ({
      label: lookTitles[look].label,
      icon: <MenuIcon name={lookTitles[look].icon} />,
      to: lookAddress(routes.landing, query, look),
    }));
}
