import { Button, Textarea } from '@fluentui/react-components';
import {
  AddCircleRegular,
  ArrowCounterclockwiseRegular,
  AttachRegular,
  CommentRegular,
  DeleteRegular,
  DismissRegular,
  DocumentRegular,
  EditRegular,
  EyeOffRegular,
} from '@fluentui/react-icons';
import { useMemo, useRef, useState } from 'react';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import { api } from '../../api/http.ts';
import { confirmDialog } from '../../app/feedback.ts';
import { ErrorView, Skeleton } from '../../app/page.tsx';
import { useIdLabels } from '../landing/use_labels.ts';
import { Mentions } from './Mentions.tsx';
import styles from './timeline.module.css';
import type { AttachmentRow, CommentRow, Entry, EntryFilter, HistoryRow } from './timeline_entries.ts';
import { changeLines, changeWords, idsInChanges, lineWords, mergeEntries } from './timeline_entries.ts';
import type { TimelineData } from './use_timeline.ts';
import { useTimeline } from './use_timeline.ts';

const filters: { value: EntryFilter; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'change', label: 'Changes' },
  { value: 'comment', label: 'Comments' },
  { value: 'file', label: 'Files' },
];
const moment = fieldType('datetime');
const momentField: Field = {
  name: 'at',
  type: 'datetime',
  title: '',
  required: false,
  schema: {},
  secret: false,
  readOnly: true,
};
const when = (at: string) => moment.format(at, momentField);

/** The history of a record: changes, comments and files, newest first. */
export default function Timeline({ screen, id }: { screen: Screen; id: string | number }) {
  const data = useTimeline(screen.name, id);
  const { loaded } = data;
  const [filter, setFilter] = useState<EntryFilter>('all');
  const changes = loaded?.changes;
  const wanted = useMemo(() => idsInChanges(changes ?? [], screen), [changes, screen]);
  const labels = useIdLabels(wanted, screen);
  const entries = loaded ? mergeEntries(loaded.changes, loaded.comments, loaded.files, filter, loaded.moreChanges) : [];

  return (
    <section className={styles.timeline} aria-label="Timeline">
      <h2>Timeline</h2>
      <Composer data={data} path={`/tapi/${screen.name}/${id}`} />
      <fieldset className={styles.filters} aria-label="What to show">
        {filters.map(({ value, label }) => (
          <button key={value} type="button" aria-pressed={value === filter} onClick={() => setFilter(value)}>
            {label}
            {loaded && value === 'comment' && loaded.comments.length > 0 && ` ${loaded.comments.length}`}
            {loaded && value === 'file' && loaded.files.length > 0 && ` ${loaded.files.length}`}
          </button>
        ))}
      </fieldset>
      {data.error && !loaded ? (
        <ErrorView error={data.error} title="The timeline could not be loaded." retry={data.refresh} />
      ) : !loaded ? (
        <Skeleton rows={4} label="Loading the timeline" />
      ) : entries.length === 0 ? (
        <p className={styles.none}>
          {filter === 'file' ? 'No files yet.' : filter === 'comment' ? 'No comments yet.' : 'Nothing yet.'}
        </p>
      ) : (
        <ol className={styles.entries}>
          {entries.map((entry) => (
            <EntryLine key={entry.key} entry={entry} screen={screen} labels={labels} data={data} />
          ))}
        </ol>
      )}
      {loaded?.moreChanges && (filter === 'all' || filter === 'change') && (
        <Button size="small" disabled={data.loadingOlder} onClick={data.loadOlder}>
          Show older
        </Button>
      )}
    </section>
  );
}

/** A comment to write, files to attach. */
function Composer({ data, path }: { data: TimelineData; path: string }) {
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [upload, setUpload] = useState<{ name: string; part: number } | null>(null);
  const stop = useRef<AbortController | null>(null);
  const input = useRef<HTMLInputElement>(null);

  const comment = () => {
    const clean = text.trim();
    if (clean === '' || busy) return;
    setBusy(true);
    data
      .addComment(clean)
      .then(() => setText(''))
      // The call has shown the reason; the text stays.
      .catch(() => undefined)
      .finally(() => setBusy(false));
  };
  const attach = async (files: File[]) => {
    const control = new AbortController();
    stop.current = control;
    try {
      for (const file of files) {
        setUpload({ name: file.name, part: 0 });
        await data.attach(file, (part) => setUpload({ name: file.name, part }), control.signal);
      }
    } catch {
      // Stopped by the person, or the call has shown the reason.
    } finally {
      setUpload(null);
    }
  };
  return (
    <div className={styles.composer}>
      <Textarea
        className={styles.text}
        value={text}
        placeholder="Write a comment; @name notifies somebody. Or drop files here"
        aria-label="Comment"
        resize="vertical"
        onChange={(_, { value }) => setText(value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            comment();
          }
        }}
        onDrop={(event) => {
          const files = [...event.dataTransfer.files];
          if (files.length === 0) return;
          event.preventDefault();
          void attach(files);
        }}
        onPaste={(event) => {
          const files = [...event.clipboardData.files];
          if (files.length === 0) return;
          event.preventDefault();
          void attach(files);
        }}
      />
      <Mentions path={path} text={text} onChoose={setText} />
      <div className={styles.buttons}>
        <Button
          size="small"
          appearance="subtle"
          icon={<AttachRegular />}
          disabled={upload !== null}
          onClick={() => input.current?.click()}
        >
          Attach
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          multiple
          aria-label="Files"
          onChange={(event) => {
            void attach([...(event.target.files ?? [])]);
            event.target.value = '';
          }}
        />
        {upload && (
          <span className={styles.upload}>
            <progress value={upload.part} aria-label={`Sending ${upload.name}`} />
            <Button
              size="small"
              appearance="subtle"
              icon={<DismissRegular />}
              aria-label="Stop sending"
              onClick={() => stop.current?.abort()}
            />
          </span>
        )}
        <Button
          size="small"
          appearance="primary"
          title="Ctrl+Enter"
          disabled={text.trim() === '' || busy}
          onClick={comment}
        >
          Comment
        </Button>
      </div>
    </div>
  );
}

