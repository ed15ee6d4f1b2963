import {
  LinkRegular,
  TextBoldRegular,
  TextBulletListRegular,
  TextClearFormattingRegular,
  TextHeader3Regular,
  TextItalicRegular,
  TextNumberListLtrRegular,
  TextQuoteRegular,
} from '@fluentui/react-icons';
import type { ReactElement } from 'react';
import { Suspense, lazy, useEffect, useRef, useState } from 'react';
import { isMarkdown } from '../../../../descriptor/markdown.ts';
import { useDraft } from '../draft.ts';
import type { WidgetProps } from '../widget.ts';
import { described } from '../widget.ts';
import styles from './rich_text.module.css';
import { sanitise } from './sanitise.ts';
import { inSentence } from '../../../../descriptor/in_sentence.ts';

const tools: { name: string; command: string; value?: string; icon: ReactElement; keys?: string }[] = [
  { name: 'Bold', command: 'bold', icon: <TextBoldRegular />, keys: 'Ctrl+B' },
  { name: 'Italic', command: 'italic', icon: <TextItalicRegular />, keys: 'Ctrl+I' },
  { name: 'Heading', command: 'formatBlock', value: 'h3', icon: <TextHeader3Regular /> },
  { name: 'Bullet list', command: 'insertUnorderedList', icon: <TextBulletListRegular /> },
  { name: 'Numbered list', command: 'insertOrderedList', icon: <TextNumberListLtrRegular /> },
  { name: 'Quotation', command: 'formatBlock', value: 'blockquote', icon: <TextQuoteRegular /> },
];

const MarkdownWidget = lazy(() => import('../markdown/MarkdownWidget.tsx'));

/** Formatted text, written as it looks or as Markdown. */
export default function RichTextWidget(props: WidgetProps) {
  if (!isMarkdown(props.field)) return <HtmlWidget {...props} />;
  return (
    <Suspense fallback={null}>
      <MarkdownWidget {...props} />
    </Suspense>
  );
}

/** Formatted text with a short tool bar; what is kept and shown is on a list of safe elements. */
function HtmlWidget(props: WidgetProps) {
  const { id, field, onBlur } = props;
  const value = typeof props.value === 'string' ? props.value : '';
  const fixed = props.readOnly === true || props.disabled === true;
  const area = useRef<HTMLDivElement>(null);
  const [linking, setLinking] = useState<string | null>(null);
  const selection = useRef<Range | null>(null);
  const draft = useDraft({
    value: props.value,
    parse: (html) => {
      const clean = sanitise(html);
      return { value: clean === '' ? null : clean };
    },
    onChange: props.onChange,
  });
  const shown = useRef<string | null>(null);

  // The element is written to only when the value changed elsewhere: writing moves the cursor.
  useEffect(() => {
    if (!area.current || draft.held() !== null) return;
    const clean = sanitise(value);
    if (clean === shown.current) return;
    area.current.innerHTML = clean;
    shown.current = clean;
  });

  const changed = () => {
    shown.current = null;
    draft.type(area.current?.innerHTML ?? '');
  };
  const run = (command: string, argument?: string) => {
    area.current?.focus();
    // Deprecated and without a successor; every browser has it, and it keeps Undo working.
    document.execCommand(command, false, argument);
    changed();
  };
  const link = () => {
    const picked = getSelection();
    selection.current = picked && picked.rangeCount > 0 ? picked.getRangeAt(0) : null;
    setLinking('https://');
  };
  const setLink = () => {
    const address = linking?.trim() ?? '';
    setLinking(null);
    area.current?.focus();
    const picked = getSelection();
    if (selection.current && picked) {
      picked.removeAllRanges();
      picked.addRange(selection.current);
    }
    if (address === '' || address === 'https://') run('unlink');
    else if (selection.current?.collapsed)
      run('insertHTML', sanitise(`<a href="${address.replaceAll('"', '%22')}">${address.replaceAll('<', '&lt;')}</a>`));
    else run('createLink', address);
  };

  return (
    <div className={styles.box} data-invalid={props.invalid ? '' : undefined} data-fixed={fixed ? '' : undefined}>
      {!fixed && (
        <div className={styles.tools} role="toolbar" aria-label={`Format ${inSentence(field.title)}`}>
          {tools.map(({ name, command, value: argument, icon, keys }) => (
            <button
              key={name}
              type="button"
              aria-label={name}
              title={keys ? `${name} (${keys})` : name}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => run(command, argument)}
            >
              {icon}
            </button>
          ))}
          <button
            type="button"
            aria-label="Link"
            title="Link"
            onPointerDown={(event) => event.preventDefault()}
            onClick={link}
          >
            <LinkRegular />
          </button>
          <button
            type="button"
            aria-label="Clear formatting"
            title="Clear formatting"
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => {
              run('removeFormat');
              run('formatBlock', 'p');
            }}
          >
            <TextClearFormattingRegular />
          </button>
        </div>
      )}
      {linking !== null && (
        <div className={styles.link}>
          <input
            autoFocus
            aria-label="Address of the link"
            value={linking}
            onChange={(event) => setLinking(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' && event.key !== 'Escape') return;
              event.preventDefault();
              event.stopPropagation();
              if (event.key === 'Enter') setLink();
              else setLinking(null);
            }}
          />
          <button type="button" onClick={setLink}>
            Set
          </button>
        </div>
      )}
      <div
        ref={area}
        id={id}
        className={styles.area}
        role="textbox"
        aria-multiline="true"
        aria-readonly={fixed || undefined}
        tabIndex={0}
        contentEditable={!fixed}
        suppressContentEditableWarning
        {...described(props)}
        onInput={changed}
        onPaste={(event) => {
          event.preventDefault();
          const html = event.clipboardData.getData('text/html');
          if (html !== '') run('insertHTML', sanitise(html));
          else run('insertText', event.clipboardData.getData('text/plain'));
        }}
        onBlur={() => {
          draft.settle();
          onBlur?.();
        }}
      />
    </div>
  );
}
