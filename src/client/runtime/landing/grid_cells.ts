import type { ICellRendererComp, ICellRendererParams, IHeaderComp, IHeaderParams } from 'ag-grid-community';
import { tagLabel } from '../../../descriptor/fieldtypes/tags.ts';
import { clockText, clockTone } from '../../../domain/clock_value.ts';
import type { ClockValue } from '../../../domain/clock_value.ts';
import { onTick } from '../fields/clock/tick.ts';
import type { WireRecord } from '../../../descriptor/types.ts';
import type { RowStep } from '../action_address.ts';
import { badgeTone, cellText, isSortable } from './cell_text.ts';
import type { ShownColumn } from './column_state.ts';
import { headText } from './column_widths.ts';
import styles from './grid.module.css';

/** What cells and headings need from the page. Plain DOM, not React: 300 cells scroll past at a time. */
export interface GridContext {
  /** The current sort order: fields, "-" first for descending. */
  sort: () => string[];
  /** What a record is called where its first column is empty. */
  nameOf: (record: WireRecord) => string;
  address: (record: WireRecord) => string | null;
  open: (record: WireRecord, newTab: boolean) => void;
  /** The action that the row itself shows. */
  step: (record: WireRecord) => RowStep | null;
  go: (address: string) => void;
  more: (record: WireRecord, target: HTMLElement) => void;
  sortBy: (field: string, add: boolean) => void;
  ticked: () => 'none' | 'some' | 'all';
  tickAll: (on: boolean) => void;
}

export interface CellParams extends ICellRendererParams<WireRecord, unknown, GridContext> {
  column_: ShownColumn;
  link: boolean;
}

function element(tag: string, className: string | undefined, text = ''): HTMLElement {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.textContent = text;
  return made;
}

/** A value as text, badge or link; a grey bar while its row is loading. */
export class RecordCell implements ICellRendererComp<WireRecord> {
  private root = document.createElement('span');
  /** Of a clock: ends its counting. */
  private stop: (() => void) | undefined;

  init(params: CellParams): void {
    this.root.className = styles.cell ?? '';
    this.fill(params);
  }

  getGui(): HTMLElement {
    return this.root;
  }

  refresh(params: CellParams): boolean {
    this.fill(params);
    return true;
  }

  /** A clock updates its own cell; the grid is not involved. */
  private count(value: ClockValue): void {
    const shown = badge('', 'neutral');
    const show = () => {
      const text = clockText(value, Date.now());
      if (shown.textContent === text) return;
      shown.textContent = text;
      shown.dataset.tone = clockTone(value, Date.now());
      this.root.title = text;
    };
    show();
    this.root.append(shown);
    this.stop = onTick(show);
  }

  destroy(): void {
    this.stop?.();
  }

  private fill({ data, column_, link, context }: CellParams): void {
    this.stop?.();
    this.stop = undefined;
    this.root.replaceChildren();
    delete this.root.dataset.plain;
    if (!data) {
      this.root.append(element('span', styles.wait));
      return;
    }
    const { field } = column_;
    const text = cellText(field, data);
    this.root.title = text;
    if (link) {
      this.root.append(recordLink(text === '' ? context.nameOf(data) : text, data, context));
      if (!data.active) this.root.append(badge('Inactive', 'neutral'));
      return;
    }
    if (field.type === 'clock' && text !== '') {
      this.count(data[field.name] as ClockValue);
      return;
    }
    const tone = text === '' ? undefined : badgeTone(field, data[field.name]);
    const labels = data[`${field.name}__label`];
    const many = Array.isArray(labels)
      ? labels
      : field.type === 'tags' && Array.isArray(data[field.name])
        ? (data[field.name] as unknown[]).map((tag) => tagLabel(field, String(tag)))
        : null;
    if (tone) this.root.append(badge(text, tone));
    else if (field.type === 'colour' && text !== '') {
      const swatch = element('span', styles.swatch, '');
      swatch.style.backgroundColor = /^#[\da-f]{6}$/i.test(text) ? text : 'transparent';
      this.root.append(swatch, text);
    } else if (Array.isArray(many))
      for (const label of many) this.root.append(element('span', styles.chip, String(label)));
    else {
      this.root.dataset.plain = '';
      this.root.textContent = text;
    }
  }
}