interface LineProps {
  entry: Entry;
  screen: Screen;
  labels: (type: string, id: number) => string | undefined;
  data: TimelineData;
}

function EntryLine({ entry, screen, labels, data }: LineProps) {
  return (
    <li className={styles.entry} data-kind={entry.kind}>
      <span className={styles.icon} aria-hidden>
        {entry.kind === 'comment' ? (
          <CommentRegular />
        ) : entry.kind === 'file' ? (
          <DocumentRegular />
        ) : (
          changeIcon(entry.row)
        )}
      </span>
      <div className={styles.body}>
        {entry.kind === 'change' && <Change row={entry.row} screen={screen} labels={labels} />}
        {entry.kind === 'comment' && <Comment row={entry.row} data={data} />}
        {entry.kind === 'file' && <Attachment row={entry.row} data={data} />}
      </div>
    </li>
  );
}

function changeIcon({ op }: HistoryRow) {
  if (op === 'I') return <AddCircleRegular />;
  if (op === 'X') return <EyeOffRegular />;
  if (op === 'A') return <ArrowCounterclockwiseRegular />;
  return op === 'D' ? <DeleteRegular /> : <EditRegular />;
}

function Head({ name, words, at }: { name: string | null | undefined; words: string; at: string }) {
  return (
    <>
      <b>{name ?? 'The system'}</b> {words}{' '}
      <time className={styles.at} dateTime={at}>
        {when(at)}
      </time>
    </>
  );
}

function Change({ row, screen, labels }: Pick<LineProps, 'screen' | 'labels'> & { row: HistoryRow }) {
  const lines = changeLines(row, screen, labels);
  const head = (
    <Head
      name={row.for__label ? `${row.by__label ?? 'Somebody'} for ${row.for__label}` : row.by__label}
      words={changeWords(row, screen, lines)}
      at={row.at}
    />
  );
  const more = (
    <>
      {row.done_at && <p className={styles.at}>Done offline on {when(row.done_at)}</p>}
      {row.reason && <p className={styles.comment}>Reason: {row.reason}</p>}
    </>
  );
  if (row.op !== 'U' || lines.length < 2)
    return (
      <>
        <div>{head}</div>
        {more}
      </>
    );
  return (
    <>
      <details>
        <summary>{head}</summary>
        <ul className={styles.fields}>
          {lines.map((line, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- the lines of one change never change
            <li key={at}>{lineWords(line)}</li>
          ))}
        </ul>
      </details>
      {more}
    </>
  );
}

function Comment({ row, data }: { row: CommentRow; data: TimelineData }) {
  const remove = async () => {
    if (await confirmDialog({ title: 'Delete this comment?', danger: true }))
      await data.removeComment(row.id).catch(() => undefined);
  };
  return (
    <>
      <div className={styles.head}>
        <span>
          <Head name={row.by__label} words="wrote" at={row.at} />
        </span>
        {row.mine && (
          <Button
            size="small"
            appearance="subtle"
            icon={<DeleteRegular />}
            aria-label="Delete this comment"
            onClick={() => void remove()}
          />
        )}
      </div>
      <p className={styles.comment}>{row.text}</p>
    </>
  );
}

function Attachment({ row, data }: { row: AttachmentRow; data: TimelineData }) {
  const remove = async () => {
    if (await confirmDialog({ title: `Delete ${row.name}?`, danger: true }))
      await data.removeFile(row.id).catch(() => undefined);
  };
  return (
    <>
      <div className={styles.head}>
        <span>
          <Head name={row.by__label} words="attached" at={row.at} />
        </span>
        {row.mine && (
          <Button
            size="small"
            appearance="subtle"
            icon={<DeleteRegular />}
            aria-label={`Delete ${row.name}`}
            onClick={() => void remove()}
          />
        )}
      </div>
      <button type="button" className={styles.file} onClick={() => void openFile(row.file_id).catch(() => undefined)}>
        {row.name} <span>{sizeText(row.size)}</span>
      </button>
    </>
  );
}

/** Opens a file by an address that is valid for a minute. */
async function openFile(file: number): Promise<void> {
  const { url } = await api.get<{ url: string }>(`/tapi/files/${file}/link`);
  const link = document.createElement('a');
  link.href = url;
  link.target = '_blank';
  link.rel = 'noopener';
  link.click();
}

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} kB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
