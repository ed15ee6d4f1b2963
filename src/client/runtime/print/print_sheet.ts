import { formatMoment } from '../../../descriptor/format.ts';
import { momentNow } from '../../../descriptor/place.ts';
import { host } from '../../app/brand.ts';
import { currentSession } from '../../app/session.ts';
import styles from './print_sheet.module.css';

export interface SheetTable {
  heads: { text: string; right: boolean }[];
  rows: string[][];
}

/** A part of what is printed: fields with their values, a table, or a table of the page as it stands. */
export interface SheetPart {
  title?: string;
  facts?: [label: string, text: string][];
  table?: SheetTable | HTMLTableElement;
}

export interface Sheet {
  title: string;
  /** What is shown, in words: filters, parameters, how much was left out. */
  about: string[];
  parts: SheetPart[];
}

const wide = 9;

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
  if (heads.length >= wide) table.dataset.wide = '';
  return table;
}

/** A table of the page without what can be pressed in it. */
function copyOf(table: HTMLTableElement): HTMLElement {
  const copy = table.cloneNode(true) as HTMLTableElement;
  copy.removeAttribute('class');
  for (const one of copy.querySelectorAll('button, a, [class], [style]')) {
    one.removeAttribute('class');
    one.removeAttribute('style');
    if (one.matches('button, a')) one.replaceWith(one.textContent ?? '');
  }
  if ((table.rows[0]?.cells.length ?? 0) >= wide) copy.dataset.wide = '';
  return copy;
}

/** Puts the sheet beside the page, where only the printer sees it, in the place of the one before. */
export function showSheet({ title, about, parts }: Sheet): void {
  clearSheet();
  const { entityName, name } = currentSession();
  const sheet = element('section');
  sheet.id = 'print-sheet';
  sheet.className = styles.sheet ?? '';
  const from = [host.get()?.brand?.title ?? '', entityName].filter(Boolean).join(' · ');
  if (from !== '') sheet.append(element('p', from));
  sheet.append(element('h1', title), ...about.map((text) => element('p', text)));
  for (const { title: heading, facts, table } of parts) {
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
    if (table) sheet.append(table instanceof HTMLTableElement ? copyOf(table) : tableOf(table));
  }
  const moment = formatMoment(new Date(momentNow()).toISOString());
  sheet.append(element('p', `Printed by ${name} on ${moment}`));
  document.body.append(sheet);
}

export function clearSheet(): void {
  document.getElementById('print-sheet')?.remove();
}