function badge(text: string, tone: string): HTMLElement {
  const made = element('span', styles.badge, text);
  made.dataset.tone = tone;
  return made;
}

function recordLink(text: string, record: WireRecord, context: GridContext): HTMLElement {
  const address = context.address(record);
  if (address === null) return element('span', styles.name, text);
  return linkTo(address, styles.link, text, () => context.open(record, false));
}

function linkTo(address: string, className: string | undefined, text: string, open: () => void): HTMLElement {
  const link = element('a', className, text) as HTMLAnchorElement;
  link.href = address;
  link.tabIndex = -1;
  link.onclick = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open();
  };
  return link;
}

/** The "…" of a row, after the action that the row itself shows. */
export class MoreCell implements ICellRendererComp<WireRecord> {
  private root = element('span', styles.actions);
  private button = document.createElement('button');

  init(params: CellParams): void {
    this.button.type = 'button';
    this.button.className = styles.more ?? '';
    this.button.tabIndex = -1;
    this.button.textContent = '⋯';
    this.fill(params);
  }

  getGui(): HTMLElement {
    return this.root;
  }

  refresh(params: CellParams): boolean {
    this.fill(params);
    return true;
  }

  private fill({ data, context }: CellParams): void {
    const step = data ? context.step(data) : null;
    this.root.replaceChildren(
      ...(step ? [linkTo(step.to, styles.step, step.title, () => context.go(step.to))] : []),
      this.button,
    );
    this.button.hidden = !data;
    this.button.setAttribute('aria-label', 'Row actions');
    this.button.onclick = () => data && context.more(data, this.button);
  }
}

export interface HeadParams extends IHeaderParams<WireRecord, GridContext> {
  column_: ShownColumn;
}

/** A column heading: click sorts by it, Shift+click adds it to the sort order. */
export class RecordHead implements IHeaderComp {
  private root = document.createElement('span');

  init(params: HeadParams): void {
    this.root.className = styles.head ?? '';
    this.fill(params);
  }

  getGui(): HTMLElement {
    return this.root;
  }

  refresh(params: HeadParams): boolean {
    this.fill(params);
    return true;
  }

  private fill({ column_: { field, title }, context, eGridHeader }: HeadParams): void {
    const sort = context.sort();
    const place = sort.findIndex((part) => part.replace(/^-/, '') === field.name);
    const down = sort[place]?.startsWith('-') === true;
    const text = headText(title, field);
    const label = element('span', styles.headText, text);
    this.root.replaceChildren(label);
    this.root.title = text;
    if (place >= 0) {
      const mark = element('span', styles.sort, down ? '↓' : '↑');
      if (sort.length > 1) mark.append(element('sup', undefined, String(place + 1)));
      this.root.append(mark);
    }
    eGridHeader.setAttribute('aria-sort', place < 0 ? 'none' : down ? 'descending' : 'ascending');
    this.root.dataset.sortable = isSortable(field) ? '' : 'no';
    this.root.onclick = isSortable(field) ? (event) => context.sortBy(field.name, event.shiftKey) : null;
  }
}

/** The heading of the checkboxes: selects the whole list, or clears the selection. */
export class TickHead implements IHeaderComp {
  private box = document.createElement('input');

  init(params: IHeaderParams<WireRecord, GridContext>): void {
    this.box.type = 'checkbox';
    this.box.className = styles.tick ?? '';
    this.box.tabIndex = -1;
    this.box.setAttribute('aria-label', 'Select all');
    this.box.onclick = () => params.context.tickAll(params.context.ticked() !== 'all');
    this.refresh(params);
  }

  getGui(): HTMLElement {
    return this.box;
  }

  refresh({ context }: IHeaderParams<WireRecord, GridContext>): boolean {
    const ticked = context.ticked();
    this.box.checked = ticked === 'all';
    this.box.indeterminate = ticked === 'some';
    return true;
  }
}
