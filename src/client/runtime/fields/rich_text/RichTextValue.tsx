import { Suspense, lazy, useEffect, useRef } from 'react';
import { isMarkdown } from '../../../../descriptor/markdown.ts';
import type { Field } from '../../../../descriptor/types.ts';
import styles from './rich_text.module.css';
import { sanitise } from './sanitise.ts';

const MarkdownValue = lazy(() => import('../markdown/MarkdownValue.tsx'));

/** Formatted text to read, of either kind; cleaned again, whatever wrote it. */
export default function RichTextValue({ field, text }: { field: Field; text: string }) {
  if (!isMarkdown(field)) return <HtmlValue html={text} />;
  return (
    <Suspense fallback={null}>
      <MarkdownValue text={text} />
    </Suspense>
  );
}

function HtmlValue({ html }: { html: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current) place.current.innerHTML = sanitise(html);
  }, [html]);
  return <div ref={place} className={styles.shown} />;
}
