import { useEffect, useState } from 'react';
import { api } from '../../api/http.ts';
import styles from './timeline.module.css';

interface Person {
  username: string;
  name: string;
}

/** The user name being typed at the end of the text: "please ask @as" gives "as". */
function mentionBegun(text: string): string | null {
  return /(?:^|[^\w.@])@([\w.-]*)$/.exec(text)?.[1] ?? null;
}

/** Inserts the chosen name in place of the typed part. */
function withMention(text: string, username: string): string {
  return `${text.replace(/@[\w.-]*$/, '')}@${username} `;
}

/** People whose name begins with the typed part, to choose from; mentioned people are notified. */
export function Mentions({ path, text, onChoose }: { path: string; text: string; onChoose: (text: string) => void }) {
  const begun = mentionBegun(text);
  const [people, setPeople] = useState<Person[]>([]);
  useEffect(() => {
    if (begun === null) return;
    let gone = false;
    const timer = setTimeout(() => {
      api.get<{ data: Person[] }>(`${path}/mentions`, { q: begun }, { quiet: true }).then(
        ({ data }) => !gone && setPeople(data),
        () => undefined,
      );
    }, 150);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [path, begun]);
  if (begun === null || people.length === 0) return null;
  return (
    <ul className={styles.mentions} aria-label="People to name">
      {people.map(({ username, name }) => (
        <li key={username}>
          <button type="button" onClick={() => onChoose(withMention(text, username))}>
            <strong>{name}</strong> @{username}
          </button>
        </li>
      ))}
    </ul>
  );
}
