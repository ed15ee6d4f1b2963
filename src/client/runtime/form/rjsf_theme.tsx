import type {
  FieldProps,
  FieldTemplateProps,
  ObjectFieldTemplateProps,
  RegistryFieldsType,
  TemplatesType,
  UiSchema,
} from '@rjsf/utils';
import type { Screen } from '../../../descriptor/types.ts';
import { FormField } from './FormField.tsx';
import { FormLayout } from './FormLayout.tsx';
import { useForm } from './form_context.ts';

/**
 * The theme with which RJSF renders our forms. RJSF reads the schema, evaluates its conditions and decides which fields
 * are required; values are in the form store, so that a commit renders one field, not the form.
 */

/** Any property of the record: the widget registry provides its control. */
function ScreenField({ name, required }: FieldProps) {
  const { store } = useForm();
  const field = store.screen.fields.find((one) => one.name === name);
  return field ? <FormField field={field} required={required === true} /> : null;
}

/** Label and message belong to the field itself. */
function BareField({ children }: FieldTemplateProps) {
  return <>{children}</>;
}

/** The record: its properties in tabs and sections. */
function RecordLayout({ properties }: ObjectFieldTemplateProps) {
  return <FormLayout fields={new Map(properties.map(({ name, content }) => [name, content]))} />;
}

const nothing = () => null;

/** Alternatives of whole schemas have no fields of their own: they are validated on saving. */
export const fields = { ScreenField, AnyOfField: nothing, OneOfField: nothing } as unknown as RegistryFieldsType;

export const templates: Partial<TemplatesType> = {
  FieldTemplate: BareField,
  ObjectFieldTemplate: RecordLayout,
  FieldErrorTemplate: nothing,
  FieldHelpTemplate: nothing,
  DescriptionFieldTemplate: nothing,
  ErrorListTemplate: nothing,
};

/** Every property is rendered by {@link ScreenField}. */
export function uiSchemaOf(screen: Screen): UiSchema {
  return Object.fromEntries(screen.fields.map(({ name }) => [name, { 'ui:field': 'ScreenField' }]));
}
