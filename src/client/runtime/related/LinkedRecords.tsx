import { Badge } from '@fluentui/react-components';
import { Link } from 'react-router-dom';
import type { LinkedRecord, LinkedRecords as Links } from '../../../descriptor/makes.ts';
import styles from './related.module.css';

const COLOURS = {
  neutral: 'informative',
  brand: 'brand',
  success: 'success',
  warning: 'warning',
  danger: 'danger',
} as const;

/** The records from which a record was created, those created from it, and its revisions; `here`: the current one. */
export function LinkedRecords({ links: { from, to, revisions = [] }, here }: { links: Links; here: number }) {
  return (
    <div className={styles.links}>
      <Group title="Made from" records={from} />
      <Group title="Leads to" records={to} />
      <Group title="Revisions" records={revisions} here={here} />
    </div>
  );
}

function Group({ title, records, here }: { title: string; records: LinkedRecord[]; here?: number }) {
  if (records.length === 0) return null;
  return (
    <div>
      <h3 className={styles.heading}>{title}</h3>
      <ul className={styles.list}>
        {records.map(({ type, title: of, id, label, state, address, revision }) => (
          <li key={`${type} ${id}`} className={styles.record}>
            <span className={styles.quiet}>{revision === undefined ? of : `Revision ${revision}`}</span>
            {address === null || id === here ? <span>{label}</span> : <Link to={address}>{label}</Link>}
            {state && (
              <Badge appearance="tint" color={COLOURS[(state.colour ?? 'neutral') as keyof typeof COLOURS]}>
                {state.label}
              </Badge>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
