import type { Screen } from '../../../descriptor/types.ts';
import { AppError, invalid } from '../../db/errors.ts';
import { importFields, mapColumns } from './sheet_columns.ts';
import type { ColumnChoice } from './sheet_columns.ts';

/** The maximum number of columns in one choice, and in a person's remembered choices for a record type. */
const MAX_CHOICES = 500;

/** Parses choices from a request. @throws AppError 422 with the error */
export function readChoices(given: unknown): ColumnChoice[] {
  const wrong = (message: string) => invalid([{ field: 'columns', message }]);
  if (!Array.isArray(given) || given.length > MAX_CHOICES)
    throw wrong(`columns is a list of up to ${MAX_CHOICES} headings, each as {"heading", "field"}.`);
  const seen = new Set<string>();
  return given.map((one: unknown) => {
    const { heading, field } = (one ?? {}) as Record<string, unknown>;
    if (typeof heading !== 'string' || heading === '')
      throw wrong('Each of the columns needs the text of its heading as "heading".');
    if (field !== null && typeof field !== 'string')
      throw wrong(`The "field" of the heading "${heading}" is the name of a field, or null to leave the column out.`);
    if (seen.has(heading)) throw wrong(`The heading "${heading}" is named twice.`);
    seen.add(heading);
    return { heading, field };
  });
}

/** Validates choices against the fields that can be imported. @throws AppError 422 with the heading */
export function checkFields(screen: Screen, choices: ColumnChoice[]): void {
  const fields = new Map(importFields(screen).map((field) => [field.name, field]));
  const taken = new Map<string, string>();
  const details = choices.flatMap(({ heading, field: name }) => {
    if (name === null) return [];
    const field = fields.get(name);
    const before = taken.get(name);
    taken.set(name, heading);
    if (!field) {
      const kept = screen.fields.find((one) => one.name === name);
      return [
        kept
          ? `The column "${heading}" cannot go to ${kept.title}: a file cannot set that field. Choose another field, or leave the column out.`
          : `The column "${heading}" cannot go to "${name}": there is no such field. Choose another field, or leave the column out.`,
      ];
    }
    return before === undefined ? [] : [bothTo(before, heading, field.title)];
  });
  if (details.length > 0) throw invalid(details.map((message) => ({ field: 'columns', message })));
}

/** Validates choices against the headings of a sheet too. @throws AppError 422 with the heading */
export function checkHeadings(screen: Screen, headings: string[], choices: ColumnChoice[]): void {
  const refuse = (message: string) => invalid([{ field: 'columns', message }]);
  const missing = choices.find(({ heading }) => !headings.includes(heading));
  if (missing) throw refuse(`The sheet has no column "${missing.heading}".`);
  const map = mapColumns(screen, headings, choices);
  const [twice] = map.doubled;
  if (twice) throw refuse(bothTo(headings[map.columns.indexOf(twice.field)]!, twice.heading, twice.field.title));
  if (map.columns.every((field) => field === null)) throw refuse('Choose a field for at least one column.');
}

const bothTo = (one: string, other: string, title: string) =>
  `The columns "${one}" and "${other}" both go to ${title}. Choose another field for one of them, or leave it out.`;

/** The remembered choices, updated with the current ones; the latest are kept. */
export function withChoices(remembered: ColumnChoice[], chosen: ColumnChoice[]): ColumnChoice[] {
  const now = new Set(chosen.map(({ heading }) => heading));
  return [...remembered.filter(({ heading }) => !now.has(heading)), ...chosen].slice(-MAX_CHOICES);
}

/** Refuses a sheet name that is not in the file. */
export function noSuchSheet(name: string): AppError {
  return invalid([{ field: 'sheet', message: `This file has no sheet "${name}" with anything in it.` }]);
}
