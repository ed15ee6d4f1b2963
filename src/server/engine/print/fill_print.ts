import { DateTime } from 'luxon';
import { Decimal } from 'decimal.js';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { currencyOf, inCurrency, unitOf } from '../../../descriptor/money.ts';
import { place, zoneOf } from '../../../descriptor/place.ts';
import { printOfCompany } from '../../../descriptor/prints.ts';
import type { Letterhead, Print, PrintBlock } from '../../../descriptor/prints.ts';
import { inOneUnit } from '../../../descriptor/same_unit.ts';
import type { Field, Screen, WireRecord } from '../../../descriptor/types.ts';
import { amountInWords } from '../../../domain/amount_in_words.ts';
import type { Session } from '../../access/context.ts';
import { quoted, tableName } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import type { ContentBlock, PrintColumn, PrintContent, PrintedGroup } from '../../services/print/print_content.ts';
import { plain } from '../effects/shared_call.ts';
import { holds, valueIn } from '../workflow/values.ts';
import type { Surroundings } from '../workflow/values.ts';
import { PrintValues } from './print_values.ts';

type Row = Record<string, unknown>;

/** The printed record, as the person who prints it sees it. */
export interface Printed {
  session: Session;
  screen: Screen;
  screens: ReadonlyMap<string, Screen>;
  record: WireRecord;
}

interface Filling extends Printed {
  around: Surroundings;
  values: PrintValues;
}

/**
 * The content of a print as data: nothing is looked up during layout.
 * @param at the time written into the file
 */
export async function fillPrint(printed: Printed, shipped: Print, at: string): Promise<PrintContent> {
  const { session, screen, screens, record } = printed;
  const print = printOfCompany(shipped, Number(record.entity_id ?? session.entityId) || null);
  const filling: Filling = {
    ...printed,
    around: { session, screen, screens, record },
    values: new PrintValues(session, screens, record),
  };
  const state = screen.workflow === undefined ? null : String(record[screen.workflow.field] ?? '');
  const number = (screen.number ?? screen.numberAt)?.field;
  const name = number === undefined ? '' : String(record[number] ?? '');
  const revision = record.revision;
  return {
    title: [print.title, name].filter((part) => part !== '').join(' '),
    paper: print.paper,
    landscape: print.landscape,
    at,
    watermark: (state !== null && print.watermark[state]) || null,
    foot: [print.title, name, typeof revision === 'number' && revision > 0 ? `Revision ${revision}` : '']
      .filter((part) => part !== '')
      .join(' · '),
    blocks: inCopies(await filled(filling, print.blocks), await marksOf(filling, print)),
  };
}

/** The marks of the copies that are printed of this record. */
async function marksOf({ around }: Filling, { copies = [] }: Print): Promise<string[]> {
  const marks: string[] = [];
  for (const copy of copies)
    if (typeof copy === 'string') marks.push(copy);
    else if ((await valueIn(around, copy.when)) === true) marks.push(copy.mark);
  return marks;
}

/** The same blocks once per copy, with its mark at the top, each copy on a new page. */
export function inCopies(blocks: ContentBlock[], copies: string[]): ContentBlock[] {
  return copies.length === 0
    ? blocks
    : copies.flatMap((text, at): ContentBlock[] => [
        ...(at > 0 ? [{ kind: 'break' } as const] : []),
        { kind: 'text', text, bold: true, align: 'right' },
        ...blocks,
      ]);
}

async function filled(filling: Filling, blocks: PrintBlock[]): Promise<ContentBlock[]> {
  const done: ContentBlock[] = [];
  for (const block of blocks)
    if (block.when === undefined || (await valueIn(filling.around, block.when)) === true)
      done.push(...(await content(filling, block)));
  return done;
}

