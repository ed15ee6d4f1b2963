import { useState, useSyncExternalStore } from 'react';
import { MenuIcon } from '../../app/layout/MenuIcon.tsx';
import type { PageAction } from '../../app/page_action.ts';
import type { RecordAction } from '../../../descriptor/types.ts';
import type { FieldHost } from '../fields/widget.ts';
import { commitDrafts } from '../fields/widget.ts';
import { formActions, runAction } from '../record_action.ts';
import type { FormController } from './use_form.ts';
import { typedPayload } from './values.ts';

/** Has an action compute with the values of a form and puts its result into it; nothing is stored. A save waits for it. */
export function actInForm(host: FieldHost, action: RecordAction, rows: number[] = []): Promise<void> {
  commitDrafts(host);
  const before = [...(host.awaited ?? [])];
  const act = async () => {
    await Promise.allSettled(before);
    const values = host.values();
    const { id } = values;
    const subject = {
      ...(typeof id === 'number' && id > 0 && { id }),
      values: typedPayload(host.screen, values),
      rows,
    };
    await runAction(host.screen, action, subject, { take: host.setValues });
  };
  const done = act();
  host.awaited?.add(done);
  return done.finally(() => host.awaited?.delete(done));
}

/** The actions of a descriptor for the current form values, as buttons in its header. */
export function useFormActions({ store, host }: FormController): PageAction[] {
  const [busy, setBusy] = useState<string | null>(null);
  const { screen } = store;
  const titles = useSyncExternalStore(store.subscribe, () =>
    formActions(screen, store.values(), 'record')
      .map(({ title }) => title)
      .join('\n'),
  );
  return screen.actions
    .filter(({ run, on, title }) => run !== undefined && on === 'record' && titles.split('\n').includes(title))
    .map((action) => ({
      label: action.title,
      ...(action.icon !== undefined && { icon: <MenuIcon name={action.icon} fallback="Play" /> }),
      busy: busy === action.title,
      onClick: () => {
        setBusy(action.title);
        void actInForm(host, action).finally(() => setBusy(null));
      },
    }));
}
