import { Spinner } from '@fluentui/react-components';
import {
  EditRegular,
  EyeRegular,
  ImageAddRegular,
  LinkRegular,
  TextBoldRegular,
  TextBulletListRegular,
  TextHeader2Regular,
  TextItalicRegular,
  TextNumberListLtrRegular,
} from '@fluentui/react-icons';
import type { ReactElement } from 'react';
import { useRef, useState } from 'react';
import { inSentence } from '../../../../descriptor/in_sentence.ts';
import { ApiError } from '../../../api/http.ts';
import { toast } from '../../../app/feedback.ts';
import { useDraft, useShownText } from '../draft.ts';
import fields from '../fields.module.css';
import { uploadFile } from '../files/file_calls.ts';
import frame from '../rich_text/rich_text.module.css';
import type { WidgetProps } from '../widget.ts';
import { described, useFieldHost } from '../widget.ts';
import MarkdownValue from './MarkdownValue.tsx';
import styles from './markdown.module.css';

interface Tool {
  name: string;
  icon: ReactElement;
  /** Around what is selected. */
  around?: [before: string, after: string];
  /** The prefix of each selected line. */
  line?: string;
}

const tools: Tool[] = [
  { name: 'Bold', icon: <TextBoldRegular />, around: ['**', '**'] },
  { name: 'Italic', icon: <TextItalicRegular />, around: ['*', '*'] },
  { name: 'Heading', icon: <TextHeader2Regular />, line: '## ' },
  { name: 'Bullet list', icon: <TextBulletListRegular />, line: '- ' },
  { name: 'Numbered list', icon: <TextNumberListLtrRegular />, line: '1. ' },
  { name: 'Link', icon: <LinkRegular />, around: ['[', '](https://)'] },
];

/** Markdown: edited as text, with a preview. Pictures are pasted, dropped or chosen. */
export default function MarkdownWidget(props: WidgetProps) {
  const { id, field } = props;
  const host = useFieldHost();
  const fixed = props.readOnly === true || props.disabled === true;
  const area = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const [looking, setLooking] = useState<string | null>(null);
  const [sending, setSending] = useState(0);
  const shown = typeof props.value === 'string' ? props.value : '';
  const draft = useDraft({
    value: props.value,
    parse: (text) => ({ value: text.trim() === '' ? null : text.replace(/\r\n/g, '\n').trim() }),
    onChange: props.onChange,
    typed: props.typed,
  });
  useShownText(area, draft, shown);
  const [first] = useState(draft.held() ?? shown);

  if (fixed) return <MarkdownValue text={shown} />;

  const put = (text: string, from: number, to: number, select?: [number, number]) => {
    const element = area.current;
    if (!element) return;
    element.focus();
    element.setRangeText(text, from, to, 'end');
    if (select) element.setSelectionRange(...select);
    draft.type(element.value);
  };
  const use = ({ around, line }: Tool) => {
    const element = area.current;
    if (!element) return;
    const { selectionStart: from, selectionEnd: to, value } = element;
    if (around)
      put(around[0] + value.slice(from, to) + around[1], from, to, [from + around[0].length, to + around[0].length]);
    else if (line !== undefined) {
      const start = value.lastIndexOf('\n', from - 1) + 1;
      put(value.slice(start, to).replace(/^/gm, line), start, to);
    }
  };
  const send = async (files: Iterable<File>) => {
    for (const file of files) {
      if (!file.type.startsWith('image/')) continue;
      setSending((count) => count + 1);
      try {
        const stored = await uploadFile(host, field, file, () => undefined, new AbortController().signal);
        const element = area.current;
        if (element)
          put(
            `![${stored.name.replace(/\.\w+$/, '').replace(/[[\]]/g, '')}](file:${stored.id})`,
            element.selectionStart,
            element.selectionEnd,
          );
      } catch (error) {
        toast.error(error instanceof ApiError ? error.message : 'The picture could not be stored. Try again.');
      } finally {
        setSending((count) => count - 1);
      }
    }
  };

  return (
    <div className={frame.box} data-invalid={props.invalid ? '' : undefined}>
      <div className={frame.tools} role="toolbar" aria-label={`Format ${inSentence(field.title)}`}>
        {looking === null &&
          tools.map((tool) => (
            <button
              key={tool.name}
              type="button"
              aria-label={tool.name}
              title={tool.name}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => use(tool)}
            >
              {tool.icon}
            </button>
          ))}
        {looking === null && (
          <button
            type="button"
            aria-label="Picture"
            title="Picture: choose one, or paste it into the text"
            onClick={() => picker.current?.click()}
          >
            <ImageAddRegular />
          </button>
        )}
        {sending > 0 && <Spinner size="tiny" label="Storing the picture" />}
        <button
          type="button"
          className={styles.look}
          aria-pressed={looking !== null}
          onClick={() => setLooking(looking === null ? (area.current?.value ?? '') : null)}
        >
          {looking === null ? <EyeRegular /> : <EditRegular />} {looking === null ? 'Preview' : 'Write'}
        </button>
      </div>
      <input
        ref={picker}
        type="file"
        accept="image/png,image/jpeg,image/webp,image/gif"
        hidden
        multiple
        onChange={(event) => {
          void send([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      {looking !== null && (
        <div className={styles.preview}>
          {looking.trim() === '' ? (
            <p className={styles.empty}>Nothing has been written yet.</p>
          ) : (
            <MarkdownValue text={looking} />
          )}
        </div>
      )}
      <textarea
        ref={area}
        id={id}
        rows={12}
        hidden={looking !== null}
        className={`${fields.area} ${styles.area}`}
        defaultValue={first}
        {...described(props)}
        {...(props.autoFocus && { autoFocus: true })}
        onChange={({ target }) => draft.type(target.value)}
        onPaste={(event) => {
          const pictures = [...event.clipboardData.files].filter(({ type }) => type.startsWith('image/'));
          if (pictures.length === 0) return;
          event.preventDefault();
          void send(pictures);
        }}
        onDrop={(event) => {
          if (event.dataTransfer.files.length === 0) return;
          event.preventDefault();
          void send([...event.dataTransfer.files]);
        }}
        onBlur={() => {
          draft.settle();
          props.onBlur?.();
        }}
      />
    </div>
  );
}
