import { humanise } from '../../descriptor/humanise.ts';
import type { JsonSchema } from '../../descriptor/types.ts';
import type { BotPeriod } from './closed_periods.ts';

const ONLY = 'only_';

/** How the values of a column are put together. */
const WAYS = ['sum', 'average', 'highest', 'lowest'] as const;

export interface CollectionMeasure {
  way: 'rows' | (typeof WAYS)[number];
  /** Empty for a number of rows. */
  column: string;
}

/** What is asked of the rows of a collection. */
export interface CollectionQuestion {
  measure: CollectionMeasure;
  /** The column with the day of a row; null: the figure is of all rows, as they are now. */
  dated: string | null;
  period: BotPeriod;
  /** The column whose values divide the figure in a chart. */
  by: string | null;
  /** Rows with one of these values in each of the columns. */
  only: [column: string, values: string[]][];
}

/** A column of a collection, by what its values look like. */
export interface CollectionColumn {
  name: string;
  isNumber: boolean;
  isText: boolean;
  isDate: boolean;
}

/** Describes the questions that the columns of a collection allow, as fields of a form. */
export function questionsOf(columns: readonly CollectionColumn[]): JsonSchema {
  const numbers = columns.filter(({ isNumber }) => isNumber);
  const dates = columns.filter(({ isDate }) => isDate);
  const texts = columns.filter(({ isText, isDate }) => isText && !isDate);
  return {
    type: 'object',
    required: ['figure'],
    properties: {
      figure: {
        title: 'Figure',
        enum: ['number of rows', ...numbers.flatMap(({ name }) => WAYS.map((way) => `${way} of ${name}`))],
      },
      // Stored keys are ordered by their length: the figure comes first.
      ...(dates.length > 0 && {
        dated_by: {
          title: 'Dated by',
          description: 'Without a date the figure is of all rows, as they are now.',
          enum: dates.map(({ name }) => name),
        },
      }),
      ...(texts.length > 0 && {
        divided_by: {
          title: 'Divided by',
          description: 'For a chart of parts. The rule looks at the whole.',
          enum: texts.map(({ name }) => name),
        },
      }),
      ...Object.fromEntries(
        texts.map(({ name }) => [
          ONLY + name,
          {
            type: 'array',
            items: { type: 'string', maxLength: 250 },
            maxItems: 50,
            title: `Only ${humanise(name).toLowerCase()}`,
          },
        ]),
      ),
    },
    additionalProperties: false,
  };
}

/** The question in a value that such a form gave; null = it is none. */
export function questionIn(given: unknown, period: BotPeriod): CollectionQuestion | null {
  if (typeof given !== 'object' || given === null) return null;
  const { figure, dated_by: dated, divided_by: by, ...rest } = given as Record<string, unknown>;
  const [way, column] = typeof figure === 'string' ? figure.split(' of ') : [];
  const measure: CollectionMeasure | null =
    figure === 'number of rows'
      ? { way: 'rows', column: '' }
      : WAYS.some((one) => one === way) && column
        ? { way: way as (typeof WAYS)[number], column }
        : null;
  if (measure === null) return null;
  const only = Object.entries(rest).flatMap(([name, values]): [string, string[]][] =>
    name.startsWith(ONLY) && Array.isArray(values) && values.length > 0
      ? [[name.slice(ONLY.length), values.map(String)]]
      : [],
  );
  return {
    measure,
    dated: typeof dated === 'string' ? dated : null,
    period,
    by: typeof by === 'string' ? by : null,
    only,
  };
}

/** A figure of a collection: of a period, or of all its rows as they are now. */
export interface CollectionFigure {
  /** The first day of the period. */
  first: string | null;
  value: string;
}

/** A figure of the rows with one value in the column that divides it. */
export interface CollectionPart extends CollectionFigure {
  part: string | null;
}
