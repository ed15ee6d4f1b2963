import { Suspense, lazy } from 'react';
import { isMarkdown } from '../../../../descriptor/markdown.ts';
import type { WidgetProps } from '../widget.ts';

const HtmlWidget = lazy(() => import('./HtmlWidget.tsx'));
const MarkdownWidget = lazy(() => import('../markdown/MarkdownWidget.tsx'));

/** Formatted text, written as it looks or as Markdown: each has an editor of its own to load. */
export default function RichTextWidget(props: WidgetProps) {
  return (
    <Suspense fallback={null}>
      {isMarkdown(props.field) ? <MarkdownWidget {...props} /> : <HtmlWidget {...props} />}
    </Suspense>
  );
}
