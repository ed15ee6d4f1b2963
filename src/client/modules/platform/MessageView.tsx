import styles from './message.module.css';

/** Displays a mail: its subject and its paragraphs. */
export function MessageView({ subject, text }: { subject: string; text: string }) {
  return (
    <article className={styles.mail}>
      <h2>{subject}</h2>
      {text.split(/\n{2,}/).map((part, at) => (
        <p key={at}>{part}</p>
      ))}
    </article>
  );
}
