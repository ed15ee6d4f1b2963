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
import type { ChainedCommands } from '@tiptap/core';
import { EditorContent, useEditor, useEditorState } from '@tiptap/react';
import { StarterKit } from '@tiptap/starter-kit';
import type { ReactElement } from 'react';
import { useEffect, useState } from 'react';
import { useDraft } from '../draft.ts';
import type { WidgetProps } from '../widget.ts';
import { described } from '../widget.ts';
import styles from './rich_text.module.css';
import { safeAddress, sanitise } from './sanitise.ts';
import { inSentence } from '../../../../descriptor/in_sentence.ts';

const tools: {
  name: string;
  icon: ReactElement;
  keys: string;
  mark: [string, object?];
  run: (chain: ChainedCommands) => ChainedCommands;
}[] = [
  { name: 'Bold', icon: <TextBoldRegular />, keys: 'Ctrl+B', mark: ['bold'], run: (chain) => chain.toggleBold() },
  {
    name: 'Italic',
    icon: <TextItalicRegular />,
    keys: 'Ctrl+I',
    mark: ['italic'],
    run: (chain) => chain.toggleItalic(),
  },
  {
    name: 'Heading',
    icon: <TextHeader3Regular />,
    keys: 'Ctrl+Alt+3',
    mark: ['heading', { level: 3 }],
    run: (chain) => chain.toggleHeading({ level: 3 }),
  },
  {
    name: 'Bullet list',
    icon: <TextBulletListRegular />,
    keys: 'Ctrl+Shift+8',
    mark: ['bulletList'],
    run: (chain) => chain.toggleBulletList(),
  },
  {
    name: 'Numbered list',
    icon: <TextNumberListLtrRegular />,
    keys: 'Ctrl+Shift+7',
    mark: ['orderedList'],
    run: (chain) => chain.toggleOrderedList(),
  },
  {
    name: 'Quotation',
    icon: <TextQuoteRegular />,
    keys: 'Ctrl+Shift+B',
    mark: ['blockquote'],
    run: (chain) => chain.toggleBlockquote(),
  },
];

/** The only elements allowed in the sanitised HTML. */
const extensions = [
  StarterKit.configure({
    heading: { levels: [3, 4] },
    horizontalRule: false,
    trailingNode: false,
    link: {
      openOnClick: false,
      autolink: false,
      HTMLAttributes: { rel: 'noopener noreferrer', target: '_blank' },
      isAllowedUri: (address) => safeAddress(address) !== null,
    },
  }),
];

/** Formatted text with a short toolbar; only allowed elements are stored and shown. */
export default function HtmlWidget(props: WidgetProps) {
  const { field, onBlur } = props;
  const value = typeof props.value === 'string' ? props.value : '';
  const fixed = props.readOnly === true || props.disabled === true;
  const [linking, setLinking] = useState<string | null>(null);
  const draft = useDraft({
    value: props.value,
    parse: (html) => {
      const clean = sanitise(html);
      return { value: clean === '' ? null : clean };
    },
    onChange: props.onChange,
  });
  const editor = useEditor({
    extensions,
    content: sanitise(value),
    editable: !fixed,
    injectCSS: false,
    editorProps: {
      attributes: attributesOf(props, fixed),
      transformPastedHTML: sanitise,
    },
    onUpdate: ({ editor: changed }) => draft.type(changed.getHTML()),
    onBlur: () => {
      draft.settle();
      onBlur?.();
    },
  });
  const active = useEditorState({
    editor,
    selector: ({ editor: now }) => tools.map(({ mark: [name, attributes] }) => now.isActive(name, attributes)),
  });

  // The editor is written to only when the value changed elsewhere, because writing moves the cursor. It is not a user
  // action, so undo skips it. A hidden page that is shown again creates its editor a moment later.
  const { held, isWaiting } = draft;
  useEffect(() => {
    if (editor.isDestroyed || held() !== null || isWaiting()) return;
    const clean = sanitise(value);
    if (clean !== sanitise(editor.getHTML()))
      editor.chain().setMeta('addToHistory', false).setContent(clean, { emitUpdate: false }).run();
  }, [held, isWaiting, editor, value]);

  const address = linking?.trim() ?? '';
  const wrongLink = address !== '' && address !== 'https://' && safeAddress(address) === null;
  const setLink = () => {
    if (wrongLink) return;
    setLinking(null);
    const chain = editor.chain().focus().extendMarkRange('link');
    if (address === '' || address === 'https://') chain.unsetLink().run();
    else if (editor.state.selection.empty && !editor.isActive('link'))
      chain.insertContent({ type: 'text', text: address, marks: [{ type: 'link', attrs: { href: address } }] }).run();
    else chain.setLink({ href: address }).run();
  };

  return (
    <div className={styles.box} data-invalid={props.invalid ? '' : undefined} data-fixed={fixed ? '' : undefined}>
      {!fixed && (
        <div className={styles.tools} role="toolbar" aria-label={`Format ${inSentence(field.title)}`}>
          {tools.map(({ name, icon, keys, run }, index) => (
            <ToolButton
              key={name}
              name={name}
              title={`${name} (${keys})`}
              pressed={active[index]}
              onClick={() => run(editor.chain().focus()).run()}
            >
              {icon}
            </ToolButton>
          ))}
          <ToolButton name="Link" onClick={() => setLinking(String(editor.getAttributes('link').href ?? 'https://'))}>
            <LinkRegular />
          </ToolButton>
          <ToolButton name="Clear formatting" onClick={() => editor.chain().focus().clearNodes().unsetAllMarks().run()}>
            <TextClearFormattingRegular />
          </ToolButton>
        </div>
      )}
      {linking !== null && (
        <div className={styles.link}>
          <input
            autoFocus
            aria-label="Address of the link"
            aria-invalid={wrongLink}
            aria-describedby={wrongLink ? `${props.id}-link` : undefined}
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
          {wrongLink && (
            <p id={`${props.id}-link`} role="alert">
              A link begins with https://, mailto:, tel: or, within Mainstay, with /.
            </p>
          )}
        </div>
      )}
      <EditorContent editor={editor} />
    </div>
  );
}

/** The editable element: a text box with the form's accessible names. */
function attributesOf(props: WidgetProps, fixed: boolean): Record<string, string> {
  const names = Object.entries(described(props)).map(([name, said]) => [name, String(said)]);
  return {
    ...(Object.fromEntries(names) as Record<string, string>),
    id: props.id,
    class: styles.area ?? '',
    role: 'textbox',
    'aria-multiline': 'true',
    ...(fixed && { 'aria-readonly': 'true' }),
    tabindex: '0',
  };
}

function ToolButton(props: {
  name: string;
  title?: string;
  pressed?: boolean | undefined;
  onClick: () => void;
  children: ReactElement;
}) {
  return (
    <button
      type="button"
      aria-label={props.name}
      aria-pressed={props.pressed}
      title={props.title ?? props.name}
      onPointerDown={(event) => event.preventDefault()}
      onClick={props.onClick}
    >
      {props.children}
    </button>
  );
}
