import { useSyncExternalStore } from 'react';
import { screenRefs } from '../../api/screens.ts';
import styles from './excel.module.css';
import type { ImportRun } from './run_calls.ts';

/** Rows named per record; the others are counted. */
const NAMED = 5;

/** The records that the file names and nobody has added yet, each once with its rows, and where to add them. */
export default function UnknownRecords({ run, onAgain }: { run: ImportRun; onAgain: () => void }) {
  const screens = useSyncExternalStore(screenRefs.subscribe, screenRefs.get);
  const unknown = run.errors.flatMap(({ row, unknown: one }) => (one ? [{ row, ...one }] : []));
  if (unknown.length === 0) return null;
  const records = [...Map.groupBy(unknown, ({ type, name }) => `${type} ${name.toLowerCase()}`).values()];
  return (
    <div className={styles.unknown}>
      <p className={styles.lead}>These records do not exist yet. Add them, and check the file again.</p>
      <ul>
        {records.map((rows) => {
          const { type, name } = rows[0]!;
          const target = screens.find((one) => one.name === type);
          const address = target?.rights.add_screen && target.rights.write ? target.routes.add : null;
          const numbers = [...new Set(rows.map(({ row }) => row))];
          const rest = numbers.length - NAMED;
          return (
            <li key={`${type} ${name}`}>
              {target?.title ?? 'Record'} “{name}”, {numbers.length === 1 ? 'row' : 'rows'}{' '}
              {numbers.slice(0, NAMED).join(', ')}
              {rest > 0 && ` and ${rest} more`}
              {address && (
                <>
                  {' '}
                  <a
                    className={styles.link}
                    href={`${address}?name=${encodeURIComponent(name)}`}
                    target="_blank"
                    rel="noreferrer"
                  >
                    Add it
                  </a>
                </>
              )}
            </li>
          );
        })}
      </ul>
      <button type="button" className={styles.link} onClick={onAgain}>
        Check the file again
      </button>
    </div>
  );
}
