import { TEXT_VALUE } from './can.ts';
import type { FieldType, Parsed } from './field_type.ts';
import { written } from './written.ts';

/**
 * Invisible characters that are copied along: zero-width spaces, soft hyphens, direction marks. Joiners are kept: words
 * in Indian scripts need them.
 */
const UNSEEN = /[\u00ad\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** Trims and collapses repeated spaces (specification, section 5), and removes invisible characters. */
export function tidy(text: string): string {
  return text
    .replace(UNSEEN, '')
    .replace(/[ \t\u00a0\u2000-\u200a\u202f\u3000]+/g, ' ')
    .trim();
}

/** Single-line text: the base of every type that is stored as text and shown unchanged. */
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

/** Text in capital letters: official codes such as PAN and GSTIN. */
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
