import { Badge } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import type { LinkedRecord, LinkedRecords as Links } from '../../../descriptor/makes.ts';
import type { Screen } from '../../../descriptor/types.ts';
import { api } from '../../api/http.ts';
import styles from './linked_records.module.css';

const COLOURS = {
  neutral: 'informative',
  brand: 'brand',
  success: 'success',
  warning: 'warning',
  danger: 'danger',
} as const;

/** What a record was made from, and what it leads to; nothing where there is none. */
export default function LinkedRecords({ screen, id }: { screen: Screen; id: string }) {
  const [links, setLinks] = useState<Links | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    api
      .get<{ data: Links }>(`/tapi/${screen.name}/${id}/links`, undefined, {
        quiet: true,
        signal: stop.signal,
      })
      .then(({ data }) => setLinks(data))
      // The record itself is there without them.
      .catch(() => undefined);
    return () => stop.abort();
  }, [screen.name, id]);
  const revisions = links?.revisions ?? [];
  if (!links || links.from.length + links.to.length + revisions.length === 0) return null;
  return (
    <section className={styles.links}>
      <Group title="Made from" records={links.from} />
      <Group title="Leads to" records={links.to} />
      <Group title="Revisions" records={revisions} here={Number(id)} />
    </section>
  );
}

/** Records under a heading; `here`: the one that is looked at. */
function Group({ title, records, here }: { title: string; records: LinkedRecord[]; here?: number }) {
  if (records.length === 0) return null;
  return (
    <>
      <h2 className={styles.heading}>{title}</h2>
      <ul className={styles.list}>
        {records.map(({ type, title: of, id, label, state, address, revision }) => (
          <li key={`${type} ${id}`} className={styles.record}>
            <span className={styles.type}>{revision === undefined ? of : `Revision ${revision}`}</span>
            {address === null || id === here ? <span>{label}</span> : <Link to={address}>{label}</Link>}
            {state && (
              <Badge appearance="tint" color={COLOURS[(state.colour ?? 'neutral') as keyof typeof COLOURS]}>
                {state.label}
              </Badge>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
