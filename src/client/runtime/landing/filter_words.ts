import { formatDate } from '../../../descriptor/format.ts';
import { companyField } from '../../../descriptor/filter.ts';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { rowsReference } from '../../../descriptor/rows_reference.ts';
import type { Field, FilterOperator, Screen } from '../../../descriptor/types.ts';
import { RELATIVE_DAYS, hoursAhead, isRelative } from '../../../domain/relative_days.ts';
import type { RelativeWord } from '../../../domain/relative_days.ts';
import { fieldOf } from './cell_text.ts';
import { dayOf } from './date_presets.ts';
import type { Condition } from './list_address.ts';
import { isGroup } from './list_address.ts';

/** Labels of references by type and id, as far as known. */
export type Labels = (type: string, id: number) => string | undefined;

const words: Partial<Record<FilterOperator, string>> = {
  ne: 'is not',
  notin: 'is not',
  contains: 'contains',
  starts: 'starts with',
  before: 'before',
  after: 'after',
  gt: 'over',
  gte: 'from',
  lt: 'under',
  lte: 'up to',
};

/** The field that a condition names. */
const conditionField = (screen: Screen, name: string): Field | undefined =>
  fieldOf(screen, name) ?? companyField(screen, name) ?? rowsReference(screen, name);

/** A condition as text for its chip: the field's title, and the rest. */
export function conditionWords(condition: Condition, screen: Screen, labels: Labels): { title: string; text: string } {
  if (isGroup(condition))
    return { title: condition[0] === 'or' ? 'Any of' : 'All of', text: `${condition.length - 1} conditions` };
  const [name, op, value] = condition as [string, FilterOperator, unknown];
  const field = conditionField(screen, name);
  const title = field?.title ?? name;
  if (op === 'empty') return { title, text: 'is empty' };
  if (op === 'notempty') return { title, text: 'is filled in' };
  if (op === 'within' && hoursAhead(String(value)) !== null)
    return { title, text: `in the next ${hoursAhead(String(value))} hours` };
  if (op === 'within' && isRelative(String(value)))
    return { title, text: RELATIVE_DAYS[value as RelativeWord].title.toLowerCase() };
  if (op === 'between' && Array.isArray(value))
    return { title, text: rangeWords(value.map((one) => valueWords(field, one, labels))) };
  const list = (Array.isArray(value) ? value : [value]).map((one) => valueWords(field, one, labels));
  const text = list.length > 3 ? `${list.slice(0, 2).join(', ')} and ${list.length - 2} more` : list.join(', ');
  const word = words[op];
  return { title, text: word ? `${word} ${text}` : text };
}

function rangeWords([from = '', to = '']: string[]): string {
  return from === to ? from : `${from} to ${to}`;
}

function valueWords(field: Field | undefined, value: unknown, labels: Labels): string {
  if (!field) return String(value);
  if (field.ref && typeof value === 'number') return labels(field.ref.type, value) ?? `#${value}`;
  if (fieldType(field.type).filter === 'date' && typeof value === 'string') return formatDate(dayOf(value));
  return typeof value === 'string' && fieldType(field.type).filter === 'text'
    ? `"${value}"`
    : fieldType(field.type).format(value, field);
}

/** References in chips by id: their labels must be requested. */
export function idsInConditions(conditions: Condition[], screen: Screen): { field: Field; ids: number[] }[] {
  return conditions.flatMap((condition) => {
    if (isGroup(condition)) return [];
    const field = conditionField(screen, condition[0]);
    if (!field?.ref) return [];
    const value = condition[2];
    const ids = (Array.isArray(value) ? value : [value]).filter((one): one is number => typeof one === 'number');
    return ids.length > 0 ? [{ field, ids }] : [];
  });
}
