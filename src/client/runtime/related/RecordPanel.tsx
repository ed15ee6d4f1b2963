import { useId } from 'react';
import { Link } from 'react-router-dom';
import useSWR from 'swr';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import { formatValue } from '../../../descriptor/format.ts';
import type { ReportAnswer } from '../../../domain/report.ts';
import { api } from '../../api/http.ts';
import { actionAddress } from '../action_address.ts';
import styles from './related.module.css';

/** What a report says of one record: its figures and totals. People who may not open the report see nothing. */
export default function RecordPanel({ screen, record }: { screen: Screen; record: WireRecord }) {
  const { panel } = screen;
  const heading = useId();
  const values = record as Readonly<Record<string, unknown>>;
  const asked = Object.fromEntries(Object.entries(panel?.with ?? {}).map(([name, field]) => [name, values[field]]));
  const { data } = useSWR(
    panel ? [`/tapi/report/${panel.report}/rows`, asked, record.version] : null,
    async ([path, query]) =>
      (await api.get<{ data: ReportAnswer }>(path, query as Record<string, string>, { quiet: true })).data,
    { shouldRetryOnError: false },
  );
  if (!panel || !data) return null;
  const { columns, figures, totals } = data;
  // The row total of a pivot repeats a figure.
  const parts = totals
    ? columns.filter(
        ({ name, of }) => of !== undefined && !name.startsWith('.total.') && (totals[name] ?? null) !== null,
      )
    : [];
  const to = actionAddress(panel, record);
  return (
    <section className={styles.panel} aria-labelledby={heading}>
      <h2 id={heading}>{to === null ? panel.title : <Link to={to}>{panel.title}</Link>}</h2>
      <dl className={styles.figures}>
        {figures.map(({ title, value, tone }) => (
          <div key={title} data-tone={tone}>
            <dt>{title}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {parts.length > 0 && (
        <dl className={styles.parts}>
          {parts.map((column) => (
            <div key={column.name}>
              <dt>{column.group ?? column.title}</dt>
              <dd>{formatValue(column, totals![column.name], {})}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
