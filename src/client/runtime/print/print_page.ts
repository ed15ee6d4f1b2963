import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { describeFilter, parseFilter } from '../../../descriptor/filter.ts';
import { formatNumber } from '../../../descriptor/format.ts';
import type { Field, Pagination, Screen, ScreenRef, WireRecord } from '../../../descriptor/types.ts';
import { unitOf } from '../../../descriptor/money.ts';
import { isShown } from '../../../descriptor/validate.ts';
import { api } from '../../api/http.ts';
import { loadScreen, menu } from '../../api/screens.ts';
import { toast } from '../../app/feedback.ts';
import { matchScreen } from '../../app/screen_routes.ts';
import { cellText, fieldOf, recordLabel } from '../landing/cell_text.ts';
import type { Sheet, SheetPart } from './print_sheet.ts';
import { clearSheet, showSheet } from './print_sheet.ts';
import { printedCharts } from './printed_charts.ts';

const MAX_PRINTED = 2_000;

/** Prints the open page: the whole filtered list, all fields of a record, the tables of a report. */
export async function printPage(): Promise<void> {
  try {
    const sheet = await sheetOfPage();
    if (sheet) await showSheet(sheet);
    else clearSheet();
  } catch {
    toast.error('The page could not be prepared for printing.', {
      action: { label: 'Try again', onClick: () => void printPage() },
    });
    return;
  }
  window.addEventListener('afterprint', clearSheet, { once: true });
  window.print();
}

async function sheetOfPage(): Promise<Sheet | null> {
  const { pathname, search } = location;
  const match = matchScreen(menu.get().screens, pathname, search);
  const query = new URLSearchParams(search);
  if (match?.page === 'landing' && match.ref.kind !== 'settings' && !match.hierarchy)
    return listSheet((await loadScreen(match.ref.name)).screen, match.ref, query);
  const id = match?.params.id ?? query.get('id');
  if (match?.page === 'view_screen' && id) return recordSheet((await loadScreen(match.ref.name)).screen, id);
  return pageSheet();
}

interface ListAnswer {
  data: WireRecord[];
  pagination: Pagination;
  cursor?: string | null;
}

/** The list parameters in an address that decide its rows; the server uses the same names. */
const ofRows = (name: string): boolean =>
  ['q', 'filter', 'sort', 'active', 'mine'].includes(name) || name.startsWith('p.');

async function listSheet(screen: Screen, access: ScreenRef, query: URLSearchParams): Promise<Sheet> {
  const asked = Object.fromEntries([...query].filter(([name]) => ofRows(name)));
  const read = parseFilter(asked.filter, screen, { rows: true });
  const filter = 'filter' in read ? read.filter : null;
  const shown = columnsOfGrid(screen) ?? usualColumns(screen);
  // References in the filter include their labels.
  const named = screen.fields.filter(({ name, ref }) => ref && asked.filter?.includes(`"${name}"`));
  const columns = [...new Set([...shown, ...named].map(({ name }) => name))].join(',');
  const rows: WireRecord[] = [];
  let after: string | undefined;
  let more = true;
  for (let page = 1; more && rows.length < MAX_PRINTED; page++) {
    const place = after === undefined ? { page } : { after };
    const answer = await api.get<ListAnswer>(
      `/tapi/${screen.name}`,
      { ...asked, columns, size: 500, count: 'none', ...place },
      { quiet: true },
    );
    rows.push(...answer.data);
    more = answer.pagination.has_next || answer.pagination.more === true;
    after = answer.cursor ?? undefined;
  }
  const words = describeFilter(filter, screen, (name, id) => {
    const label = rows.find((row) => row[name] === id)?.[`${name}__label`];
    return typeof label === 'string' ? label : undefined;
  });
  const about = [
    ...(asked.q ? [`Search: ${asked.q}`] : []),
    ...(asked.mine ? ['Mine only'] : []),
    ...words,
    ...(asked.active === 'false' ? ['Inactive only'] : asked.active === 'all' ? ['Inactive ones too'] : []),
  ];
  return {
    title: access.plural,
    about: [
      ...(about.length > 0 ? [about.join(' · ')] : []),
      more
        ? `The first ${formatNumber(rows.length)} records; filter the list to print the others.`
        : countOf(rows.length),
    ],
    parts: [
      {
        table: {
          heads: shown.map(headOf),
          rows: rows.map((row) => shown.map((field) => cellText(field, row))),
        },
      },
    ],
  };
}

const countOf = (count: number): string => `${formatNumber(count)} ${count === 1 ? 'record' : 'records'}`;

