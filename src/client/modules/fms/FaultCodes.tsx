import { useState } from 'react';
import { useKept } from './use_kept.ts';
import styles from './visit.module.css';

interface Code {
  code: string;
  meaning: string;
  likely_cause?: string | null;
  first_check?: string | null;
}

/** Looks up a fault code in the manuals of the lift's controller and inverter. */
export function FaultCodes({ liftId }: { liftId: unknown }) {
  const lift = useKept('lift', liftId);
  const controller = useKept('controller_mstr', lift?.controller_id);
  const inverter = useKept('inverter_make_mstr', lift?.inverter_make_id);
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
      <ul>
        {found.slice(0, 10).map(({ code, meaning, likely_cause: cause, first_check: check, book }) => (
          <li key={`${book} ${code}`}>
            <strong>{code}</strong> {meaning}
            {cause ? ` · Likely: ${cause}` : ''}
            {check ? ` · First check: ${check}` : ''}
          </li>
        ))}
      </ul>
    </>
  );
}
