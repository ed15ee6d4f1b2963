import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { compileExpression } from '../../../descriptor/expression/compile_expression.ts';
import { parameterForm } from '../../../descriptor/parameter_form.ts';
import type { FieldError, Screen } from '../../../descriptor/types.ts';
import type { Report } from '../../../domain/report.ts';
import { place, today } from '../../../descriptor/place.ts';
import { isRelative, relativeDay } from '../../../domain/relative_days.ts';
import { AppError } from '../../db/errors.ts';
import { findErrors, unstorable } from '../records/validate_record.ts';

const forms = new WeakMap<Report, Screen>();

/** The parameters as a form, for form validation. */
function formOf(report: Report): Screen {
  const known = forms.get(report);
  if (known) return known;
  const { route: landing, menu, parameters } = report;
  const form = parameterForm(report, parameters, { landing, menu });
  forms.set(report, form);
  return form;
}

/**
 * The reader's choices from an address: each in its type, defaults for missing ones. An empty text is also a choice: it
 * overrides a default with nothing. Dates may be relative to today (`last_month`).
 * @throws AppError 422 with the parameter
 */
export function readParameters(report: Report, given: Record<string, string | undefined>): Record<string, unknown> {
  const errors: FieldError[] = [];
  const values: Record<string, unknown> = {};
  for (const field of report.parameters) {
    const text = given[field.name];
    if (text === undefined) {
      values[field.name] = defaultOf(report, field.name) ?? field.default ?? null;
      continue;
    }
    const read =
      field.type === 'ref'
        ? readId(text)
        : field.type === 'date' && isRelative(text)
          ? { value: relativeDay(field.name, text, today(), place().fyStartMonth) }
          : fieldType(field.type).parse(text, field);
    if ('error' in read) errors.push({ field: field.name, message: read.error });
    else values[field.name] = read.value;
  }
  const form = formOf(report);
  const found = [...errors];
  if (found.length === 0) found.push(...findErrors(form, values));
  if (found.length === 0) found.push(...unstorable(form, values));
  if (found.length > 0)
    throw new AppError(422, 'validation', found[0]!.message, { field: found[0]!.field, details: found });
  return values;
}

function readId(text: string): { value: number | null } | { error: string } {
  if (text === '') return { value: null };
  return /^\d{1,15}$/.test(text) ? { value: Number(text) } : { error: 'Choose a record of the list.' };
}

function defaultOf({ defaults = {}, parameters }: Report, name: string): unknown {
  const field = parameters.find((one) => one.name === name);
  const expression = defaults[name] ?? field?.begins;
  if (expression === undefined) return undefined;
  const value = compileExpression(expression).evaluate({});
  // A month starts with its first day.
  if (field?.type === 'month' && typeof value === 'string') return value.slice(0, 7);
  // Numbers in expressions are exact; whole-number parameters are plain numbers.
  return value !== null && typeof value === 'object' && 'toNumber' in value
    ? (value as { toNumber(): number }).toNumber()
    : value;
}
