import { formatMoment } from '../../../descriptor/format.ts';
import { momentNow } from '../../../descriptor/place.ts';
import { host } from '../../app/brand.ts';
import { currentSession } from '../../app/session.ts';
import styles from './print_sheet.module.css';

export interface SheetTable {
  heads: { text: string; right: boolean }[];
  rows: string[][];
}

/** A part of the printout: fields with values, a chart, a table, or a table copied from the page. */
export interface SheetPart {
  title?: string;
  facts?: [label: string, text: string][];
  /** A chart: its picture as a data URL, and its description. */
  picture?: { url: string; words: string };
  table?: SheetTable | HTMLTableElement;
}

export interface Sheet {
  title: string;
  /** The description of the content: filters, parameters, the number of omitted rows. */
  about: string[];
  parts: SheetPart[];
}

/** The printable area of A4, in page pixels (1/96 inch). */
const [UPRIGHT, ACROSS] = [680, 1_000];
/** The minimum scale; below it, words wrap instead. */
const LEAST_SCALE = 0.5;

function element(tag: string, text = ''): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

function tableOf({ heads, rows }: SheetTable): HTMLElement {
  const table = element('table');
  const line = (tag: 'th' | 'td', texts: string[]) => {
    const row = element('tr');
    texts.forEach((text, at) => {
      const cell = element(tag, text);
      if (heads[at]?.right) cell.className = styles.right ?? '';
      row.append(cell);
    });
    return row;
  };
  const head = element('thead');
  head.append(
    line(
      'th',
      heads.map(({ text }) => text),
    ),
  );
  const body = element('tbody');
  body.append(...rows.map((row) => line('td', row)));
  table.append(head, body);
  return table;
}

/** A table of the page without its controls. */
function copyOf(table: HTMLTableElement): HTMLElement {
  const copy = table.cloneNode(true) as HTMLTableElement;
  copy.removeAttribute('class');
  const cells = [...table.querySelectorAll('th, td')];
  const isRight = cells.map((cell) => ['right', 'end'].includes(getComputedStyle(cell).textAlign));
  for (const one of copy.querySelectorAll('button, a, [class], [style]')) {
    one.removeAttribute('class');
    one.removeAttribute('style');
    if (one.matches('button, a')) one.replaceWith(one.textContent ?? '');
  }
  copy.querySelectorAll('th, td').forEach((cell, at) => {
    if (isRight[at]) cell.className = styles.right ?? '';
  });
  return copy;
}

/** Uses landscape if a table needs it, and scales wider content down, so that nothing is cut off. */
function fitTables(sheet: HTMLElement): void {
  const tables = [...sheet.querySelectorAll('table')];
  sheet.dataset.measured = '';
  const widths = tables.map((table) => table.offsetWidth);
  delete sheet.dataset.measured;
  const isAcross = widths.some((width) => width > UPRIGHT);
  if (isAcross) sheet.dataset.across = '';
  tables.forEach((table, at) => {
    const scale = (isAcross ? ACROSS : UPRIGHT) / widths[at]!;
    if (scale >= 1) return;
    table.style.setProperty('zoom', String(Math.max(scale, LEAST_SCALE)));
    if (scale < LEAST_SCALE) table.dataset.broken = '';
  });
}

/**
 * Adds the print sheet to the page, visible only in print, replacing the previous one; resolves when its pictures are
 * ready.
 */
export async function showSheet({ title, about, parts }: Sheet): Promise<void> {
  clearSheet();
  const { entityName, name } = currentSession();
  const sheet = element('section');
  sheet.id = 'print-sheet';
  sheet.className = styles.sheet ?? '';
  const from = [host.get()?.brand?.title ?? '', entityName].filter(Boolean).join(' · ');
  if (from !== '') sheet.append(element('p', from));
  sheet.append(element('h1', title), ...about.map((text) => element('p', text)));
  const pictures: HTMLImageElement[] = [];
  for (const { title: heading, facts, picture, table } of parts) {
    if (heading) sheet.append(element('h2', heading));
    if (facts) {
      const list = element('dl');
      for (const [label, text] of facts) {
        const fact = element('div');
        fact.append(element('dt', label), element('dd', text));
        list.append(fact);
      }
      sheet.append(list);
    }
    if (picture) {
      const image = new Image();
      image.src = picture.url;
      image.alt = picture.words;
      pictures.push(image);
      sheet.append(image);
    }
    if (table) sheet.append(table instanceof HTMLTableElement ? copyOf(table) : tableOf(table));
  }
  const moment = formatMoment(new Date(momentNow()).toISOString());
  sheet.append(element('p', `Printed by ${name} on ${moment}`));
  document.body.append(sheet);
  fitTables(sheet);
  await Promise.all(pictures.map((image) => image.decode()));
}

export function clearSheet(): void {
  document.getElementById('print-sheet')?.remove();
}
