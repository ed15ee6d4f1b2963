import { formatNumber } from '../../../descriptor/format.ts';
import { unitOf } from '../../../descriptor/money.ts';
import { Button } from '@fluentui/react-components';
import { ChevronDownRegular, ChevronRightRegular } from '@fluentui/react-icons';
import { useCallback, useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import useSWR from 'swr';
import { BALANCE_ROW } from '../../../domain/report.ts';
import type { Report, ReportAnswer, ReportColumn, ReportRow } from '../../../domain/report.ts';
import { api } from '../../api/http.ts';
import { useScreenRef } from '../../api/screens.ts';
import { FieldValue } from '../fields/display.tsx';
import type { Chosen, Sort } from './report_view.ts';
import { cellText, heatOf, isFigure, linkOf, listBehind, markOf, sorted } from './report_view.ts';
import styles from './report.module.css';

/** The number of rows rendered initially; more on request. */
const STEP = 300;

interface TableContext {
  report: Report;
  chosen: Chosen;
  columns: ReportColumn[];
  parameters: Readonly<Record<string, unknown>>;
  /** The list of the counted records, if the reader may open it. */
  list: string | null;
  heat: (column: ReportColumn, row: ReportRow) => number | null;
}

/** The figures: sortable headings, expandable rows, links to the underlying records, totals. */
export function ReportTable({ report, answer, chosen }: { report: Report; answer: ReportAnswer; chosen: Chosen }) {
  const [sort, setSort] = useState<Sort | null>(null);
  const [shown, setShown] = useState(STEP);
  const list = useScreenRef(report.from?.type ?? '')?.routes.landing ?? null;
  const rows = useMemo(() => sorted(answer.rows, answer.columns, sort), [answer, sort]);
  const context = useMemo(
    (): TableContext => ({
      report,
      chosen,
      columns: answer.columns,
      parameters: answer.parameters,
      list,
      heat: heatOf(report.heat, answer.columns, answer.rows),
    }),
    [report, chosen, answer, list],
  );
  // Rows of all levels share the first column.
  const heads = report.levels
    ? answer.columns.map((column, index) =>
        index > 0
          ? column
          : {
              ...column,
              title: report
                .levels!.map((level) => report.columns.find(({ name }) => name === level)?.title ?? level)
                .join(' › '),
            },
      )
    : answer.columns;
  // A running balance depends on the row order, which is therefore fixed.
  const turn = report.from?.running
    ? null
    : (column: string) =>
        setSort((old) =>
          old?.column !== column ? { column, descending: false } : old.descending ? null : { column, descending: true },
        );
  const wide = answer.columns.some(({ of }) => of !== undefined) || answer.columns.length > 9;

  // On a time axis the latest values matter most; they come last.
  const intoView = useCallback(
    (frame: HTMLDivElement | null) => {
      const { pivot, chart } = report;
      if (frame && pivot && chart?.kind === 'line' && chart.x === pivot.by) frame.scrollLeft = frame.scrollWidth;
    },
    [report],
  );

  return (
    <>
      <div
        ref={intoView}
        className={styles.frame}
        data-wide={wide || undefined}
        tabIndex={0}
        role="region"
        aria-label={report.title}
      >
        <table className={styles.table}>
          <Heads columns={heads} sort={sort} onSort={turn} />
          <tbody>
            {rows.slice(0, shown).map((row, index) => (
              <Row key={keyOf(row, index)} row={row} level={0} context={context} within={{}} />
            ))}
          </tbody>
          {answer.totals && <Totals columns={answer.columns} totals={answer.totals} />}
        </table>
      </div>
      {rows.length > shown && (
        <p className={styles.note}>
          {formatNumber(shown)} of {formatNumber(rows.length)} rows.{' '}
          <Button size="small" onClick={() => setShown(shown + STEP)}>
            Show {Math.min(STEP, rows.length - shown)} more
          </Button>
        </p>
      )}
    </>
  );
}

/** Rows have no ids: their group values identify them. */
const keyOf = (row: ReportRow, index: number) => `${index} ${Object.values(row).slice(0, 3).join(' ')}`;

interface HeadsProps {
  columns: ReportColumn[];
  sort: Sort | null;
  /** Null: rows have a fixed order. */
  onSort: ((column: string) => void) | null;
}

/** One row of headings, or two if columns are grouped under a value: then the others span both. */
function Heads({ columns, sort, onSort }: HeadsProps) {
  const groups: { column: ReportColumn; span: number }[] = [];
  for (const column of columns) {
    const last = groups.at(-1);
    if (last && column.group !== undefined && last.column.group === column.group) last.span++;
    else groups.push({ column, span: 1 });
  }
  const grouped = columns.some(({ group }) => group !== undefined);
  if (!grouped)
    return (
      <thead>
        <tr>
          {columns.map((column) => (
            <Head key={column.name} {...{ column, sort, onSort }} />
          ))}
        </tr>
      </thead>
    );
  return (
    <thead>
      <tr className={styles.groups}>
        {groups.map(({ column, span }) =>
          column.group === undefined ? (
            <Head key={column.name} rows={2} {...{ column, sort, onSort }} />
          ) : (
            <th key={column.name} scope="colgroup" colSpan={span}>
              {column.group}
            </th>
          ),
        )}
      </tr>
      <tr>
        {columns.flatMap((column) =>
          column.group === undefined ? [] : [<Head key={column.name} {...{ column, sort, onSort }} />],
        )}
      </tr>
    </thead>
  );
}

function Head({
  column,
  sort,
  onSort,
  rows = 1,
}: { column: ReportColumn; rows?: number } & Pick<HeadsProps, 'sort' | 'onSort'>) {
  const title = `${column.title}${unitOf(column) ? ` (${unitOf(column)})` : ''}`;
  const own = sort?.column === column.name ? (sort.descending ? 'descending' : 'ascending') : undefined;
  return (
    <th
      scope="col"
      rowSpan={rows}
      data-figure={isFigure(column) || undefined}
      {...(onSort && { 'aria-sort': own ?? 'none' })}
    >
      {onSort ? (
        <button type="button" className={styles.sort} onClick={() => onSort(column.name)}>
          {title}
          <span aria-hidden>{own === 'ascending' ? ' ↑' : own === 'descending' ? ' ↓' : ''}</span>
        </button>
      ) : (
        <span className={styles.head}>{title}</span>
      )}
    </th>
  );
}

function Row({
  row,
  level,
  context,
  within,
}: {
  row: ReportRow;
  level: number;
  context: TableContext;
  within: Record<string, unknown>;
}) {
  const { report, columns } = context;
  const [open, setOpen] = useState(false);
  const levels = report.levels ?? [];
  const opened = levels[level];
  const opens = opened !== undefined && level < levels.length - 1;
  const own = opened === undefined ? within : { ...within, [opened]: row[opened] ?? null };
  return (
    <>
      <tr data-level={level || undefined} data-balance={row[BALANCE_ROW] !== undefined || undefined}>
        {columns.map((column, index) => {
          // The group value of a level is in the first column, indented by its depth.
          const shown =
            index === 0 && opened !== undefined && column.name !== opened
              ? { ...(report.columns.find(({ name }) => name === opened) ?? column) }
              : column;
          const mark = markOf(report.marks, columns, column, row);
          const heat = context.heat(column, row);
          const cell = (
            <>
              {index === 0 && opens && (
                <button
                  type="button"
                  className={styles.opener}
                  aria-expanded={open}
                  aria-label={`${open ? 'Close' : 'Open'} ${cellText(shown, row) || 'what has none'}`}
                  onClick={() => setOpen(!open)}
                >
                  {open ? <ChevronDownRegular /> : <ChevronRightRegular />}
                </button>
              )}
              <Cell column={shown} row={row} context={context} />
              {mark && <span className={styles.mark}>{mark.text}</span>}
            </>
          );
          const facts = {
            'data-figure': isFigure(shown) || undefined,
            'data-label': column.title,
            'data-tone': mark?.tone,
            ...(heat !== null && { 'data-heat': Math.round(heat * 5) }),
          };
          return index === 0 ? (
            <th key={column.name} scope="row" {...facts} data-depth={level || undefined}>
              {cell}
            </th>
          ) : (
            <td key={column.name} {...facts}>
              {cell}
            </td>
          );
        })}
      </tr>
      {open && <Below level={level + 1} context={context} within={own} />}
    </>
  );
}

/** The rows of an expanded row. */
function Below({ level, context, within }: { level: number; context: TableContext; within: Record<string, unknown> }) {
  const { report, chosen, columns } = context;
  const query = { ...chosen, by: report.levels![level]!, within: JSON.stringify(within) };
  const { data, error, mutate } = useSWR(
    [`/tapi/report/${report.name}/rows`, query],
    async ([path, asked]) => (await api.get<{ data: ReportAnswer }>(path, asked, { quiet: true })).data,
  );
  if (data)
    return data.rows.map((row, index) => (
      <Row key={keyOf(row, index)} row={row} level={level} context={context} within={within} />
    ));
  return (
    <tr>
      <td colSpan={columns.length}>
        <span role="status">{error ? 'This could not be loaded. ' : 'Loading …'}</span>
        {error && (
          <Button size="small" onClick={() => void mutate()}>
            Try again
          </Button>
        )}
      </td>
    </tr>
  );
}

function Cell({
  column,
  row,
  context: { report, parameters, list },
}: {
  column: ReportColumn;
  row: ReportRow;
  context: TableContext;
}) {
  const text = cellText(column, row);
  const behind = row[`${column.name}__to`];
  const address =
    typeof behind === 'string'
      ? behind
      : (linkOf(report.links?.[column.name], row) ?? listBehind(report, row, parameters, column, list));
  if (address !== null && text !== '' && text !== '–') return <Link to={address}>{text}</Link>;
  if (column.type === 'enum' || column.type === 'boolean')
    return <FieldValue field={column} value={row[column.name]} record={row} plain />;
  if (text === '' && column.ref) return <span className={styles.none}>None</span>;
  return <>{text}</>;
}

function Totals({ columns, totals }: { columns: ReportColumn[]; totals: ReportRow }) {
  return (
    <tfoot>
      <tr>
        {columns.map((column, index) =>
          index === 0 ? (
            <th key={column.name} scope="row">
              Total
            </th>
          ) : (
            <td key={column.name} data-figure={isFigure(column) || undefined} data-label={column.title}>
              {cellText(column, totals)}
            </td>
          ),
        )}
      </tr>
    </tfoot>
  );
}
