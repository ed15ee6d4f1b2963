import * as XLSX from 'xlsx';
import type { Field, Screen } from '../../../descriptor/types.ts';
import { isEntered, isFilledByHand, rowsSheets } from './rows_sheets.ts';
import { openingNumber } from '../../../descriptor/workflow.ts';
import { head, importFields, keyOfStored } from './sheet_columns.ts';

/** The additional sheets of a template. */
const HELP_SHEETS = ['Help', 'Lists'];

/** Whether these are the additional sheets of one of our templates. */
export function isTemplateHelp(sheets: string[]): boolean {
  return sheets.length > 0 && sheets.every((name) => HELP_SHEETS.includes(name));
}

/** The number of rows with drop-down lists in the template. */
const LISTED_ROWS = 5000;

/**
 * An empty workbook to fill in: "Sheet1" with the headings, "Help" with a description of each column, "Lists" with the
 * choices of the drop-downs, and a sheet for each table of child rows.
 * @param choices labels of the active records a reference may refer to, by field name (short lists only)
 */
export function templateWorkbook(screen: Screen, choices: Map<string, string[]>): Buffer {
  const fields = importFields(screen);
  const book = XLSX.utils.book_new();
  const sheet = XLSX.utils.aoa_to_sheet([fields.map(head)]);
  sheet['!cols'] = fields.map((field) => ({ wch: Math.max(12, head(field).length + 2) }));
  XLSX.utils.book_append_sheet(book, sheet, 'Sheet1');

  const help = XLSX.utils.aoa_to_sheet([
    ['Column', 'Must be filled', 'What it takes', 'Help'],
    ...fields.map((field) => [field.title, field.required ? 'Yes' : '', takes(screen, field), field.help ?? '']),
  ]);
  help['!cols'] = [{ wch: 28 }, { wch: 16 }, { wch: 48 }, { wch: 60 }];
  XLSX.utils.book_append_sheet(book, help, HELP_SHEETS[0]);

  const lists = fields.flatMap((field, column) => {
    const values =
      field.type === 'boolean'
        ? ['Yes', 'No']
        : (optionsOf(screen, field)?.map((option) => option.label) ?? choices.get(field.name));
    return values === undefined || values.length === 0 ? [] : [{ column, title: field.title, values }];
  });
  const height = Math.max(0, ...lists.map((list) => list.values.length));
  XLSX.utils.book_append_sheet(
    book,
    XLSX.utils.aoa_to_sheet([
      lists.map((list) => list.title),
      ...Array.from({ length: height }, (_, row) => lists.map((list) => list.values[row] ?? null)),
    ]),
    HELP_SHEETS[1],
  );
  for (const rows of rowsSheets(screen).filter(isEntered)) {
    const heads = importFields(rows.screen).filter(isFilledByHand).map(head);
    const sheet = XLSX.utils.aoa_to_sheet([heads]);
    sheet['!cols'] = heads.map((text) => ({ wch: Math.max(12, text.length + 2) }));
    XLSX.utils.book_append_sheet(book, sheet, rows.name);
  }
  const bytes = XLSX.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer;
  return withDropDowns(
    bytes,
    lists.map((list, index) => ({
      cells: `${XLSX.utils.encode_col(list.column)}2:${XLSX.utils.encode_col(list.column)}${LISTED_ROWS}`,
      source: `Lists!$${XLSX.utils.encode_col(index)}$2:$${XLSX.utils.encode_col(index)}$${list.values.length + 1}`,
    })),
  );
}

/** The choices of a field; for the state, those in which an import may create records. */
function optionsOf({ workflow }: Screen, field: Field): Field['options'] {
  if (field.name !== workflow?.field) return field.options;
  const open = new Set<string | number>([workflow.states[0]!.name, ...Object.keys(workflow.import ?? {})]);
  return field.options?.filter(({ value }) => open.has(value));
}

/** One line for the help sheet: the valid content of a cell in this column. */
function takes(screen: Screen, field: Field): string {
  if (field.name === openingNumber(screen)) return 'The record’s existing number. Empty = it gets one later';
  const options = optionsOf(screen, field);
  if (options) return options.map((option) => option.label).join(', ');
  if (keyOfStored(screen).includes(field.name)) return 'As in the list: the key of the record that the row changes';
  if (field.readOnly) return 'Leave it empty for a new record: it gets the next number';
  switch (field.type) {
    case 'boolean':
      return 'Yes or No';
    case 'date':
      return 'A date, DD-MM-YYYY';
    case 'ref':
      return 'Name or code of a record that exists';
    case 'refs':
      return 'Names or codes, separated by commas';
    case 'money':
    case 'decimal':
    case 'percent':
    case 'quantity':
    case 'integer':
      return 'A number';
    case 'tags':
      return 'Words, separated by commas';
    default:
      return typeof field.schema.maxLength === 'number' ? `Text, at most ${field.schema.maxLength} characters` : 'Text';
  }
}

/** The xlsx package does not write data validation, so it is added to the XML of the finished sheet. */
function withDropDowns(bytes: Buffer, lists: { cells: string; source: string }[]): Buffer {
  if (lists.length === 0) return bytes;
  const zip = XLSX.CFB.read(bytes, { type: 'buffer' });
  const entry = XLSX.CFB.find(zip, '/xl/worksheets/sheet1.xml');
  if (entry === null) return bytes;
  const xml = Buffer.from(entry.content as Uint8Array).toString('utf8');
  const validations = lists
    .map(
      ({ cells, source }) =>
        `<dataValidation type="list" allowBlank="1" showErrorMessage="0" sqref="${cells}"><formula1>${source}</formula1></dataValidation>`,
    )
    .join('');
  const block = `<dataValidations count="${lists.length}">${validations}</dataValidations>`;
  // The schema of a worksheet fixes the order: validations follow the data, before ignoredErrors and the rest.
  const after = /<(?:ignoredErrors|hyperlinks|pageMargins|pageSetup|legacyDrawing)|<\/worksheet>/;
  entry.content = Buffer.from(xml.replace(after, (next) => block + next)) as unknown as typeof entry.content;
  return Buffer.from(XLSX.CFB.write(zip, { fileType: 'zip', type: 'buffer', compression: true }) as Uint8Array);
}