async function content(filling: Filling, block: PrintBlock): Promise<ContentBlock[]> {
  const { screen, record, values, around } = filling;
  if ('letterhead' in block) return letterhead(filling, block.letterhead);
  if ('heading' in block) return [{ kind: 'heading', text: await written(filling, block.heading) }];
  if ('text' in block)
    return [
      {
        kind: 'text',
        text: await written(filling, block.text),
        bold: block.bold === true,
        align: block.align ?? 'left',
      },
    ];
  if ('table' in block) return table(filling, block);
  if ('box' in block) {
    const entries = [];
    for (const path of block.box)
      entries.push({
        title: await titleOf(filling, path, screen.fields),
        text: await values.measured(path, screen.fields, record),
      });
    return [{ kind: 'box', columns: block.in ?? 2, entries: entries.filter(({ text }) => text !== '') }];
  }
  if ('words' in block) {
    const amount = plain(await valueIn(around, block.words));
    if (amount === null || amount === undefined) return [];
    const field = screen.fields.find(({ name }) => name === block.words);
    const currency = field ? currencyOf(inCurrency(field, record)) : place().currency;
    return [
      { kind: 'text', text: amountInWords(String(amount), currency || place().currency), bold: true, align: 'left' },
    ];
  }
  if ('terms' in block) return terms(filling, block);
  if ('image' in block) {
    const reached = await values.reach(block.image, screen.fields, record);
    return typeof reached?.value === 'number'
      ? [{ kind: 'picture', picture: reached.value, width: block.width ?? 180 }]
      : [];
  }
  if ('sign' in block) {
    const boxes = [];
    for (const one of block.sign) {
      if (typeof one === 'string') {
        boxes.push({ title: await written(filling, one), name: null, picture: null });
        continue;
      }
      const picture = one.image === undefined ? null : (await values.reach(one.image, screen.fields, record))?.value;
      const name = one.name === undefined ? '' : await values.text(one.name, screen.fields, record);
      boxes.push({
        title: await written(filling, one.title),
        name: name === '' ? null : name,
        picture: typeof picture === 'number' || typeof picture === 'string' ? picture : null,
        ...(one.under && {
          under: await Promise.all(one.under.map(async (line) => (await written(filling, line)).trim())),
        }),
      });
    }
    return [{ kind: 'signatures', boxes }];
  }
  if ('qr' in block) {
    const said = plain(await valueIn(around, block.qr));
    return said === null || said === '' ? [] : [{ kind: 'qr', text: String(said), note: block.note ?? null }];
  }
  if ('columns' in block) {
    const columns = [];
    for (const inner of block.columns) columns.push(await filled(filling, inner));
    return [{ kind: 'columns', columns }];
  }
  return [{ kind: 'break' }];
}

const written = ({ screen, record, values }: Filling, text: string): Promise<string> =>
  writtenText(values, screen.fields, record, text);

/** A text with the values of the paths in its braces. */
export async function writtenText(
  values: PrintValues,
  fields: readonly Field[],
  record: Readonly<Row>,
  text: string,
): Promise<string> {
  const parts = text.split(/\{([a-z_][\w.]*)\}/);
  for (let at = 1; at < parts.length; at += 2) parts[at] = await values.signed(parts[at]!, fields, record);
  return parts.join('');
}

const STAMP_TITLES: Readonly<Record<string, string>> = {
  id: 'Number',
  version: 'Version',
  created_at: 'Created',
  created_by: 'Created by',
  updated_at: 'Changed',
  updated_by: 'Changed by',
};

/** The caption of a value: the name of the field at the end of the path. */
async function titleOf({ screens, values }: Filling, path: string, fields: readonly Field[]): Promise<string> {
  const names = path.split('.');
  let around: readonly Field[] = fields;
  if (names[0] === 'company' && names.length > 1) {
    around = values.serving('company')?.fields ?? [];
    names.shift();
  }
  let field: Field | undefined;
  for (const name of names) {
    field = around.find((one) => one.name === name);
    around = (field?.ref && screens.get(field.ref.type)?.fields) || [];
  }
  return field?.title ?? STAMP_TITLES[path] ?? '';
}

