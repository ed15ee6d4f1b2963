import { SearchBox } from '@fluentui/react-components';
import { countries } from 'countries-list';
import { useState } from 'react';
import styles from './phone.module.css';

const codes = Object.entries(countries)
  .flatMap(([iso, { name, phone }]) => phone.map((code) => ({ iso, name, dial: `+${code}` })))
  .sort((a, b) => Number(b.iso === 'IN') - Number(a.iso === 'IN') || a.name.localeCompare(b.name));

/** Countries with their dial codes, searched by either. */
export default function DialCodeList({ value, onPick }: { value: string; onPick: (dial: string) => void }) {
  const [query, setQuery] = useState('');
  const wanted = query.trim().toLowerCase();
  const shown = codes.filter(
    ({ name, dial, iso }) =>
      name.toLowerCase().includes(wanted) ||
      dial.startsWith(wanted.startsWith('+') ? wanted : `+${wanted}`) ||
      iso.toLowerCase() === wanted,
  );
  return (
    <div className={styles.codes} role="dialog" aria-label="Choose a dial code">
      <SearchBox
        autoFocus
        className={styles.search ?? ''}
        aria-label="Search country or code"
        placeholder="Country or code"
        value={query}
        onChange={(_, data) => setQuery(data.value)}
        onKeyDown={(event) => {
          const [first] = shown;
          if (event.key !== 'Enter' || !first) return;
          event.preventDefault();
          onPick(first.dial);
        }}
      />
      <ul>
        {shown.map(({ iso, name, dial }) => (
          <li key={`${iso} ${dial}`}>
            <button type="button" aria-pressed={dial === value} onClick={() => onPick(dial)}>
              <span>{name}</span> <span>{dial}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
