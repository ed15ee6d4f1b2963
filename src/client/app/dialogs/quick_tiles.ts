import type { ScreenRef } from '../../../descriptor/types.ts';
import { matchScreen } from '../screen_routes.ts';
import type { SessionInfo } from '../session.ts';

export interface QuickTile {
  label: string;
  icon: string;
  to: string;
  /** Why it is currently unavailable. */
  disabled?: string;
}

/** The specification's nine shortcuts: a tile is shown if its page is served and the user may add. */
const shortcuts: (QuickTile & { needsBranch?: boolean })[] = [
  { label: 'Employee', icon: 'PersonAdd', to: '/employee_mstr/add?flag=add' },
  { label: 'Service', icon: 'Toolbox', to: '/service/add?flag=add' },
  { label: 'Checklist', icon: 'CheckboxChecked', to: '/checklist_new?flag=add' },
  { label: 'KPI', icon: 'DataTrending', to: '/kpi_addition_tenant?flag=add' },
  { label: 'Visit', icon: 'Location', to: '/logvisit/add?flag=add' },
  { label: 'Ticket', icon: 'TicketDiagonal', to: '/ticket/add?flag=add' },
  { label: 'Walk-in', icon: 'PersonWalking', to: '/walkin/landing?flag=add', needsBranch: true },
  { label: 'Goal', icon: 'Target', to: '/business_plan?flag=planadd' },
  { label: 'Survey', icon: 'Poll', to: '/survey/add?flag=added' },
];

/** The shortcuts first, then every other list to which the user may add. */
export function quickTiles(
  screens: ScreenRef[],
  session: Pick<SessionInfo, 'branchId'>,
): { shortcuts: QuickTile[]; others: QuickTile[] } {
  const taken = new Set<string>();
  const first = shortcuts.flatMap(({ needsBranch, ...tile }) => {
    const match = matchScreen(screens, tile.to.split('?')[0] ?? tile.to);
    if (!match?.ref.rights.add_screen) return [];
    taken.add(match.ref.name);
    if (!needsBranch || session.branchId) return [tile];
    return [{ ...tile, disabled: 'To add a walkin - please map a branch to the user & re-login.' }];
  });
  const others = screens
    .filter(
      (ref) => ref.kind !== 'settings' && ref.routes.add !== null && ref.rights.add_screen && !taken.has(ref.name),
    )
    .map((ref) => ({ label: ref.title, icon: ref.icon ?? 'Document', to: ref.routes.add ?? '' }))
    .sort((a, b) => a.label.localeCompare(b.label));
  return { shortcuts: first, others };
}