async function letterhead(
  { session, screen, record, values }: Filling,
  written: true | string,
): Promise<ContentBlock[]> {
  const company = values.serving('company');
  const own = company && (await values.record(company.name, record.entity_id ?? session.entityId));
  const head = async (of: Screen, letter: Letterhead, from: WireRecord): Promise<ContentBlock> => {
    const lines = [];
    for (const names of letter.lines) {
      const texts = [];
      for (const name of names) texts.push(await lineText(of, values, name, from));
      const line = texts.filter((text) => text !== '').join(', ');
      if (line !== '') lines.push(line);
    }
    const picture = (name: string | undefined) =>
      typeof from[name ?? ''] === 'number' ? (from[name!] as number) : null;
    return {
      kind: 'letterhead',
      name: String(from[letter.name] ?? ''),
      lines,
      picture: picture(letter.logo),
      banner: picture(letter.banner),
    };
  };
  const ofCompany =
    company && own && typeof company.serves === 'object' && 'company' in company.serves
      ? await head(company, company.serves.company.letterhead, own)
      : null;
  if (written === true) return ofCompany ? [ofCompany] : [];
  const branch = values.serving('branch');
  const reached = await values.reach(written, screen.fields, record);
  const at = branch && reached && (await values.record(branch.name, reached.value));
  if (!branch || !at || typeof branch.serves !== 'object' || !('branch' in branch.serves))
    return ofCompany ? [ofCompany] : [];
  const ofBranch = await head(branch, branch.serves.branch.letterhead, at);
  if (ofBranch.kind !== 'letterhead' || ofCompany?.kind !== 'letterhead') return [ofBranch];
  // The company's name and logo, the branch's address and registration.
  return [{ ...ofBranch, name: ofCompany.name, picture: ofCompany.picture }];
}

/** Registrations follow their names, addresses have no caption. */
const NAMED_IN_HEADS = new Set(['gstin', 'pan']);

async function lineText(screen: Screen, values: PrintValues, name: string, record: WireRecord): Promise<string> {
  const text = await values.text(name, screen.fields, record);
  const field = screen.fields.find((one) => one.name === name);
  const isCode = field !== undefined && (NAMED_IN_HEADS.has(field.type) || /^[A-Z]{3,5}$/.test(field.title));
  return isCode && text !== '' ? `${field.title} ${text}` : text;
}

/** The clauses in force for a kind of document on the day of printing, in their order. */
async function terms(
  { session, record, values }: Filling,
  block: { terms: string; title?: string },
): Promise<ContentBlock[]> {
  const screen = values.serving('terms');
  const serves = screen?.serves;
  if (!screen || typeof serves !== 'object' || !('terms' in serves)) return [];
  const { use, title, text, order, from, to, chosen } = serves.terms;
  const { db, schema } = session.tenant;
  const zone = zoneOf({ branchId: record.branch_id, entityId: record.entity_id }, place().zones) ?? 'local';
  const day = DateTime.now().setZone(zone).toISODate();
  const company = screen.scope === 'entity' ? ' and entity_id = $3' : '';
  const rows = await db.query<{ title: string; text: string }>(
    preparedStatement(
      `select ${quoted(title)} as title, ${quoted(text)} as text from ${tableName(schema, screen.name)}
       where active and $1 = any(${quoted(use)}) and ${quoted(from)} <= $2::date and coalesce(${quoted(to)}, 'infinity') >= $2::date
         ${chosen === undefined ? '' : `and ${quoted(chosen)}`}${company} order by ${quoted(order)}, id`,
      [block.terms, day, ...(company === '' ? [] : [record.entity_id ?? session.entityId])],
    ),
  );
  if (rows.length === 0) return [];
  return [
    {
      kind: 'list',
      title: block.title ?? 'Terms and conditions',
      entries: rows.map((row) => ({ title: row.title, text: plainText(row.text) })),
    },
  ];
}

