import { parseDate, parseTime } from '../../descriptor/fieldtypes/calendar.ts';
import { email } from '../../descriptor/fieldtypes/email.ts';
import { phone } from '../../descriptor/fieldtypes/phone.ts';
import { choicesOf, pointsOf } from './question.ts';
import type { Question } from './question.ts';

/** A value in stored form (null = not answered), or why it is invalid. */
export type Formed = { value: unknown } | { error: string };
type Json = Record<string, unknown>;

const LONGEST = { short: 500, long: 10_000 };
/** Files of one answer. */
export const MAX_FILES = 10;

const NOTHING: Formed = { value: null };
const no = (error: string): Formed => ({ error });
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);

/**
 * An answer in stored form, ignoring further requirements: incomplete answers pass, so that they can be continued.
 * Unknown options, and values of another type, are refused.
 */
export function formOf(question: Question, given: unknown): Formed {
  if (isEmpty(given)) return NOTHING;
  switch (question.type) {
    case 'short_text':
      return textOf(given, LONGEST.short);
    case 'long_text':
      return textOf(given, LONGEST.long);
    case 'email': {
      const text = textOf(given, 254);
      if ('error' in text || text.value === null) return text;
      const value = email.clean!(text.value, {} as never);
      return /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(String(value)) ? { value } : no('This is not an e-mail address.');
    }
    case 'phone': {
      const text = textOf(given, 30);
      if ('error' in text || text.value === null) return text;
      const value = phone.clean!(text.value, {} as never);
      return /^\+?[0-9]{6,15}$/.test(String(value)) ? { value } : no('This is not a telephone number.');
    }
    case 'number':
    case 'slider':
      return numberOf(given);
    case 'date':
      return dayOf(given);
    case 'time': {
      const found = typeof given === 'string' ? parseTime(given) : { error: '' };
      return 'error' in found ? no('This is not a time of day.') : found;
    }
    case 'yes_no':
    case 'consent':
    case 'single_choice':
    case 'dropdown':
    case 'image_choice':
      return choiceOf(question, given);
    case 'multiple_choice':
      return listOf(question, given);
    case 'ranking': {
      if (!Array.isArray(given)) return no('A list of choices is expected.');
      const codes = new Set(choicesOf(question).map(({ code }) => code));
      if (given.some((one) => typeof one !== 'string' || !codes.has(one))) return no('This choice is not offered.');
      return new Set(given).size === given.length ? { value: given } : no('A choice is listed twice.');
    }
    case 'rating':
    case 'scale':
    case 'csat':
    case 'ces':
    case 'nps':
      return pointOf(question, given);
    case 'constant_sum':
      return byCode(question.options, given, (one) => {
        const found = numberOf(one);
        return 'value' in found && typeof found.value === 'number' && found.value < 0
          ? no('Less than nothing cannot be given.')
          : found;
      });
    case 'matrix_single':
      return byCode(question.rows, given, (one) => columnOf(question, one));
    case 'matrix_rating':
      return byCode(question.rows, given, (one) => pointOf(question, one));
    case 'matrix_multiple':
      return byCode(question.rows, given, (one) => {
        if (!Array.isArray(one)) return no('A list of columns is expected.');
        const wrong = one.some((code) => 'error' in columnOf(question, code));
        return wrong ? no('This column is not offered.') : { value: inOrder(question.columns, one as string[]) };
      });
    case 'matrix_input':
      return byCode(question.rows, given, (line) =>
        byCode(question.columns, line, (cell, column) => {
          const { input = 'text' } = question.columns.find(({ code }) => code === column)!;
          return input === 'number' ? numberOf(cell) : input === 'date' ? dayOf(cell) : textOf(cell, LONGEST.short);
        }),
      );
    case 'multiple_input':
      return byCode(question.rows, given, (one) => textOf(one, LONGEST.short));
    case 'file':
    case 'signature': {
      const files = [...new Set(Array.isArray(given) ? given : [given])];
      if (files.some((one) => !Number.isSafeInteger(one) || Number(one) < 1)) return no('Files are named by number.');
      const max = question.type === 'signature' ? 1 : (question.maxChoices ?? MAX_FILES);
      return files.length <= max ? { value: files } : no(`At most ${max} files.`);
    }
    case 'geo':
      return placeOf(given);
    case 'hidden':
      return textOf(given, LONGEST.short);
    case 'statement':
    case 'calculated':
      return no('Nobody answers this.');
  }
}

