import { formatValue } from '../../../descriptor/format.ts';
import { isFigure } from '../../../descriptor/dashboard_kinds.ts';
import { currencyOf, unitOf } from '../../../descriptor/money.ts';
import type { Field, WireRecord } from '../../../descriptor/types.ts';
import type { TileAnswer } from '../../../domain/dashboard.ts';

/** Lines of a chart or list that are written down; the rest is counted. */
const LINES = 12;

function valueOf(field: Field, row: Readonly<Record<string, unknown>>): string {
  const label = row[`${field.name}__label`];
  if (typeof label === 'string') return label;
  const text = formatValue(field, row[field.name], row);
  if (text === '' || !isFigure(field)) return text;
  if (field.type === 'money') return `${unitOf(field) ?? currencyOf(field)}${text}`;
  const unit = unitOf(field);
  return unit === undefined ? text : `${text} ${unit}`;
}

function lineOf(columns: readonly Field[], row: Readonly<Record<string, unknown>>): string {
  return columns
    .map((column) => valueOf(column, row))
    .filter((text) => text !== '')
    .join(' · ');
}

/** What a tile shows, in words that may be kept; null = it has no figure to speak of. */
export function figureWords(answer: TileAnswer): string | null {
  if (answer.problem !== undefined) return answer.problem;
  const { figures, list } = answer;
  const columns = figures?.columns ?? list?.columns ?? [];
  const rows: readonly (Record<string, unknown> | WireRecord)[] = figures?.rows ?? list?.rows ?? [];
  if (columns.length === 0) return null;
  if (rows.length === 0) return 'None';
  const count = list?.count ?? rows.length;
  const lines = rows.slice(0, LINES).map((row) => lineOf(columns, row) || '–');
  return [...lines, ...(count > lines.length ? [`and ${count - lines.length} more`] : [])].join('\n');
}
