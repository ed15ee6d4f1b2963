import '../patience.ts';
import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { render } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import type { Field, Screen } from '../../../../../src/descriptor/types.ts';
import DialogHost from '../../../../../src/client/app/dialogs/dialog_host.tsx';
import { FormField } from '../../../../../src/client/runtime/form/FormField.tsx';
import { FormContext } from '../../../../../src/client/runtime/form/form_context.ts';
import { createFormStore } from '../../../../../src/client/runtime/form/form_store.ts';
import type { FormStore } from '../../../../../src/client/runtime/form/form_store.ts';
import { newRecord } from '../../../../../src/client/runtime/form/values.ts';
import type { FieldHost } from '../../../../../src/client/runtime/fields/widget.ts';
import { FieldErrorsContext, FieldHostContext } from '../../../../../src/client/runtime/fields/widget.ts';
import { screenOf } from '../../../descriptor/fixtures/compile_sample.ts';
import { withoutSizes } from '../resize_observer.ts';

/** A screen with one field beside code and name. */
export function oneField(name: string, property: Record<string, unknown>): Screen {
  return screenOf({}, { [name]: property });
}

/** Draws fields of a screen with a form's store behind them, as a form does. */
export function renderFields(screen: Screen, names: string[], values: Record<string, unknown> = {}): FormStore {
  withoutSizes();
  const base = { ...newRecord(screen), ...values };
  const store = createFormStore(screen, base);
  const host: FieldHost = {
    screen,
    values: store.values,
    subscribe: store.subscribe,
    setValues: store.set,
    drafts: new Set(),
  };
  const fields = names.map((name) => screen.fields.find((field) => field.name === name) as Field);
  render(
    <FluentProvider theme={webLightTheme}>
      <MemoryRouter>
        <FormContext value={{ store, prefix: 'f', readOnly: false }}>
          <FieldHostContext value={host}>
            <FieldErrorsContext value={new Map()}>
              {fields.map((field) => (
                <FormField key={field.name} field={field} />
              ))}
              <button type="button">after</button>
            </FieldErrorsContext>
          </FieldHostContext>
        </FormContext>
        <DialogHost />
      </MemoryRouter>
    </FluentProvider>,
  );
  return store;
}

/** One field drawn alone. */
export function renderField(
  property: Record<string, unknown>,
  value: unknown = null,
): { store: FormStore; value: () => unknown } {
  const store = renderFields(oneField('it', { title: 'It', ...property }), ['it'], { it: value });
  return { store, value: () => store.values().it };
}