function textOf(given: unknown, longest: number): Formed {
  if (typeof given !== 'string') return no('A text is expected.');
  const value = given.trim();
  if (value.length > longest) return no(`At most ${longest} characters.`);
  return value === '' ? NOTHING : { value };
}

function numberOf(given: unknown): Formed {
  if (typeof given === 'number' && Number.isFinite(given)) return { value: given };
  if (typeof given !== 'string') return no('A number is expected.');
  const text = given.replace(/[,\s]/g, '');
  return /^-?\d{1,15}(\.\d{1,10})?$/.test(text) ? { value: Number(text) } : no('This is not a number.');
}

function dayOf(given: unknown): Formed {
  const found = typeof given === 'string' ? parseDate(given) : { error: '' };
  return 'error' in found ? no('This is not a date.') : found;
}

function choiceOf(question: Question, given: unknown): Formed {
  const code = isObject(given) ? given.code : given;
  const choice = choicesOf(question).find((one) => one.code === code);
  if (!choice) return no('This choice is not offered.');
  if (!isObject(given)) return { value: choice.code };
  if (choice.other !== true) return { value: choice.code };
  const text = textOf(given.text ?? '', LONGEST.short);
  if ('error' in text) return text;
  return { value: text.value === null ? choice.code : { code: choice.code, text: text.value } };
}

/** Codes in the order of the choices; an exclusive one excludes the others. */
function listOf(question: Question, given: unknown): Formed {
  if (!Array.isArray(given)) return no('A list of choices is expected.');
  const values = new Map<string, unknown>();
  for (const one of given) {
    const formed = choiceOf(question, one);
    if ('error' in formed) return formed;
    values.set(codeOf(formed.value)!, formed.value);
  }
  const alone = question.options.filter(({ code, exclusive }) => exclusive && values.has(code)).at(-1);
  if (alone && values.size > 1) return { value: [values.get(alone.code)] };
  return { value: question.options.flatMap(({ code }) => (values.has(code) ? [values.get(code)] : [])) };
}

/** The code of a choice, with or without free text. */
export function codeOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return isObject(value) && typeof value.code === 'string' ? value.code : null;
}

function pointOf(question: Question, given: unknown): Formed {
  const [low, high] = pointsOf(question)!;
  const value = typeof given === 'string' && /^-?\d{1,4}$/.test(given) ? Number(given) : given;
  if (!Number.isSafeInteger(value)) return no('A whole number is expected.');
  return Number(value) >= low && Number(value) <= high ? { value } : no(`From ${low} to ${high}.`);
}

function columnOf({ columns }: Question, given: unknown): Formed {
  return columns.some(({ code }) => code === given) ? { value: given } : no('This column is not offered.');
}

const inOrder = (all: { code: string }[], codes: string[]): string[] =>
  all.flatMap(({ code }) => (codes.includes(code) ? [code] : []));

/** A value for each code, in order; empty ones are left out. */
function byCode(all: { code: string }[], given: unknown, form: (value: unknown, code: string) => Formed): Formed {
  if (!isObject(given)) return no('A value for each line is expected.');
  const value: Json = {};
  for (const code of Object.keys(given))
    if (!all.some((one) => one.code === code)) return no('This line is not asked.');
  for (const { code } of all) {
    const one = given[code];
    if (isEmpty(one)) continue;
    const formed = form(one, code);
    if ('error' in formed) return formed;
    if (!isEmpty(formed.value)) value[code] = formed.value;
  }
  return Object.keys(value).length === 0 ? NOTHING : { value };
}

function placeOf(given: unknown): Formed {
  if (!isObject(given)) return no('A place is expected.');
  const { lat, lng, accuracy } = given;
  const fits = (one: unknown, max: number) => typeof one === 'number' && Number.isFinite(one) && Math.abs(one) <= max;
  if (!fits(lat, 90) || !fits(lng, 180)) return no('This place does not exist.');
  const exact = typeof accuracy === 'number' && Number.isFinite(accuracy) && accuracy >= 0;
  return { value: { lat, lng, ...(exact && { accuracy }) } };
}
