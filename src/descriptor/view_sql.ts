import type { Draft } from './compile.ts';
import type { Screen } from './types.ts';

/** A placeholder in the statement of a view. */
export interface Placeholder {
  text: string;
  /** `{contract}`: the records of a type … */
  type?: string;
  /** … `{contract.lines}`: their child rows. */
  rows?: string;
  /** `{:as_on}`: the reader's choice, or one of `OF_COMPANY`. */
  parameter?: string;
}

/** The placeholders that need no parameter: the current day, the current minute and the time zone at the reader's company. */
const OF_COMPANY = ['today', 'now', 'zone'] as const;
type OfCompany = (typeof OF_COMPANY)[number];

export const isOfCompany = (parameter: string): parameter is OfCompany =>
  (OF_COMPANY as readonly string[]).includes(parameter);

const PLACEHOLDER = /\{(?:(:)([a-z][a-z0-9_]*)|([a-z][a-z0-9_]*)(?:\.([a-z][a-z0-9_]*))?)\}/g;

/** The statement with each placeholder replaced by `by`. */
export function filledView(sql: string, by: (one: Placeholder) => string): string {
  return sql.replace(PLACEHOLDER, (text, colon?: string, parameter?: string, type?: string, rows?: string) =>
    by({
      text,
      ...(colon !== undefined && { parameter: parameter! }),
      ...(type !== undefined && { type }),
      ...(rows !== undefined && { rows }),
    }),
  );
}

/** The placeholders of a statement, in their order. */
export function placeholders(sql: string): Placeholder[] {
  const found: Placeholder[] = [];
  filledView(bare(sql), (one) => {
    found.push(one);
    return '';
  });
  return found;
}

const TEXTS_AND_COMMENTS = /'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\//g;

/** The statement in a view's file: without comments and the final semicolon. */
export function statementOf(file: string): string {
  return file
    .replace(TEXTS_AND_COMMENTS, (found) => (found.startsWith("'") ? found : ' '))
    .trim()
    .replace(/\s*;$/, '');
}

/** String literals are emptied, so that their words are not mistaken for keywords. */
const bare = (sql: string): string => sql.replace(TEXTS_AND_COMMENTS, "''");

/** Constructs in which "from" does not precede a table. */
const OTHER_FROM = /\b(?:(?:extract|substring|trim|overlay)\s*\([^()]*?\bfrom\b|distinct\s+from\b)/gi;

const WRITES =
  /\b(insert|update|delete|merge|truncate|drop|alter|create|grant|revoke|copy|call|do|execute|prepare|lock|notify|listen|set|reset|vacuum|refresh|into)\b/i;
/** Functions with side effects, or with access beyond the rows. */
const BEYOND = /\b(nextval|setval|pg_\w+|lo_\w+|dblink\w*|query_to_xml\w*|set_config|current_setting|txid_\w+)\s*\(/i;

/** The errors in the statement of a view that can be found without a database. */
export function viewProblems(
  { name, reads = {}, sql = '', parameters = [] }: Screen,
  types: ReadonlyMap<string, Pick<Draft, 'screen'>>,
): { message: string; hint?: string }[] {
  const text = bare(sql);
  const problems: { message: string; hint?: string }[] = [];
  const wrong = (message: string, hint?: string) => problems.push({ message, ...(hint !== undefined && { hint }) });
  if (text === '') {
    wrong(`The statement of the view is missing.`, `Write it into ${name}.sql, beside this file.`);
    return problems;
  }
  if (!/^(select|with)\b/i.test(text)) wrong(`The statement in ${name}.sql does not begin with select or with.`);
  if (text.includes(';')) wrong(`There are several statements in ${name}.sql.`, 'Keep one, without a semicolon.');
  const write = WRITES.exec(text)?.[1];
  if (write !== undefined) wrong(`A view writes nothing: "${write}" stands in ${name}.sql.`, 'Write a select.');
  const beyond = BEYOND.exec(text)?.[1];
  if (beyond !== undefined) wrong(`A view cannot use ${beyond}, which stands in ${name}.sql.`);
  if (/\b(current_date|now\s*\(|localtime|current_time)/i.test(text))
    wrong(`${name}.sql takes the day of the database.`, 'Write {:today} or {:now} for the day where the company is.');
  const moment = /\b\w+_at::date\b/i.exec(text)?.[0];
  if (moment !== undefined)
    wrong(
      `${moment} in ${name}.sql takes the day of the database.`,
      `Write (${moment.replace('::date', '')} at time zone {:zone})::date.`,
    );
  for (const { text: written, type, rows, parameter } of placeholders(sql)) {
    if (parameter !== undefined && !isOfCompany(parameter) && !parameters.some((field) => field.name === parameter))
      wrong(`${written} in ${name}.sql is not a parameter.`, 'Describe it under "parameters".');
    if (type === undefined) continue;
    if (!reads[type]) wrong(`${written} in ${name}.sql is not among what the view reads.`, `Add "${type}" to "reads".`);
    else if (rows !== undefined) {
      const field = types.get(type)?.screen.fields.find((one) => one.name === rows);
      if (!field?.rows || field.part || !reads[type].includes(rows))
        wrong(`${written} in ${name}.sql are no rows that the view reads.`, `Add "${rows}" to "reads" of "${type}".`);
    }
  }
  const own = new Set(
    [
      ...text.matchAll(/(?:\bwith(?:\s+recursive)?|,)\s+"?(\w+)"?(?:\s*\([^()]*\))?\s+as\s*(?:materialized\s*)?\(/gi),
    ].map(([, one]) => one!.toLowerCase()),
  );
  for (const [, table] of text
    .replace(OTHER_FROM, ' ')
    .matchAll(/\b(?:from|join)\s+(?:lateral\s+|only\s+)?(["\w][\w".]*)(?!\s*\()(?![\w".])/gi)) {
    const plain = table!.replaceAll('"', '').toLowerCase();
    if (!own.has(plain) && !['lateral', 'only', 'unnest', 'generate_series'].includes(plain))
      wrong(`"${table}" in ${name}.sql is read past the rights of the reader.`, `Write {${plain}}.`);
  }
  return problems;
}
