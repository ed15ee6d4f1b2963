import Form from '@rjsf/core/lib/components/Form.js';
import type { RJSFSchema } from '@rjsf/utils';
import type { ReactNode } from 'react';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { Screen } from '../../../descriptor/types.ts';
import type { FieldHost } from '../fields/widget.ts';
import { FieldErrorsContext, FieldHostContext } from '../fields/widget.ts';
import styles from './form.module.css';
import { FormContext } from './form_context.ts';
import type { FormStore } from './form_store.ts';
import { fields, templates, uiSchemaOf } from './rjsf_theme.tsx';
import type { LoadedChecks } from './validator.ts';
import { conditionValidator, loadChecks } from './validator.ts';
import { isEmpty } from './values.ts';

interface FormFieldsProps {
  store: FormStore;
  host: FieldHost;
  prefix: string;
  validatorUrl: string | null;
  readOnly?: boolean;
  /** Stable between renders. */
  onSubmit: () => void;
}

/** The maximum time a save waits for the checks of a form that was just opened; after that only the server checks. */
const CHECKS_WAIT_MS = 3_000;

/** The form itself, without header and buttons. */
export function FormFields({ store, host, prefix, validatorUrl, readOnly = false, onSubmit }: FormFieldsProps) {
  const { screen } = store;
  const checks = useRef<LoadedChecks | null>(null);
  const [arrived, setArrived] = useState(false);
  const validator = useMemo(() => conditionValidator(() => checks.current), []);
  // RJSF evaluates the conditions again when its schema changes; the fields keep their state and typed text.
  const schema = useMemo(
    () => ({ ...schemaWithoutRows(screen), ...(arrived && { $comment: 'Conditions can be checked.' }) }),
    [screen, arrived],
  );
  const uiSchema = useMemo(() => uiSchemaOf(screen), [screen]);
  const context = useMemo(() => ({ store, prefix, readOnly }), [store, prefix, readOnly]);

  useEffect(() => {
    if (validatorUrl === null) return;
    let gone = false;
    const loading = loadChecks(validatorUrl, String(screen.schema.$id ?? ''))
      .then((loaded) => {
        if (gone) return;
        checks.current = loaded;
        store.useCheck(loaded.check);
        if (store.conditions.size > 0) setArrived(true);
      })
      // Without it only the server checks; its findings appear at their fields all the same.
      .catch((error: unknown) => console.warn('The checks of this form did not load.', error));
    const awaited = Promise.race([loading, new Promise<void>((resolve) => setTimeout(resolve, CHECKS_WAIT_MS))]);
    host.awaited?.add(awaited);
    void awaited.finally(() => host.awaited?.delete(awaited));
    return () => {
      gone = true;
    };
  }, [validatorUrl, screen, store, host]);

  const looked = useConditionValues(store);
  // RJSF compares its props deeply; it is rendered only when one of them has changed.
  const form = useMemo(
    () => (
      <Form
        className={styles.form ?? ''}
        idPrefix={prefix}
        schema={schema}
        uiSchema={uiSchema}
        formData={looked}
        validator={validator}
        fields={fields}
        templates={templates}
        noValidate
        noHtml5Validate
        showErrorList={false}
        onSubmit={onSubmit}
        onError={onSubmit}
      >
        {/* The button that Enter in a field presses. */}
        <button type="submit" hidden aria-label="Save" />
      </Form>
    ),
    [prefix, schema, uiSchema, looked, validator, onSubmit],
  );
  return (
    <FormContext value={context}>
      <FieldHostContext value={host}>
        <Messages store={store}>{form}</Messages>
      </FieldHostContext>
    </FormContext>
  );
}

function Messages({ store, children }: { store: FormStore; children: ReactNode }) {
  return (
    <FieldErrorsContext value={useSyncExternalStore(store.subscribe, store.messages)}>{children}</FieldErrorsContext>
  );
}

/** The values used by the schema's conditions; the same object until one of them changes. */
function useConditionValues(store: FormStore): Record<string, unknown> {
  const kept = useRef<Record<string, unknown>>({});
  return useSyncExternalStore(store.subscribe, () => {
    const values = store.values();
    const now = Object.fromEntries(
      [...store.conditions].filter((name) => !isEmpty(values[name])).map((name) => [name, values[name]]),
    );
    const names = Object.keys(now);
    if (names.length !== Object.keys(kept.current).length || names.some((name) => kept.current[name] !== now[name]))
      kept.current = now;
    return kept.current;
  });
}

/** Child rows are one field with their own sheet: RJSF does not need to walk through thousands of cells. */
function schemaWithoutRows(screen: Screen): RJSFSchema {
  const properties = Object.fromEntries(
    Object.entries(screen.schema.properties ?? {}).map(([name, schema]) => [
      name,
      screen.fields.some((field) => field.name === name && field.rows)
        ? { type: 'array', title: schema.title }
        : schema,
    ]),
  );
  return { ...screen.schema, properties } as RJSFSchema;
}
