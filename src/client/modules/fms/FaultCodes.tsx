import { CallRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import type { WireRecord } from '../../../descriptor/types.ts';
import { useKept } from './use_kept.ts';
import styles from './visit.module.css';

interface Code {
  code: string;
  meaning: string;
  likely_cause?: string | null;
  first_check?: string | null;
}

const SUPPORT: Readonly<Record<string, string>> = {
  spares_only: 'The maker only delivers spares',
  obsolete: 'No longer supported by the maker',
};

/** Whom to call about a component: the maker's hotline, what is still supported, and how long spares take. */
function Makers({ of }: { of: readonly (WireRecord | null)[] }) {
  const makers = of.filter(
    (maker): maker is WireRecord =>
      maker !== null && Boolean(maker.hotline ?? maker.spares_lead_days ?? SUPPORT[String(maker.support)]),
  );
  if (makers.length === 0) return null;
  return (
    <ul className={styles.rows}>
      {makers.map(({ id, name, hotline, spares_lead_days: days, support }) => (
        <li key={`${String(name)} ${id}`}>
          <strong>{String(name)}</strong>
          {SUPPORT[String(support)] !== undefined && ` · ${SUPPORT[String(support)]!}`}
          {typeof days === 'number' && ` · Spares take ${days} days`}
          {typeof hotline === 'string' && (
            <a className={styles.big} href={`tel:${hotline}`}>
              <CallRegular aria-hidden /> Call {hotline}
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Looks up a fault code in the manuals of the lift's controller and inverter, and shows whom to call about them. */
export function FaultCodes({ liftId }: { liftId: unknown }) {
  const lift = useKept('lift', liftId);
  const controller = useKept('controller_mstr', lift?.controller_id);
  const inverter = useKept('inverter_make_mstr', lift?.inverter_make_id);
  const doorDrive = useKept('doordrive_make_mstr', lift?.door_drive_make_id);
  const make = useKept('lift_make_mstr', lift?.lift_make_id);
  const [typed, setTyped] = useState('');
  const books = [controller, inverter].flatMap((book) =>
    book ? ((book.fault_codes ?? []) as Code[]).map((code) => ({ ...code, book: String(book.name) })) : [],
  );
  const wanted = typed.trim().toLowerCase();
  const found =
    wanted === '' ? [] : books.filter(({ code, meaning }) => `${code} ${meaning}`.toLowerCase().includes(wanted));
  return (
    <>
      <p className={styles.soft}>
        {lift === null
          ? 'The lift is being read.'
          : books.length === 0
            ? 'There are no fault codes for this controller.'
            : `${books.length} codes of ${[...new Set(books.map(({ book }) => book))].join(' and ')}`}
      </p>
      <label className={styles.label}>
        Code or word
        <input className={styles.input} value={typed} onChange={({ target }) => setTyped(target.value)} />
      </label>
      {wanted !== '' && found.length === 0 && books.length > 0 && <p>No code matches.</p>}
      <ul className={styles.rows}>
        {found.slice(0, 10).map(({ code, meaning, likely_cause: cause, first_check: check, book }) => (
          <li key={`${book} ${code}`}>
            <strong>{code}</strong> {meaning}
            {cause ? ` · Likely: ${cause}` : ''}
            {check ? ` · First check: ${check}` : ''}
          </li>
        ))}
      </ul>
      <Makers of={[make, controller, inverter, doorDrive]} />
    </>
  );
}