function headOf(field: Field): { text: string; right: boolean } {
  const unit = unitOf(field);
  return { text: unit ? `${field.title} (${unit})` : field.title, right: fieldType(field.type).align === 'right' };
}

/** A field with its title in the list. */
function columnOf(screen: Screen, name: string): Field[] {
  const field = fieldOf(screen, name);
  return field ? [{ ...field, title: screen.grid.find((one) => one.field === name)?.title ?? field.title }] : [];
}

/** The columns in the person's arrangement; null if no grid is open. */
function columnsOfGrid(screen: Screen): Field[] | null {
  const columns = [...document.querySelectorAll('main .ag-header-cell[col-id]')]
    .sort((a, b) => Number(a.getAttribute('aria-colindex')) - Number(b.getAttribute('aria-colindex')))
    .flatMap((head) => columnOf(screen, head.getAttribute('col-id') ?? ''));
  return columns.length > 0 ? columns : null;
}

function usualColumns(screen: Screen): Field[] {
  return screen.grid
    .filter(({ hidden }) => !hidden)
    .slice(0, 8)
    .flatMap(({ field }) => columnOf(screen, field));
}

async function recordSheet(screen: Screen, id: string): Promise<Sheet> {
  const { data: record } = await api.get<{ data: WireRecord }>(`/tapi/${screen.name}/${id}`, undefined, {
    quiet: true,
  });
  const parts = screen.form.tabs.flatMap(({ title: tab, sections }, at) =>
    sections.flatMap(({ title, fields: names }): SheetPart[] => {
      const fields = names
        .flatMap((name) => screen.fields.find((field) => field.name === name) ?? [])
        .filter((field) => isShown(screen, field, { ...record }) && !field.secret);
      const facts = fields
        .filter(({ type }) => type !== 'rows' && fieldType(type).can.cell !== false)
        .map((field): [string, string] => [field.title, cellText(field, record) || '–']);
      const heading = title || (screen.form.tabs.length > 1 ? tab : at === 0 ? '' : tab);
      return [
        ...(facts.length > 0 ? [{ ...(heading && { title: heading }), facts }] : []),
        ...fields.filter(({ type }) => type === 'rows').flatMap((field) => rowsPart(field, record)),
      ];
    }),
  );
  return { title: `${screen.title} ${recordLabel(screen, record)}`, about: [], parts };
}

function rowsPart(field: Field, record: WireRecord): SheetPart[] {
  const rows = record[field.name];
  if (!Array.isArray(rows) || rows.length === 0) return [];
  const columns = (field.rows ?? []).filter(
    ({ type, secret, hidden }) => !secret && !hidden && type !== 'rows' && fieldType(type).can.cell !== false,
  );
  return [
    {
      title: field.title,
      table: {
        heads: columns.map(headOf),
        rows: (rows as Record<string, unknown>[]).map((row) => columns.map((one) => cellText(one, row))),
      },
    },
  ];
}

/** The figures, charts and tables of any other page, with its title and choices; null if it has none. */
function pageSheet(): Sheet | null {
  const main = document.getElementById('main');
  const figures = [...(main?.querySelectorAll<HTMLElement>('[data-tile]') ?? [])].map((one): [string, string] => [
    one.dataset.tile!,
    one.firstElementChild?.textContent ?? '',
  ]);
  let above: Element | null = null;
  const shown = [...(main?.querySelectorAll('table, [role=img]') ?? [])].flatMap((one): SheetPart[] => {
    const picture = printedCharts.get(one)?.();
    if (!(one instanceof HTMLTableElement) && picture === undefined) return [];
    // Sections of a page have their own headings.
    const box = one.closest('section[aria-labelledby]');
    const title = box !== above ? box?.querySelector('h2')?.textContent : undefined;
    above = box;
    return [
      {
        ...(title && { title }),
        ...(picture !== undefined && { picture: { url: picture, words: one.getAttribute('aria-label') ?? '' } }),
        ...(one instanceof HTMLTableElement && { table: one }),
      },
    ];
  });
  if (!main || shown.length + figures.length === 0) return null;
  const chosen = [...main.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input[id], select[id]')].flatMap(
    (control) => {
      if (control.closest('table') || control.type === 'checkbox' || control.type === 'radio') return [];
      const text = control instanceof HTMLSelectElement ? control.selectedOptions[0]?.text : control.value;
      const label = control.labels?.[0]?.textContent;
      return label && text ? [`${label}: ${text}`] : [];
    },
  );
  return {
    title: main.querySelector('h1')?.textContent ?? document.title,
    about: chosen.length > 0 ? [chosen.join(' · ')] : [],
    parts: [...(figures.length > 0 ? [{ facts: figures }] : []), ...shown],
  };
}
