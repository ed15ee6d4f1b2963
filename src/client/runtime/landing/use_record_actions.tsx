import { useCallback, useMemo, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Screen, ScreenRef, WireRecord } from '../../../descriptor/types.ts';
import { ApiError, api } from '../../api/http.ts';
import { menu, pageAddress } from '../../api/screens.ts';
import { confirmDialog, toast } from '../../app/feedback.ts';
import type { RowStep } from '../action_address.ts';
import { rowStep } from '../action_address.ts';
import { recordLabel } from './cell_text.ts';

export interface UsedBy {
  type: string;
  title: string;
  count: number;
  route?: string | null;
}

/** A delete that was refused because other records refer to this one. */
export interface InUse {
  record: WireRecord;
  usedBy: UsedBy[];
}

export interface RecordActions {
  address: (record: WireRecord) => string | null;
  open: (record: WireRecord, newTab?: boolean) => void;
  /** The action that the row itself shows; null: the list has none. */
  step: ((record: WireRecord) => RowStep | null) | null;
  edit: ((record: WireRecord) => void) | null;
  copy: ((record: WireRecord) => void) | null;
  setActive: ((record: WireRecord, active: boolean) => Promise<void>) | null;
  remove: ((record: WireRecord) => Promise<void>) | null;
  inUse: InUse | null;
  closeInUse: () => void;
}

/** The actions on one record from a list; null if the user has no right to them. */
export function useRecordActions(screen: Screen, access: ScreenRef, changed: () => void): RecordActions {
  const navigate = useNavigate();
  const [inUse, setInUse] = useState<InUse | null>(null);

  const { screens } = menu.use();
  const address = useCallback(
    (record: WireRecord) => {
      // A row of a view opens the record that it is about.
      const [type, by] = Object.entries(screen.subject ?? {}).find(([, name]) => (record[name] ?? null) !== null) ?? [];
      const to = screen.subject ? screens.find(({ name }) => name === type) : access;
      const id = by === undefined ? record.id : (record[by] as number);
      return to ? (pageAddress(to, 'view_screen', id) ?? pageAddress(to, 'edit_screen', id)) : null;
    },
    [access, screen, screens],
  );
  const step = useMemo(() => rowStep(screen, access), [screen, access]);
  const open = useCallback(
    (record: WireRecord, newTab = false) => {
      const to = address(record);
      if (to === null) return;
      if (newTab) window.open(to, '_blank', 'noopener');
      else void navigate(to);
    },
    [address, navigate],
  );

  async function setActive(record: WireRecord, active: boolean): Promise<void> {
    const path = `/tapi/${screen.name}/${record.id}/${active ? 'activate' : 'deactivate'}`;
    const { data } = await api.post<{ data: WireRecord }>(path, { version: record.version });
    changed();
    const undo = () => {
      // The call itself has shown the refusal.
      setActive(data, !active).catch(() => undefined);
    };
    toast.success(`${recordLabel(screen, record)} is ${active ? 'in use again' : 'inactive now'}.`, {
      action: { label: 'Undo', onClick: undo },
    });
  }

  const remove = useCallback(
    async (record: WireRecord): Promise<void> => {
      const label = recordLabel(screen, record);
      const sure = await confirmDialog({
        title: `Delete ${label}?`,
        text: 'It is deleted and cannot be restored.',
        danger: true,
      });
      if (!sure) return;
      try {
        await api.delete(`/tapi/${screen.name}/${record.id}`, { quiet: true });
        changed();
        toast.success(`${label} is deleted.`);
      } catch (thrown) {
        if (!(thrown instanceof ApiError)) throw thrown;
        if (thrown.code === 'in_use')
          setInUse({ record, usedBy: (thrown.extra.used_by as UsedBy[] | undefined) ?? [] });
        else toast.error(thrown.message);
      }
    },
    [screen, changed],
  );

  const { rights, routes } = access;
  const canEdit = rights.edit_screen && rights.write && routes.edit !== null;
  const canAdd = rights.add_screen && rights.write && routes.add !== null;
  return {
    address,
    step,
    open,
    edit: canEdit ? (record) => void navigate(pageAddress(access, 'edit_screen', record.id) ?? '') : null,
    copy: canAdd ? (record) => void navigate(`${routes.add}?copy=${record.id}`) : null,
    setActive: canEdit && rights.remove ? setActive : null,
    remove: rights.remove ? remove : null,
    inUse,
    closeInUse: () => setInUse(null),
  };
}
