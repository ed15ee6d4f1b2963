import { tableName } from '../../db/names.ts';

/** SQL of a demo: statements that end with `;` at the end of a line; `{billing.lines}` stands for a table. */
const PLACE = /\{(\w+)(?:\.(\w+))?\}/g;

/** The financial year of a day, April to March, for numbers made by these statements: 25-26. */
export const FY_FUNCTION = `create function pg_temp.fy(day date) returns text language sql immutable as $$ select to_char(day - interval '3 months', 'YY') || '-' || to_char(day + interval '9 months', 'YY') $$`;

/** The types that a text of statements refers to. */
export function typesIn(text: string): string[] {
  return [...new Set([...text.matchAll(PLACE)].map(([, type]) => type!))];
}

/** The statements of a text, with the tables of a client. */
export function statementsIn(text: string, schema: string): string[] {
  return text
    .replace(PLACE, (_all, type: string, rows?: string) =>
      tableName(schema, rows === undefined ? type : `${type}__${rows}`),
    )
    .split(/;\n/)
    .filter((one) => one.trim() !== '');
}
