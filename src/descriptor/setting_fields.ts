/** The structure of a type with the word `overlay`: its fields, and the names of tabs and custom fields. */

/**
 * One record of a type with the word `overlay`: a client's customisation of one field of another type, or a custom
 * field. Null means the product's default.
 */
export interface FieldSetting {
  /** Where the field is, if the type customises several: a type, or its rows as `type.rows`; null = the first. */
  of?: string | null;
  /** `own`: a custom field of the client, whatever `field` contains. */
  kind?: string | null;
  field?: string | null;
  /** Short name of a custom field; in records it is prefixed with `own_`. */
  own_field?: string | null;
  type?: string | null;
  choices?: string[] | null;
  label?: string | null;
  /** The form's tab, in the notation of {@link tabCode}. */
  section?: string | null;
  sequence_no?: number | null;
  shown?: boolean | null;
  required?: boolean | null;
  /** The value in a new record, as people write it. */
  default_value?: string | null;
  /** `shown` as a column, or `ready` to be chosen as one. */
  in_list?: string | null;
  editable_by_employee?: boolean | null;
  mask?: string | null;
  roles?: number[] | null;
  /** A further column of reports with details. */
  in_report?: boolean | null;
}

/** The fields that an overlay type may have, with their required kinds. `field` and `shown` are required. */
export const SETTING_FIELDS: Readonly<Record<keyof FieldSetting, string>> = {
  of: 'enum',
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
  in_report: 'boolean',
};

/** Prefix of custom field names, so that no later field of the product can have the same name. */
export const OWN = 'own_';

/** Types allowed for a custom field: one self-contained value. References and files would need foreign keys. */
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

/** The code of a form tab in settings: "Skills and training" → skills_and_training. */
export function tabCode(title: string): string {
  return title
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_');
}

/** The product field of a setting; null = it is a custom field. */
export function productField({ kind, field }: FieldSetting): string | null {
  return kind === 'own' ? null : (field ?? null);
}

/** A type whose fields are customised, or a rows field of it whose columns are. */
export interface OverlayTarget {
  /** As written: `order`, `order.lines`. */
  name: string;
  type: string;
  rows: string | null;
}

export function overlayTarget(name: string): OverlayTarget {
  const [type = '', rows = null] = name.split('.');
  return { name, type, rows };
}

/** The target of a setting; of one stored when there was only the first, that one. */
export function targetOf(targets: readonly OverlayTarget[], { of }: FieldSetting): OverlayTarget {
  return targets.find(({ name }) => name === of) ?? targets[0]!;
}

/** The rows field to whose columns a setting applies; null = the record itself. */
export function rowsOf({ of }: FieldSetting): string | null {
  return overlayTarget(of ?? '').rows;
}

/** The name of the custom field added by a setting; null = none. */
export function ownFieldName(setting: FieldSetting): string | null {
  return productField(setting) === null && setting.own_field ? `${OWN}${setting.own_field}` : null;
}
