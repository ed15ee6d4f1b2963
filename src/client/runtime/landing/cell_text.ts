import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { formatValue } from '../../../descriptor/format.ts';
import type { Field, Screen, WireRecord } from '../../../descriptor/types.ts';

/** A record's displayed value: the label of a reference, grouped figures, DD-MM-YYYY. */
export function cellText(field: Field, record: Record<string, unknown>): string {
  if (field.secret) return record[`${field.name}__set`] === true ? '••••' : '';
  const label = record[`${field.name}__label`];
  if (typeof label === 'string') return label;
  if (Array.isArray(label)) return label.join(', ');
  const value = record[field.name];
  if (value === null || value === undefined) return '';
  return formatValue(field, value, record);
}

/** The record's name in titles and messages: its label fields, the first being the main text. */
export function recordLabel(screen: Screen, record: WireRecord): string {
  for (const name of screen.label) {
    const field = fieldOf(screen, name);
    const text = field ? cellText(field, record) : '';
    if (text !== '') return text;
  }
  return `${screen.title} ${record.id}`;
}

/** Fields every record has besides its own; they can be shown and sorted like any other. */
const systemFields: Field[] = [
  { name: 'active', type: 'boolean', title: 'In use' },
  { name: 'created_at', type: 'datetime', title: 'Added on' },
  { name: 'created_by', type: 'ref', title: 'Added by' },
  { name: 'updated_at', type: 'datetime', title: 'Changed on' },
  { name: 'updated_by', type: 'ref', title: 'Changed by' },
].map((field) => ({
  ...field,
  ...(field.type === 'ref' && { ref: { type: 'users', acrossCompanies: true } }),
  required: false,
  schema: {},
  secret: false,
  readOnly: true,
}));

export function fieldOf(screen: Screen, name: string): Field | undefined {
  return [...screen.fields, ...(screen.counts ?? []), ...systemFields].find((field) => field.name === name);
}

/** Everything that can be a column of the list. */
export function columnFields(screen: Screen): Field[] {
  return [
    ...screen.fields.filter((field) => fieldType(field.type).can.cell !== false && !field.secret),
    ...(screen.counts ?? []),
    ...systemFields,
  ];
}

export function isSortable(field: Field): boolean {
  return field.name !== 'active' && fieldType(field.type).can.sort && !field.secret;
}

export type Tone = 'neutral' | 'brand' | 'success' | 'warning' | 'danger';

/** The badge colour of an option; undefined for plain text. */
export function badgeTone(field: Field, value: unknown): Tone | undefined {
  if (field.type === 'boolean') return value === true ? 'success' : 'neutral';
  if (field.type !== 'enum') return undefined;
  const option = field.options?.find((item) => item.value === value);
  return option?.colour;
}
