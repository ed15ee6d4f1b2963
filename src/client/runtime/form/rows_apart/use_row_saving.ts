import { useEffect, useState } from 'react';
import type { FieldHost } from '../../fields/widget.ts';
import type { FormStore } from '../form_store.ts';
import type { RowSaving } from './row_saving.ts';

/** Saves rows of a stored record by cell, if its type is configured so. @returns whether there are unsaved changes */
export function useRowSaving(host: FieldHost, store: FormStore): boolean {
  const [pending, setPending] = useState(false);
  useEffect(() => {
    const fields = host.screen.fields.filter(({ saveBy, readOnly }) => saveBy === 'row' && !readOnly);
    if (fields.length === 0 || typeof store.base().id !== 'number') return;
    const all: RowSaving[] = [];
    let gone = false;
    // Few forms have such rows.
    void import('./row_saving.ts').then((module) => {
      if (gone) return;
      const { entityId } = host;
      const made = fields.map(
        (field) => [field.name, new module.RowSaving(host.screen, field, store, entityId)] as const,
      );
      host.saving = new Map(made);
      for (const [, saving] of made) {
        all.push(saving);
        saving.subscribe(() => setPending(all.some((one) => one.pending())));
      }
      store.rebase({}, {});
    });
    return () => {
      gone = true;
      for (const saving of all) saving.stop();
      delete host.saving;
    };
  }, [host, store]);
  return pending;
}
