import { Link } from 'react-router-dom';
import { formatDate } from '../../../descriptor/format.ts';
import type { Timeline } from '../../../domain/report.ts';
import { shareOf } from '../days_shown.ts';
import { lanesOf, yearMarks } from './timeline_view.ts';
import styles from './timeline.module.css';

const percent = (part: number) => `${(part * 100).toFixed(3)}%`;

/** The bars of a report's timeline: a lane each line, years across, today as a line. */
export function ReportTimeline({ title, timeline }: { title: string; timeline: Timeline }) {
  const marks = yearMarks(timeline);
  const { today } = timeline;
  return (
    <div className={styles.frame} tabIndex={0} role="group" aria-label={`Timeline of ${title}`}>
      <div className={styles.years} aria-hidden>
        {marks.map(({ at, label }) => (
          <span key={label} style={{ insetInlineStart: percent(at) }}>
            {label}
          </span>
        ))}
      </div>
      <ul className={styles.lanes}>
        {lanesOf(timeline).map(({ lane, bars }) => (
          <li key={lane}>
            <span className={styles.lane} title={lane}>
              {lane}
            </span>
            <span className={styles.track}>
              {marks.map(({ at, label }) => (
                <span key={label} className={styles.mark} style={{ insetInlineStart: percent(at) }} aria-hidden />
              ))}
              {bars.map((bar) => {
                const drawn = {
                  className: styles.bar,
                  'data-tone': bar.tone ?? 'brand',
                  'data-before': bar.before || undefined,
                  'data-after': bar.after || undefined,
                  title: bar.words,
                  'aria-label': bar.words,
                  style: { insetInlineStart: percent(bar.start), width: percent(bar.end - bar.start) },
                };
                return bar.to === undefined ? (
                  <span key={`${bar.from} ${bar.title}`} role="img" {...drawn}>
                    {bar.title}
                  </span>
                ) : (
                  <Link key={`${bar.from} ${bar.title}`} to={bar.to} {...drawn}>
                    {bar.title}
                  </Link>
                );
              })}
              <span
                className={styles.today}
                style={{ insetInlineStart: percent(shareOf(timeline, today)) }}
                title={`Today, ${formatDate(today)}`}
                aria-hidden
              />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
