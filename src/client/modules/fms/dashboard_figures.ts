/** A number on the dashboard: how many inspections fit, and what of it is good or bad news. */
export interface Figure {
  title: string;
  note: string;
  tone: 'danger' | 'warning' | 'brand';
  filter: unknown[];
  /** Days from today that a date must lie in: [field, from, to]. */
  days?: [field: string, from: number, to: number];
}

export const FIGURES: readonly Figure[] = [
  {
    title: 'Unsafe lifts',
    note: 'Found in the last 12 months',
    tone: 'danger',
    filter: ['unsafe', 'eq', true],
    days: ['planned_on', -365, 0],
  },
  {
    title: 'Overdue',
    note: 'Planned for an earlier day, not begun',
    tone: 'danger',
    filter: ['status', 'eq', 'planned'],
    days: ['planned_on', -3650, -1],
  },
  { title: 'To review', note: 'Submitted by the surveyor', tone: 'warning', filter: ['status', 'eq', 'submitted'] },
  { title: 'To issue', note: 'Reviewed, report not issued', tone: 'warning', filter: ['status', 'eq', 'reviewed'] },
  {
    title: 'Next 7 days',
    note: 'Planned from today',
    tone: 'brand',
    filter: ['status', 'eq', 'planned'],
    days: ['planned_on', 0, 6],
  },
  {
    title: 'Reports ending',
    note: 'Valid for 60 more days at most',
    tone: 'warning',
    filter: ['status', 'eq', 'issued'],
    days: ['valid_to', 0, 60],
  },
];

export const STATES: readonly { title: string; filter: unknown[] }[] = [
  { title: 'Planned', filter: ['status', 'eq', 'planned'] },
  { title: 'In progress', filter: ['status', 'eq', 'in_progress'] },
  { title: 'Submitted', filter: ['status', 'eq', 'submitted'] },
  { title: 'Reviewed', filter: ['status', 'eq', 'reviewed'] },
  { title: 'Issued', filter: ['status', 'eq', 'issued'] },
];

function day(today: Date, offset: number): string {
  const at = new Date(today.getFullYear(), today.getMonth(), today.getDate() + offset);
  return [at.getFullYear(), String(at.getMonth() + 1).padStart(2, '0'), String(at.getDate()).padStart(2, '0')].join(
    '-',
  );
}

/** The figure's filter with its days as dates. */
export function within({ filter, days }: Figure, today: Date): unknown[] {
  if (!days) return filter;
  const [field, from, to] = days;
  return ['and', filter, [field, 'between', [day(today, from), day(today, to)]]];
}

export function filterText(filter: unknown[] | null): string {
  return filter === null ? '' : JSON.stringify(filter);
}

/** The list with just what a figure counts. */
export function figureAddress(landing: string, filter: unknown[]): string {
  return `${landing}?filter=${encodeURIComponent(filterText(filter))}`;
}
