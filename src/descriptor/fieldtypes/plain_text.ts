import { TEXT_VALUE } from './can.ts';
import type { FieldType, Parsed } from './field_type.ts';
import { written } from './written.ts';

/**
 * Characters that nobody sees and that copying brings along: spaces without width, soft hyphens, turns of the direction of
 * writing. Joiners stay: words of Indian scripts are written with them.
 */
const UNSEEN = /[\u00ad\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** Trims and collapses runs of spaces (specification, section 5), and leaves out what nobody sees. */
export function tidy(text: string): string {
  return text
    .replace(UNSEEN, '')
    .replace(/[ \t\u00a0\u2000-\u200a\u202f\u3000]+/g, ' ')
    .trim();
}

/** Text of one line: the base of every type that is stored as text and shown as it is. */
export function textType(name: string, more: Partial<FieldType> = {}): FieldType {
  return {
    name,
    sql: () => 'text',
    filter: 'text',
    widget: name,
    can: TEXT_VALUE,
    parse: (text): Parsed => {
      const value = tidy(written(text));
      return { value: value === '' ? null : value };
    },
    format: (value) => (value === null || value === undefined ? '' : written(value)),
    clean: (value) => (typeof value === 'string' ? tidy(value) : value),
    ...more,
  };
}

/** Text whose letters are always capitals: codes of law such as PAN and GSTIN. */
export function capitalsType(name: string, more: Partial<FieldType> = {}): FieldType {
  const upper = (value: string) => tidy(value).replace(/\s+/g, '').toUpperCase();
  return textType(name, {
    parse: (text): Parsed => {
      const value = upper(written(text));
      return { value: value === '' ? null : value };
    },
    clean: (value) => (typeof value === 'string' ? upper(value) : value),
    ...more,
  });
}
