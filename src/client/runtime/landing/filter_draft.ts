import type { FilterKind } from '../../../descriptor/fieldtypes/field_type.ts';
import { parseDate } from '../../../descriptor/fieldtypes/calendar.ts';
import { formatDate } from '../../../descriptor/format.ts';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { Field, FilterOperator } from '../../../descriptor/types.ts';
import { isRelative } from '../../../domain/relative_days.ts';
import { dayOf, endOfDay, startOfDay } from './date_presets.ts';
import type { Condition } from './list_address.ts';

/** A condition while it is being edited: the typed text, not yet the filter. */
export interface FilterDraft {
  op: FilterOperator;
  text: string;
  from: string;
  to: string;
  chosen: (string | number | boolean)[];
}

export interface OperatorChoice {
  op: FilterOperator;
  label: string;
}

const byKind: Record<FilterKind, OperatorChoice[]> = {
  text: [
    { op: 'contains', label: 'contains' },
    { op: 'starts', label: 'starts with' },
    { op: 'eq', label: 'is exactly' },
    { op: 'ne', label: 'is not' },
    { op: 'empty', label: 'is empty' },
    { op: 'notempty', label: 'is filled in' },
  ],
  number: [
    { op: 'between', label: 'between' },
    { op: 'eq', label: 'is exactly' },
    { op: 'ne', label: 'is not' },
    { op: 'gte', label: 'from' },
    { op: 'lte', label: 'up to' },
    { op: 'empty', label: 'is empty' },
    { op: 'notempty', label: 'is filled in' },
  ],
  date: [
    { op: 'between', label: 'between' },
    { op: 'within', label: 'in the period' },
    { op: 'before', label: 'before' },
    { op: 'after', label: 'after' },
    { op: 'ne', label: 'is not' },
    { op: 'empty', label: 'is empty' },
    { op: 'notempty', label: 'is filled in' },
  ],
  enum: [
    { op: 'in', label: 'is one of' },
    { op: 'notin', label: 'is not' },
    { op: 'empty', label: 'is empty' },
    { op: 'notempty', label: 'is filled in' },
  ],
  boolean: [{ op: 'in', label: 'is' }],
  ref: [
    { op: 'in', label: 'is one of' },
    { op: 'notin', label: 'is not' },
    { op: 'contains', label: 'name contains' },
    { op: 'empty', label: 'is empty' },
    { op: 'notempty', label: 'is filled in' },
  ],
  refs: [
    { op: 'in', label: 'has one of' },
    { op: 'notin', label: 'has none of' },
    { op: 'empty', label: 'is empty' },
    { op: 'notempty', label: 'is filled in' },
  ],
  none: [],
};

export function filterKind(field: Field): FilterKind {
  return field.secret ? 'none' : fieldType(field.type).filter;
}

export function operatorChoices(field: Field): OperatorChoice[] {
  const choices = byKind[filterKind(field)];
  // A list of keywords has no prefix and no exact value.
  if (field.type === 'tags') return choices.filter(({ op }) => op !== 'starts' && op !== 'eq' && op !== 'ne');
  // Nobody excludes a single moment of a day; a time of day has no period.
  if (field.type === 'datetime') return choices.filter(({ op }) => op !== 'ne');
  return field.type === 'date' ? choices : choices.filter(({ op }) => op !== 'within');
}

export function draftOf(field: Field, condition: Condition | null): FilterDraft {
  const draft: FilterDraft = { op: operatorChoices(field)[0]?.op ?? 'eq', text: '', from: '', to: '', chosen: [] };
  if (!condition) return draft;
  const [, op, value] = condition as [string, FilterOperator, unknown];
  if (op === 'between' && Array.isArray(value))
    return { ...draft, op, from: typed(field, value[0]), to: typed(field, value[1]) };
  if (op === 'within') return { ...draft, op, text: String(value) };
  const without = op === 'notin' || op === 'ne';
  const several =
    ['enum', 'boolean', 'ref', 'refs'].includes(filterKind(field)) && (without || op === 'in' || op === 'eq');
  if (several) {
    const chosen = (Array.isArray(value) ? value : [value]) as FilterDraft['chosen'];
    // Of yes and no, what is not the one is the other.
    if (field.type === 'boolean' && without) return { ...draft, op: 'in', chosen: [value !== true] };
    return { ...draft, op: without ? 'notin' : 'in', chosen };
  }
  const text = typed(field, value);
  return { ...draft, op, text, from: text };
}

/** A value in the notation in which a person would type it. */
function typed(field: Field, value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  return filterKind(field) === 'date' ? formatDate(dayOf(String(value))) : `${value}`;
}

/** The condition of a draft; null = none, an error if the text is invalid. */
export function conditionOf(field: Field, draft: FilterDraft): { condition: Condition | null } | { error: string } {
  const { name } = field;
  const { op } = draft;
  if (op === 'empty' || op === 'notempty') return { condition: [name, op] };
  if (op === 'within') return { condition: isRelative(draft.text) ? [name, op, draft.text] : null };
  const kind = filterKind(field);
  if (op === 'in' || op === 'notin') {
    if (draft.chosen.length === 0) return { condition: null };
    if (kind === 'boolean') return { condition: draft.chosen.length === 1 ? [name, 'eq', draft.chosen[0]] : null };
    return { condition: [name, op, draft.chosen] };
  }
  if (kind === 'number' || kind === 'date') {
    const from = parsed(field, draft.from);
    if ('error' in from) return from;
    if (op !== 'between')
      return {
        condition: from.value === null ? null : [name, op, bound(field, from.value, op === 'after' || op === 'lte')],
      };
    const to = parsed(field, draft.to);
    if ('error' in to) return to;
    return range(field, from.value, to.value);
  }
  const text = draft.text.trim();
  return { condition: text === '' ? null : [name, op, text] };
}

function parsed(field: Field, text: string): { value: unknown } | { error: string } {
  if (text.trim() === '') return { value: null };
  return filterKind(field) === 'date' ? parseDate(text) : fieldType(field.type).parse(text, field);
}

/** Between needs both ends; a single one is "from" or "up to". */
function range(field: Field, from: unknown, to: unknown): { condition: Condition | null } | { error: string } {
  const { name } = field;
  if (from === null && to === null) return { condition: null };
  if (to === null) return { condition: [name, 'gte', bound(field, from, false)] };
  if (from === null) return { condition: [name, 'lte', bound(field, to, true)] };
  // Days are YYYY-MM-DD: they sort as text.
  const backwards = filterKind(field) === 'number' ? Number(from) > Number(to) : (from as string) > (to as string);
  if (backwards) return { error: 'The first value must not be above the second.' };
  return { condition: [name, 'between', [bound(field, from, false), bound(field, to, true)]] };
}

/** People mean whole days, also for a date with time: from start to end. */
function bound(field: Field, value: unknown, end: boolean): unknown {
  if (field.type !== 'datetime' || typeof value !== 'string') return value;
  return end ? endOfDay(value) : startOfDay(value);
}
