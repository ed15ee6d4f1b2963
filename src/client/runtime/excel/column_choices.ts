/** A column of the file as the server found it. */
export interface FoundColumn {
  heading: string;
  /** Its letters in the sheet. */
  column: string;
  field: string | null;
  state: 'matched' | 'chosen' | 'unknown' | 'doubled' | 'kept';
  /** The field that an unknown heading probably means. */
  guess: string | null;
  sample: string | null;
}

export interface FoundColumns {
  sheet: string;
  sheets: string[];
  columns: FoundColumn[];
  /** They include this person's choices for an earlier file. */
  remembered: boolean;
  fields: { name: string; title: string; required: boolean }[];
}

export interface ColumnChoice {
  heading: string;
  field: string | null;
}

/** The field of each heading; null = its column is left out. */
export type Choices = ReadonlyMap<string, string | null>;

/** Whether a column needs to be assigned, or has been. */
export const isUnclear = ({ state }: FoundColumn): boolean =>
  state === 'unknown' || state === 'doubled' || state === 'chosen';

/** The initial choices: known columns, and suggestions for unknown headings. */
export function firstChoices({ columns }: FoundColumns): Choices {
  return new Map(
    columns
      .filter(({ state }) => state !== 'kept')
      .map(({ heading, state, field, guess }) => [
        heading,
        state === 'unknown' ? guess : state === 'doubled' ? null : field,
      ]),
  );
}

/** The choices to send to the server: everything that the headings alone do not define. */
export function choicesToSend({ columns }: FoundColumns, choices: Choices): ColumnChoice[] {
  return columns.flatMap((column) => {
    const field = choices.get(column.heading);
    if (field === undefined) return [];
    return isUnclear(column) || field !== column.field ? [{ heading: column.heading, field }] : [];
  });
}

/** The columns with their choices, for further editing. */
export function withChoices(found: FoundColumns, said: ColumnChoice[]): FoundColumns {
  const by = new Map(said.map(({ heading, field }) => [heading, field]));
  return {
    ...found,
    columns: found.columns.map((column) =>
      by.has(column.heading) ? { ...column, state: 'chosen' as const, field: by.get(column.heading) ?? null } : column,
    ),
  };
}

/** The heading of the column for each field. */
export function headingOfField(choices: Choices): Map<string, string> {
  return new Map([...choices].flatMap(([heading, field]) => (field === null ? [] : [[field, heading]])));
}

/** Titles of required fields without a column. */
export function missingFields({ fields }: FoundColumns, choices: Choices): string[] {
  const taken = headingOfField(choices);
  return fields.filter(({ name, required }) => required && !taken.has(name)).map(({ title }) => title);
}

/** The choices as text: "Mobile goes to Phone. Colour is left out." */
export function chosenText({ columns, fields, sheet, sheets }: FoundColumns): string {
  const titles = new Map(fields.map(({ name, title }) => [name, title]));
  return [
    ...(sheets.length > 1 ? [`The sheet "${sheet}" is read.`] : []),
    ...columns
      .filter(({ state }) => state === 'chosen')
      .map(({ heading, field }) =>
        field === null ? `"${heading}" is left out.` : `"${heading}" goes to ${titles.get(field) ?? field}.`,
      ),
  ].join(' ');
}
