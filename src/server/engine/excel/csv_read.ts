import Papa from 'papaparse';
import { AppError } from '../../db/errors.ts';

const SEPARATORS = [',', ';', '\t', '|'];
/** The number of rows used to detect the separator. */
const SAMPLE_ROWS = 20;

/**
 * The cells of a CSV file by row and column, as text: the fields interpret them. Empty cells are null.
 * @throws AppError 422 if quotation marks are not paired
 */
export function readCsv(text: string): (string | null)[][] {
  // Excel's way to declare the separator.
  const [said, separator] = /^sep=(.)\r?\n/.exec(text) ?? [];
  const body = said === undefined ? text : text.slice(said.length);
  const { data, errors } = Papa.parse<string[]>(body, { delimiter: separator ?? separatorOf(body) });
  const above = said === undefined ? 0 : 1;
  const unpaired = errors.find(({ type }) => type === 'Quotes');
  if (unpaired)
    throw new AppError(
      422,
      'invalid',
      `Row ${(unpaired.row ?? 0) + above + 1}: the quotation marks (") do not pair. Write two of them for each one within a text.`,
    );
  const rows = data.map((cells) => cells.map(cellOf));
  return above === 0 ? rows : [[], ...rows];
}

/** The content of a cell; programs write ="0071" so that Excel does not convert a text to a number. */
function cellOf(written: string): string | null {
  const text = written.trim();
  const [, kept] = /^="((?:[^"]|"")*)"$/.exec(text) ?? [];
  return (kept === undefined ? text : kept.replaceAll('""', '"').trim()) || null;
}

/**
 * The separator with which most of the first rows have the same number of cells; of several, the one with the most
 * cells.
 */
function separatorOf(text: string): string {
  let [best, max, widest] = [',', 0, 0];
  for (const separator of SEPARATORS) {
    const { data } = Papa.parse<string[]>(text, { delimiter: separator, preview: SAMPLE_ROWS, skipEmptyLines: true });
    const counts = new Map<number, number>();
    for (const { length } of data) if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1);
    for (const [cells, rows] of counts)
      if (rows > max || (rows === max && cells > widest)) [best, max, widest] = [separator, rows, cells];
  }
  return best;
}
