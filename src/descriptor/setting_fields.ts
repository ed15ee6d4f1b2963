/** What a type with the word `overlay` is made of: its fields, and how they name tabs and fields of a client's own. */

/**
 * One record of a type that carries the word `overlay`: how a client wants one field of another type, or a
 * field of the client's own. What is null is as the product has it.
 */
export interface FieldSetting {
  /** `own`: a field of the client's own, whatever `field` still says. */
  kind?: string | null;
  field?: string | null;
  /** Short name of a field of the client's own; in records it stands behind `own_`. */
  own_field?: string | null;
  type?: string | null;
  choices?: string[] | null;
  label?: string | null;
  /** The form's tab, as {@link tabCode} writes it. */
  section?: string | null;
  sequence_no?: number | null;
  shown?: boolean | null;
  required?: boolean | null;
  /** Of a new record, as people write it. */
  default_value?: string | null;
  /** `shown` as a column, or `ready` to be chosen as one. */
  in_list?: string | null;
  editable_by_employee?: boolean | null;
  mask?: string | null;
  roles?: number[] | null;
}

/** The fields that an overlay's type may have, and of which kind each must be. `field` and `shown` must be there. */
export const SETTING_FIELDS: Readonly<Record<keyof FieldSetting, string>> = {
  kind: 'enum',
  field: 'enum',
  own_field: 'text',
  type: 'enum',
  choices: 'tags',
  label: 'text',
  section: 'enum',
  sequence_no: 'integer',
  shown: 'boolean',
  required: 'boolean',
  default_value: 'text',
  in_list: 'enum',
  editable_by_employee: 'boolean',
  mask: 'enum',
  roles: 'refs',
};

/** Before the names of a client's own fields, so that no later field of the product can be called the same. */
export const OWN = 'own_';

/** Types a client's own field may have: one value that is complete in itself. References and files need keys of the database. */
export const OWN_TYPES: readonly string[] = [
  'text',
  'long_text',
  'integer',
  'decimal',
  'quantity',
  'money',
  'percent',
  'date',
  'time',
  'datetime',
  'month',
  'financial_year',
  'boolean',
  'enum',
  'tags',
  'email',
  'phone',
  'url',
  'gstin',
  'pan',
  'ifsc',
  'pincode',
  'rating',
  'duration',
  'colour',
];

/** A tab of a form as settings name it: "Skills and training" → skills_and_training. */
export function tabCode(title: string): string {
  return title
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_');
}

/** The field of the product that a setting is about; null = it is a field of the client's own. */
export function productField({ kind, field }: FieldSetting): string | null {
  return kind === 'own' ? null : (field ?? null);
}

/** The name of the client's own field that a setting adds; null = it adds none. */
export function ownFieldName(setting: FieldSetting): string | null {
  return productField(setting) === null && setting.own_field ? `${OWN}${setting.own_field}` : null;
}