/** A formatted text without markup; paragraphs and list items on separate lines. */
function plainText(html: string): string {
  return html
    .replace(/<br\s*\/?>|<\/(p|li|h3|h4|blockquote|pre)>/g, '\n')
    .replace(/<li>/g, '• ')
    .replace(/<[^>]*>/g, '')
    .replace(/&nbsp;/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
    .trim();
}

async function table(filling: Filling, block: Extract<PrintBlock, { table: string }>): Promise<ContentBlock[]> {
  const { screen, record, values, around } = filling;
  const reached = await values.reach(block.table, screen.fields, record);
  const field = reached?.field;
  if (!field?.rows) return [];
  const columns = block.columns.filter((path) => {
    const first = path.split('.')[0];
    return first === 'company' || [...field.rows!, ...screen.fields].some(({ name }) => name === first);
  });
  const all = (reached?.value as Row[] | null) ?? [];
  // A record that is referred to may have no rows; then nothing is printed, not even the title.
  if (all.length === 0 && block.table.includes('.')) return [];
  const rows: Row[] = [];
  for (const row of all)
    if (await holds({ ...around, row: { fields: field.rows, values: row } }, block.rows)) rows.push(row);
  for (const path of columns) {
    const [first, next] = path.split('.');
    const type = field.rows.find(({ name }) => name === first)?.ref?.type;
    if (next !== undefined && type !== undefined)
      await values.load(
        type,
        rows.map((row) => row[first!]),
      );
  }
  const heads: PrintColumn[] = [];
  for (const [at, path] of columns.entries())
    heads.push(await head(filling, field.rows, path, at === widest(field.rows, columns)));
  const printed = async (row: Row) => {
    const texts = [];
    for (const path of columns) texts.push(await values.text(path, field.rows!, row));
    return texts;
  };
  const sums = (of: Row[], word: string): string[] | null => {
    if (block.sum === undefined || of.length === 0) return null;
    const texts = columns.map((path) => {
      const column = block.sum!.includes(path) ? field.rows!.find(({ name }) => name === path) : undefined;
      if (!column || !inOneUnit(column, of, filling.record)) return '';
      const total = of.reduce((sum, row) => sum.plus((row[path] as string | number | null) ?? 0), new Decimal(0));
      return values.shown(column, total.toFixed(), of[0]);
    });
    return texts[0] === '' ? [word, ...texts.slice(1)] : texts;
  };
  const groups: PrintedGroup[] = [];
  if (block.group === undefined) {
    const texts = new Map<unknown, string[]>();
    for (const [at, row] of rows.entries()) {
      const one = await printed(row);
      texts.set(block.distinct === true ? JSON.stringify(one) : at, one);
    }
    groups.push({ title: null, rows: [...texts.values()], sums: null });
  } else {
    const by = field.rows.find(({ name }) => name === block.group);
    const keys = new Map<string, Row[]>();
    for (const row of rows) {
      const key = by ? values.shown(by, row[block.group], row) : '';
      keys.set(key, [...(keys.get(key) ?? []), row]);
    }
    for (const [key, of] of keys) {
      const texts = [];
      for (const row of of) texts.push(await printed(row));
      // If only one group applies, it has the grand totals.
      groups.push({
        title: by ? `${by.title} ${key}` : key,
        rows: texts,
        sums: keys.size > 1 ? sums(of, 'Subtotal') : null,
      });
    }
  }
  return [
    {
      kind: 'table',
      title: block.title ?? null,
      columns: heads,
      groups,
      sums: block.total === false ? null : sums(rows, 'Total'),
    },
  ];
}

async function head(filling: Filling, rows: readonly Field[], path: string, isWidest: boolean): Promise<PrintColumn> {
  const first = rows.find(({ name }) => name === path);
  const unit = first?.type === 'money' ? unitOf(first) : undefined;
  const title = await titleOf(filling, path, [...rows, ...filling.screen.fields]);
  return {
    title: unit === undefined ? title : `${title} (${unit})`,
    align: first && isNumber(first) ? 'right' : 'left',
    width: isWidest ? 'fill' : 'fit',
  };
}

const isNumber = ({ type }: Field): boolean => type === 'integer' || fieldType(type).can.exact;

const WIDE = ['long_text', 'rich_text', 'ref', 'name', 'text'];

/** The column that takes the remaining width: a text column, longer types first; otherwise the first one. */
function widest(rows: readonly Field[], columns: readonly string[]): number {
  const types = columns.map((path) =>
    path.includes('.') ? 'name' : (rows.find(({ name }) => name === path)?.type ?? ''),
  );
  for (const type of WIDE) {
    const at = types.indexOf(type);
    if (at !== -1) return at;
  }
  return 0;
}
