import { Suspense, lazy } from 'react';
import { isMarkdown } from '../../../../descriptor/markdown.ts';
import type { WidgetProps } from '../widget.ts';

const HtmlWidget = lazy(() => import('./HtmlWidget.tsx'));
const MarkdownWidget = lazy(() => import('../markdown/MarkdownWidget.tsx'));

/** Formatted text, edited visually or as Markdown: each editor is loaded separately. */
export default function RichTextWidget(props: WidgetProps) {
  return (
    <Suspense fallback={null}>
      {isMarkdown(props.field) ? <MarkdownWidget {...props} /> : <HtmlWidget {...props} />}
    </Suspense>
  );
}
