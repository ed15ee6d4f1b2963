import { Suspense, lazy, useEffect, useRef } from 'react';
import { isMarkdown } from '../../../../descriptor/markdown.ts';
import type { Field } from '../../../../descriptor/types.ts';
import styles from './rich_text.module.css';
import { sanitise } from './sanitise.ts';

const MarkdownValue = lazy(() => import('../markdown/MarkdownValue.tsx'));

/** Displayed formatted text of either kind; sanitised again. */
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
