import { Link } from '@fluentui/react-components';
import { formatMoment } from '../../../descriptor/format.ts';
import type { Screen } from '../../../descriptor/types.ts';
import { api } from '../../api/http.ts';
import styles from './issued_prints.module.css';
import type { IssuedPrint } from './use_prints.tsx';

/** The documents issued from a record, the latest first; nothing if there are none. */
export default function IssuedPrints({ screen, id, issued }: { screen: Screen; id: string; issued: IssuedPrint[] }) {
  if (issued.length === 0) return null;
  return (
    <section className={styles.links}>
      <h2 className={styles.heading}>Issued documents</h2>
      <ul className={styles.list}>
        {issued.map(({ id: kept, title, at, by__label: by }) => (
          <li key={kept} className={styles.record}>
            <Link
              as="button"
              // The failed call has shown the reason.
              onClick={() => void api.download(`/tapi/${screen.name}/${id}/issued/${kept}.pdf`).catch(() => undefined)}
            >
              {title}
            </Link>
            <span className={styles.type}>{[formatMoment(at), by].filter(Boolean).join(', ')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
