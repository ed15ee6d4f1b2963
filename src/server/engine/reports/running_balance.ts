import { Exact } from '../../../descriptor/exact.ts';
import { groupName } from '../../../descriptor/report.ts';
import { addDays } from '../../../domain/dashboard_span.ts';
import { BALANCE, BALANCE_ROW } from '../../../domain/report.ts';
import type { RecordsGrouped, Report, ReportRow, RunningBalance } from '../../../domain/report.ts';
import { AppError } from '../../db/errors.ts';
import { MAX_ROWS } from './report_source.ts';
import type { ReportRows } from './report_source.ts';

/** The figures before the chosen days, by balance group; null = nothing was left out. */
export function broughtForward(report: Report, parameters: Record<string, unknown>): Report | null {
  const from = report.from!;
  const { order, per = [] } = from.running!;
  const first = parameters[`${order}_from`] ?? null;
  if (typeof first !== 'string') return null;
  const { running: _running, ...rest } = from;
  const before: RecordsGrouped['filter'] = [order, 'between', [null, addDays(first, -1)]];
  return {
    ...report,
    from: {
      ...rest,
      group: per,
      filter: from.filter ? ['and', from.filter, before] : before,
      filters: (from.filters ?? []).filter((one) => one !== order),
    },
    columns: [
      ...per.map((name) => report.columns.find((column) => column.name === groupName(name))!),
      ...report.columns.slice(from.group.length),
    ],
  };
}

/** The column in whose order rows are accumulated. */
const orderColumn = ({ group }: RecordsGrouped, { order }: RunningBalance): string =>
  groupName(group.find((one) => typeof one !== 'string' && one.field === order)!);

/** The columns by which rows of a running balance are sorted: the balance group, the date, and the remaining groups. */
export function balanceOrder(from: RecordsGrouped): string[] {
  const { running } = from;
  const names = from.group.map(groupName);
  const first = running ? [...(running.per ?? []).map(groupName), orderColumn(from, running)] : [];
  return [...first, ...names.filter((name) => !first.includes(name))];
}

/**
 * Rows with the balance after each, and opening and closing balances around the rows of a group. `opening`: the figures
 * before, by group; null = nothing was left out. @throws AppError 422 if there are more rows than can be shown
 */
export function withBalances(from: RecordsGrouped, rows: ReportRow[], opening: ReportRow[] | null): ReportRows {
  if (rows.length > MAX_ROWS)
    throw new AppError(
      422,
      'too_long',
      'A running balance is shown for 5,000 rows at most. Choose a shorter period, or narrow the report.',
    );
  const running = from.running!;
  const per = (running.per ?? []).map(groupName);
  const order = orderColumn(from, running);
  const keyOf = (row: ReportRow) => JSON.stringify(per.map((name) => row[name] ?? null));
  const own = (row: ReportRow) =>
    Object.fromEntries(per.flatMap((name) => [name, `${name}__label`]).map((name) => [name, row[name]]));
  const groups = new Map<string, { own: ReportRow; opening: ReportRow | null; rows: ReportRow[] }>();
  const groupOf = (row: ReportRow) => {
    const key = keyOf(row);
    const known = groups.get(key) ?? { own: own(row), opening: null, rows: [] };
    groups.set(key, known);
    return known;
  };
  const amount = (row: ReportRow) => new Exact((row[running.of] as string | number | null) ?? 0);
  // Groups without movements in the chosen days are shown, unless their balance is zero.
  for (const row of opening ?? [])
    if (!amount(row).eq(0) || rows.some((one) => keyOf(one) === keyOf(row))) groupOf(row).opening = row;
  for (const row of rows) groupOf(row).rows.push(row);
  const made: ReportRow[] = [];
  let all = new Exact(0);
  const figures = [...(opening ?? []), ...rows].map((row) => row[running.of]);
  const decimals = Math.max(
    0,
    ...figures.map((value) => (typeof value === 'string' ? (value.split('.')[1]?.length ?? 0) : 0)),
  );
  // Counts are plain numbers; amounts keep their number of decimals.
  const isCount = figures.every((value) => typeof value !== 'string');
  const written = (value: InstanceType<typeof Exact>) => (isCount ? value.toNumber() : value.toFixed(decimals));
  for (const group of groups.values()) {
    let balance = group.opening ? amount(group.opening) : new Exact(0);
    const balanceRow = (kind: 'opening' | 'closing', text: string): ReportRow => ({
      ...group.own,
      [order]: kind,
      [`${order}__label`]: text,
      [BALANCE]: written(balance),
      [BALANCE_ROW]: kind,
    });
    if (opening) made.push(balanceRow('opening', 'Opening balance'));
    for (const row of group.rows) {
      balance = balance.plus(amount(row));
      made.push({ ...row, [BALANCE]: written(balance) });
    }
    made.push(balanceRow('closing', 'Closing balance'));
    all = all.plus(balance);
  }
  return { rows: made, totals: { [BALANCE]: written(all) } };
}
