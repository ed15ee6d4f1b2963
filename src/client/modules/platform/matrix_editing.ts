import { useEffect, useMemo, useRef, useState } from 'react';
import type { ApiError } from '../../api/http.ts';
import { api } from '../../api/http.ts';
import { toast } from '../../app/feedback.ts';
import { useUnsavedGuard } from '../../app/page.tsx';
import type { Change, Matrix } from './rights_matrix.ts';
import { changeOf, mergeUpon } from './rights_matrix.ts';

export interface MatrixEditing<T extends Matrix> {
  stored: T;
  draft: T;
  setDraft: (draft: T | ((old: T) => T)) => void;
  change: Change;
  busy: boolean;
  save: () => Promise<void>;
  /** Resets the draft to the stored state. */
  restart: (now: T) => void;
}

/**
 * Edits a matrix of rights: changes, saving (also by Ctrl+S), and merging with changes that somebody else saved
 * meanwhile.
 * @param holders who holds these rights, in the message when nobody does: "role"
 */
export function useMatrixEditing<T extends Matrix>(first: T, path: string, holders: string): MatrixEditing<T> {
  const [stored, setStored] = useState(first);
  const [draft, setDraft] = useState(first);
  const [busy, setBusy] = useState(false);
  const change = useMemo(() => changeOf(stored, draft), [stored, draft]);
  useUnsavedGuard(change.count > 0);

  const restart = (now: T) => {
    setStored(now);
    setDraft(now);
  };
  const save = async () => {
    if (busy || change.count === 0) return;
    setBusy(true);
    try {
      const { data } = await api.put<{ data: { version: number; users_affected: number; warnings: string[] } }>(
        path,
        {
          version: stored.role.version,
          screens: change.screens,
          ...(change.modules.length > 0 && { modules: change.modules }),
          ...(change.actions && { actions: change.actions }),
          ...(change.fields.length > 0 && { fields: change.fields }),
        },
        { quiet: true },
      );
      const next = { ...draft, role: { ...draft.role, version: data.version }, warnings: data.warnings };
      restart(next);
      toast.success(
        `Rights saved. ${data.users_affected === 0 ? `Nobody holds this ${holders} yet.` : `They apply immediately to ${data.users_affected} ${data.users_affected === 1 ? 'user' : 'users'}.`}`,
      );
    } catch (thrown) {
      const refusal = thrown as ApiError;
      if (refusal.code === 'stale_version') {
        const { data: theirs } = await api.get<{ data: T }>(path, undefined, { quiet: true });
        const { draft: merged, both } = mergeUpon(stored, draft, theirs);
        setStored(theirs);
        setDraft({ ...theirs, ...merged });
        toast.warning(
          `${refusal.message} Both sets of changes are joined${both > 0 ? `; of ${both} ${both === 1 ? 'screen' : 'screens'} that both changed, yours stand` : ''}. Look them over and save again.`,
        );
      } else toast.error(refusal.message);
    }
    setBusy(false);
  };
  const saving = useRef(save);
  useEffect(() => {
    saving.current = save;
  });
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return;
      event.preventDefault();
      void saving.current();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
  return { stored, draft, setDraft, change, busy, save, restart };
}
