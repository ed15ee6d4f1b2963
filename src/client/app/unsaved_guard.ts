import { useCallback, useEffect, useRef } from 'react';
import { useBlocker } from 'react-router-dom';
import { confirmDialog } from './feedback.ts';

/** Forms with unsaved changes, so that a reload by the shell itself (company switch, new version) can ask. */
const dirtyForms = new Map<object, (() => void) | undefined>();

export function hasUnsavedChanges(): boolean {
  return dirtyForms.size > 0;
}

/** The identity of a form: its address, with the record's id if it is in the query. */
function subjectOf({ pathname, search }: { pathname: string; search: string }): string {
  return `${pathname} ${new URLSearchParams(search).get('id') ?? ''}`;
}

/**
 * Asks before the person leaves a page with unsaved changes, by a link, Back or closing the tab. `onLeave` runs if the
 * person leaves. Returns `release`: call it after saving, just before navigating away.
 */
export function useUnsavedGuard(dirty: boolean, onLeave?: () => void): () => void {
  const released = useRef(false);
  const key = useRef({});
  const left = useRef(onLeave);
  useEffect(() => {
    left.current = onLeave;
  });

  useEffect(() => {
    released.current = false;
    const form = key.current;
    if (!dirty) return undefined;
    dirtyForms.set(form, () => left.current?.());
    const ask = (event: BeforeUnloadEvent) => {
      if (!released.current && dirtyForms.has(form)) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => {
      dirtyForms.delete(form);
      removeEventListener('beforeunload', ask);
    };
  }, [dirty]);

  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    return dirty && !released.current && subjectOf(currentLocation) !== subjectOf(nextLocation);
  });

  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    void confirmDialog({
      title: 'Leave without saving?',
      text: 'Your changes on this page are not saved.',
      confirmLabel: 'Leave',
      cancelLabel: 'Stay',
      danger: true,
    }).then((leave) => {
      if (!leave) {
        blocker.reset();
        return;
      }
      left.current?.();
      blocker.proceed();
    });
  }, [blocker]);

  return useCallback(() => {
    released.current = true;
    dirtyForms.delete(key.current);
  }, []);
}

/** Asks if something is unsaved; true = continue. For leaving without the router, such as signing out. */
export async function confirmLeaving(): Promise<boolean> {
  if (!hasUnsavedChanges()) return true;
  const leave = await confirmDialog({
    title: 'Leave without saving?',
    text: 'Your changes on this page are not saved.',
    confirmLabel: 'Leave',
    cancelLabel: 'Stay',
    danger: true,
  });
  if (leave) {
    for (const end of dirtyForms.values()) end?.();
    dirtyForms.clear();
  }
  return leave;
}
