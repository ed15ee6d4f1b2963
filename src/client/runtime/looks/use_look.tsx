import { Suspense, lazy, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import { listParameters } from '../landing/list_calls.ts';
import { useListState } from '../landing/use_list_state.ts';
import type { RecordActions } from '../landing/use_record_actions.tsx';
import { useRecordActions } from '../landing/use_record_actions.tsx';
import type { PageProps } from '../page_props.ts';

const RowMenu = lazy(() => import('../landing/RowMenu.tsx'));
const InUseDialog = lazy(() => import('../landing/InUseDialog.tsx'));

/** The filters of a list, as parameters of its calls; a look has its own order. */
export function useLookParameters({ fields }: Pick<Screen, 'fields'>): Record<string, string> {
  const [state] = useListState(fields);
  return useMemo(() => {
    const { sort: _order, ...narrowed } = listParameters(state);
    return narrowed;
  }, [state]);
}

/** The actions on records of a look, and the menu of the one requested. */
export function useLookActions(
  { screen, access }: Pick<PageProps, 'screen' | 'access'>,
  refresh: () => void,
): { actions: RecordActions; openMenu: (record: WireRecord, target: HTMLElement) => void; overlays: ReactNode } {
  const actions = useRecordActions(screen, access, refresh);
  const [menu, setMenu] = useState<{ record: WireRecord; target: HTMLElement } | null>(null);
  const overlays = (
    <Suspense fallback={null}>
      {menu && (
        <RowMenu
          {...menu}
          screen={screen}
          access={access}
          actions={actions}
          onChanged={refresh}
          onClose={() => setMenu(null)}
        />
      )}
      {actions.inUse && <InUseDialog screen={screen} actions={actions} />}
    </Suspense>
  );
  return { actions, openMenu: (record, target) => setMenu({ record, target }), overlays };
}
