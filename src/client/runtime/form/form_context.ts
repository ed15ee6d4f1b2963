import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import type { FieldState, FormStore } from './form_store.ts';

export interface FormContextValue {
  store: FormStore;
  /** Prefix of the ids of this form's controls: two forms may be open at once. */
  prefix: string;
  readOnly: boolean;
}

export const FormContext = createContext<FormContextValue | null>(null);

export function useForm(): FormContextValue {
  const form = useContext(FormContext);
  if (!form) throw new Error('A field stands outside a form.');
  return form;
}

/** One field's value, updated as it changes. */
export function useValue(name: string): unknown {
  const { store } = useForm();
  return useSyncExternalStore(
    store.subscribe,
    useCallback(() => store.values()[name], [store, name]),
  );
}

/** One field's view of the form state, updated as it changes. */
export function useFieldState(name: string): FieldState {
  const { store } = useForm();
  return useSyncExternalStore(
    store.subscribe,
    useCallback(() => store.field(name), [store, name]),
  );
}

/** The id of a field's control. */
export function controlId(prefix: string, name: string): string {
  return `${prefix}-${name}`;
}
