import { useId, useMemo, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import type { Field, FieldError } from '../../../descriptor/types.ts';
import type { ApiError } from '../../api/http.ts';
import { currentSession } from '../../app/session.ts';
import type { FieldHost } from '../fields/widget.ts';
import { FieldErrorsContext, FieldHostContext } from '../fields/widget.ts';
import { FormField } from './FormField.tsx';
import { FormContext } from './form_context.ts';
import type { FormStore } from './form_store.ts';

/** The fields of a dialog that asks for values: `drawn` renders them, `host` holds their drafts. */
export function useAskedFields(store: FormStore, fields: readonly Field[]): { host: FieldHost; drawn: ReactNode } {
  const prefix = useId().replace(/[^a-z\d]/gi, '');
  const host = useMemo<FieldHost>(
    () => ({
      screen: store.screen,
      values: store.values,
      subscribe: store.subscribe,
      setValues: store.set,
      drafts: new Set(),
      awaited: new Set(),
      entityId: currentSession().entityId,
    }),
    [store],
  );
  const messages = useSyncExternalStore(store.subscribe, store.messages);
  const drawn = (
    <FormContext value={{ store, prefix, readOnly: false }}>
      <FieldHostContext value={host}>
        <FieldErrorsContext value={messages}>
          {fields.map((field) => (
            <FormField key={field.name} field={field} />
          ))}
        </FieldErrorsContext>
      </FieldHostContext>
    </FormContext>
  );
  return { host, drawn };
}

/** Shows server errors at their fields. @returns the remaining findings */
export function refusedElsewhere(store: FormStore, fields: readonly Field[], error: ApiError): FieldError[] {
  const own = new Set(fields.map(({ name }) => name));
  const isOwn = ({ field }: FieldError) => own.has(field.split('.')[0]!);
  const found = error.details.length > 0 ? error.details : [{ field: error.field ?? '', message: error.message }];
  store.refuse(found.filter(isOwn));
  return found.filter((finding) => !isOwn(finding));
}
