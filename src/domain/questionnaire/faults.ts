import type { Value } from '../../descriptor/expression/value.ts';
import { compare, fromPlain, text } from '../../descriptor/expression/value.ts';
import { Exact } from '../../descriptor/exact.ts';
import { dayFirst } from '../../descriptor/fieldtypes/written.ts';
import { grouped } from '../../descriptor/money.ts';
import type { LinearPattern } from '../linear_pattern.ts';
import { linearPattern, patternFault } from '../linear_pattern.ts';
import type { Asked, Course } from './course.ts';

/** The errors that prevent submission, by question key. */
export interface Fault {
  key: string;
  message: string;
}

/** The message for a missing answer. */
function missing({ type, pictures }: Asked['question']): string {
  if (type === 'signature') return 'Please sign.';
  if (type === 'file') return pictures ? 'Please add a photo.' : 'Please add a file.';
  return 'Please answer this question.';
}

/** The error of the answer to a visible question; null = none. */
function faultOf(asked: Asked): string | null {
  const { question, value, na, required } = asked;
  if (na) return null;
  if (value === null || value === undefined) return required ? missing(question) : null;
  switch (question.type) {
    case 'short_text':
    case 'long_text':
      return textFault(asked, String(value));
    case 'number':
    case 'slider':
      return limitFault(asked, fromPlain(value)) ?? stepFault(asked, Number(value));
    case 'date':
    case 'time':
      return limitFault(asked, String(value));
    case 'consent':
      return required && value !== 'yes' ? 'Please agree to go on.' : null;
    case 'multiple_choice':
      return countFault(asked, (value as unknown[]).length);
    case 'ranking': {
      const all = question.maxChoices ?? question.options.length;
      return (value as unknown[]).length === all
        ? null
        : `Rank ${question.maxChoices === undefined ? 'all' : 'the first'} ${all}.`;
    }
    case 'constant_sum':
      return sumFault(asked, value as Record<string, number>);
    case 'matrix_single':
    case 'matrix_multiple':
    case 'matrix_rating':
    case 'multiple_input':
    case 'matrix_input':
      return required ? lineFault(asked, value as Record<string, unknown>) : null;
    default:
      return null;
  }
}

/** All missing or invalid answers along the course. */
export function faultsOf({ asked }: Pick<Course, 'asked'>): Fault[] {
  return asked.flatMap((one) => {
    const message = faultOf(one);
    return message === null ? [] : [{ key: one.key, message }];
  });
}

const patterns = new Map<string, LinearPattern | null>();

/**
 * Whether the whole text matches the pattern; a pattern from an earlier release that cannot be parsed matches
 * everything.
 */
function fits(pattern: string, value: string): boolean {
  let made = patterns.get(pattern);
  if (made === undefined) {
    if (patterns.size > 500) patterns.clear();
    made = patternFault(pattern) === null ? linearPattern(`^(?:${pattern})$`) : null;
    patterns.set(pattern, made);
  }
  return made?.test(value) ?? true;
}

function textFault({ question: { pattern, min, max } }: Asked, value: string): string | null {
  const length = (written: string | undefined) => (/^\d+$/.test(written ?? '') ? Number(written) : null);
  const [shortest, longest] = [length(min), length(max)];
  if (shortest !== null && value.length < shortest) return `At least ${shortest} characters.`;
  if (longest !== null && value.length > longest) return `At most ${longest} characters.`;
  if (pattern !== undefined && !fits(pattern, value)) return 'This is not in the expected form.';
  return null;
}

/** A limit as text. */
const shown = (limit: Value): string => {
  const written = text(limit);
  return /^\d{4}-\d\d-\d\d$/.test(written) ? dayFirst(written) : written;
};

function limitFault({ question, min, max }: Asked, value: Value): string | null {
  const isBefore = (a: Value, b: Value) => {
    const order = compare(a, b);
    return order !== null && order < 0;
  };
  const than = question.type === 'date' || question.type === 'time' ? ['earlier', 'later'] : ['less', 'more'];
  if (min !== null && isBefore(value, min)) return `Not ${than[0]} than ${shown(min)}.`;
  if (max !== null && isBefore(max, value)) return `Not ${than[1]} than ${shown(max)}.`;
  return null;
}

function stepFault({ question: { step }, min }: Asked, value: number): string | null {
  if (step === undefined || !(step > 0)) return null;
  const from = min === null ? new Exact(0) : new Exact(text(min));
  return new Exact(value).minus(from).modulo(step).isZero() ? null : `In steps of ${grouped(String(step))}.`;
}

function countFault({ question: { minChoices, maxChoices } }: Asked, chosen: number): string | null {
  if (minChoices !== undefined && chosen < minChoices) return `Choose at least ${minChoices}.`;
  if (maxChoices !== undefined && chosen > maxChoices) return `Choose at most ${maxChoices}.`;
  return null;
}

/** The remaining amount of a constant sum, exactly. */
export function leftOf(total: number, value: Readonly<Record<string, number>> | null): number {
  return Object.values(value ?? {})
    .reduce((left, one) => left.minus(one), new Exact(total))
    .toNumber();
}

function sumFault({ question: { total } }: Asked, value: Record<string, number>): string | null {
  if (total === undefined) return null;
  const left = leftOf(total, value);
  if (left === 0) return null;
  return left > 0 ? `Distribute ${grouped(String(left))} more.` : `${grouped(String(-left))} too many are distributed.`;
}

function lineFault({ rows }: Asked, value: Record<string, unknown>): string | null {
  const open = rows.filter(({ code }) => value[code] === undefined);
  if (open.length === 0) return null;
  return open.length === 1 ? `"${open[0]!.label}" is not answered.` : `${open.length} lines are not answered.`;
}
