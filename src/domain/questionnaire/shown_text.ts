import { dayFirst, written } from '../../descriptor/fieldtypes/written.ts';
import { codeOf } from './answer_form.ts';
import type { Asked, Course } from './course.ts';
import { choicesOf } from './question.ts';
import type { Question } from './question.ts';

const PIECE = /\{\{\s*(q|r):([a-z][a-z0-9_]*)(?:\|([^{}]*))?\s*\}\}/g;

/** Codes of the questions whose answers a text shows. */
export function textNames(text: string): string[] {
  return [...text.matchAll(PIECE)].flatMap(([, kind, name]) => (kind === 'q' ? [name!] : []));
}

/** A text without a particular respondent, with placeholders as names. */
export const withoutAnswers = (text: string): string => text.replace(PIECE, '…');

/**
 * A text with its answers and facts: `{{q:code}}` the answer as text, `{{q:code|value}}` as stored, `{{r:name|there}}`
 * a fact about the respondent, or the text after the bar if there is none. Plain text: the renderer escapes it.
 */
export function withAnswers(text: string, { asked, scope }: Pick<Course, 'asked' | 'scope'>): string {
  return text.replace(PIECE, (_all, kind: string, name: string, more: string | undefined) => {
    if (kind === 'r') return plain(scope[`recipient.${name}`]) || (more ?? '');
    const found = asked.find(({ question }) => question.code === name);
    if (!found || found.value === null) return more !== undefined && more !== 'value' ? more : '';
    return more === 'value' ? plain(codeOf(found.value) ?? found.value) : answerText(found);
  });
}

const plain = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? String(value) : written(value);

/** An answer in words. */
export function answerText({ question, value, na, rows }: Omit<Asked, 'required' | 'min' | 'max' | 'key'>): string {
  if (na) return 'Not applicable';
  if (value === null || value === undefined) return '';
  switch (question.type) {
    case 'yes_no':
    case 'consent':
    case 'single_choice':
    case 'dropdown':
    case 'image_choice':
      return choiceText(question, value);
    case 'multiple_choice':
      return (value as unknown[]).map((one) => choiceText(question, one)).join(', ');
    case 'ranking':
      return (value as unknown[]).map((one, at) => `${at + 1}. ${choiceText(question, one)}`).join(', ');
    case 'constant_sum':
      return question.options
        .flatMap(({ code, label }) => {
          const part = (value as Record<string, unknown>)[code];
          return part === undefined ? [] : [`${label}: ${plain(part)}`];
        })
        .join(', ');
    case 'matrix_single':
    case 'matrix_multiple':
    case 'matrix_rating':
    case 'matrix_input':
    case 'multiple_input':
      return rows
        .flatMap(({ code, label }) => {
          const cell = (value as Record<string, unknown>)[code];
          return cell === undefined ? [] : [`${label}: ${cellText(question, cell)}`];
        })
        .join('; ');
    case 'date':
      return dayFirst(value);
    case 'file':
    case 'signature': {
      const count = (value as unknown[]).length;
      if (question.type === 'signature') return 'Signed';
      return `${count} ${count === 1 ? 'file' : 'files'}`;
    }
    case 'geo': {
      const { lat, lng } = value as { lat: number; lng: number };
      return `${lat.toFixed(5)}, ${lng.toFixed(5)}`;
    }
    default:
      return plain(value);
  }
}

function choiceText(question: Question, value: unknown): string {
  const code = codeOf(value);
  const label = choicesOf(question).find((one) => one.code === code)?.label ?? code ?? '';
  const own = typeof value === 'object' && value !== null ? (value as { text?: unknown }).text : undefined;
  return typeof own === 'string' ? `${label}: ${own}` : label;
}

function cellText({ columns }: Question, cell: unknown): string {
  const label = (code: unknown) => columns.find((one) => one.code === code)?.label ?? plain(code);
  if (Array.isArray(cell)) return cell.map(label).join(', ');
  if (typeof cell === 'object' && cell !== null)
    return Object.entries(cell)
      .map(([column, value]) => `${label(column)} ${plain(value)}`)
      .join(', ');
  return label(cell);
}
