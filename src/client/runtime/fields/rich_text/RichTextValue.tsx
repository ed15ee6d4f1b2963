import { useEffect, useRef } from 'react';
import styles from './rich_text.module.css';
import { sanitise } from './sanitise.ts';

/** Formatted text to read; cleaned again, whatever wrote it. */
export default function RichTextValue({ html }: { html: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current) place.current.innerHTML = sanitise(html);
  }, [html]);
  return <div ref={place} className={styles.shown} />;
}
