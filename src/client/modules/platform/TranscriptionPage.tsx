import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Field,
  Input,
  MessageBar,
  MessageBarBody,
  ProgressBar,
  Textarea,
} from '@fluentui/react-components';
import {
  ArrowDownloadRegular,
  CheckmarkCircleRegular,
  CopyRegular,
  EditRegular,
  LockOpenRegular,
  MicRegular,
  PeopleEditRegular,
  PrintRegular,
  SaveRegular,
  SearchRegular,
} from '@fluentui/react-icons';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { Link } from 'react-router-dom';
import useSWR from 'swr';
import { formatDate } from '../../../descriptor/format.ts';
import type { WireRecord } from '../../../descriptor/types.ts';
import type { OfferedStep } from '../../../descriptor/workflow.ts';
import { clock } from '../../../domain/transcript/segment.ts';
import { ApiError, api } from '../../api/http.ts';
import { onLive } from '../../api/live.ts';
import { screenRefs } from '../../api/screens.ts';
import { toast } from '../../app/feedback.ts';
import { EmptyState, ErrorView, Page, PageBody, Skeleton, useUnsavedGuard } from '../../app/page.tsx';
import { useSession } from '../../app/session.ts';
import type { BespokeProps } from '../bespoke_props.ts';
import type { TextLine } from '../../../domain/transcript/segment.ts';
import type { Corrections } from './transcript_model.ts';
import { changedLines, lineAt, linesWith, NOTHING } from './transcript_model.ts';
import styles from './transcription.module.css';

const LIST = '/AI_Transcription';
const STATES: Record<string, { label: string; tone: 'neutral' | 'brand' | 'success' | 'warning' | 'danger' }> = {
  uploaded: { label: 'Uploaded', tone: 'warning' },
  queued: { label: 'Queued', tone: 'brand' },
  running: { label: 'Running', tone: 'brand' },
  done: { label: 'Done', tone: 'success' },
  reviewed: { label: 'Reviewed', tone: 'success' },
  failed: { label: 'Failed', tone: 'danger' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
  expired: { label: 'Expired', tone: 'neutral' },
};
const FORMATS: Record<string, string> = { docx: 'Word (DOCX)', pdf: 'PDF', txt: 'text (TXT)', srt: 'subtitles (SRT)' };
const WAITING = new Set(['queued', 'running']);
/** The steps of the processing, in order. */
const STEPS: Record<string, string> = {
  waiting: 'Waiting for the engine',
  sending: 'Sending the recording',
  recognising: 'Being transcribed',
  storing: 'Cleaning and storing the text',
};

interface ActionItem {
  id?: number;
  text: string;
  owner_id: number | null;
  owner_id__label?: string;
  due_on: string | null;
  done: boolean | null;
}
type Recording = WireRecord & {
  title: string;
  state: string;
  step: string | null;
  progress: number | null;
  note: string | null;
  file: number | null;
  summary: string | null;
  segments: TextLine[];
  action_items: ActionItem[];
  duration_s: number | null;
  removed: number | null;
  /** The steps that the user may take. */
  _can?: OfferedStep[];
};

/** A recording beside its text: click a line to hear it, correct it, name its speaker. */
export default function TranscriptionPage({ params }: BespokeProps) {
  const path = `/tapi/transcription/${params.id}`;
  const { data, error, mutate } = useSWR(
    path,
    (address) => api.get<{ data: Recording }>(address, undefined, { quiet: true }),
    {
      revalidateOnFocus: false,
      // Live updates; polled as well, in case the stream breaks.
      refreshInterval: (answer) => (answer && WAITING.has(answer.data.state) ? 30_000 : 0),
    },
  );
  useEffect(
    () =>
      onLive(
        (live) =>
          live.event === 'record' &&
          live.data.type === 'transcription' &&
          String(live.data.id) === params.id &&
          void mutate(),
      ),
    [params.id, mutate],
  );
  const writes = screenRefs
    .use()
    .some((ref) => ref.name === 'transcription' && ref.rights.edit_screen && ref.rights.write);
  if (error || !data)
    return (
      <Page title="Transcription" breadcrumbs={[{ label: 'Transcriptions', to: LIST }]}>
        <PageBody>
          {error ? <ErrorView error={error} retry={() => void mutate()} home /> : <Skeleton rows={10} />}
        </PageBody>
      </Page>
    );
  return (
    <Reading
      key={data.data.id}
      recording={data.data}
      writes={writes}
      // Reloads the possible transitions.
      changed={(record) => void mutate(record ? { data: { ...data.data, ...record } } : undefined)}
    />
  );
}

function Reading({
  recording,
  writes,
  changed,
}: {
  recording: Recording;
  writes: boolean;
  changed: (record?: Recording) => void;
}) {
  const { id, state, segments: lines } = recording;
  const [corrections, setCorrections] = useState<Corrections>(NOTHING);
  const [search, setSearch] = useState('');
  const [naming, setNaming] = useState(false);
  const [saving, setSaving] = useState(false);
  const player = useRef<HTMLAudioElement>(null);
  const [heard, setHeard] = useState<number | null>(null);
  const editable = writes && state === 'done';
  const may = (step: string) => recording._can?.some(({ name }) => name === step) === true;
  const open = changedLines(lines, corrections);
  useUnsavedGuard(open.length > 0);
  const speakers = useMemo(() => [...new Set(lines.flatMap(({ speaker }) => (speaker ? [speaker] : [])))], [lines]);

  const act = async (word: string, said: string) => {
    try {
      const { data } = await api.post<{ data: Recording }>(`/tapi/transcription/${id}/${word}`, {
        version: recording.version,
      });
      toast.success(said);
      changed(data);
    } catch {
      changed();
    }
  };
  const save = async (rename?: Record<string, string>) => {
    setSaving(true);
    try {
      const { data } = await api.put<{ data: Recording }>(`/tapi/transcription/${id}/segments`, {
        version: recording.version,
        segments: open,
        ...(rename && { rename }),
      });
      setCorrections(NOTHING);
      toast.success('The text is saved.');
      changed(data);
    } catch (thrown) {
      // Unsaved corrections stay; lines changed by others are merged.
      if (thrown instanceof ApiError && thrown.code === 'stale_version') changed();
    }
    setSaving(false);
  };
  const copyMinutes = async () => {
    try {
      const { data } = await api.get<{ data: { text: string } }>(`/tapi/transcription/${id}/minutes`);
      await navigator.clipboard.writeText(data.text);
      toast.success('Copied: paste it into the minutes.');
    } catch (thrown) {
      // A refusal is shown already; without access to the clipboard, the file is downloaded instead.
      if (!(thrown instanceof ApiError))
        await api.download(`/tapi/transcription/${id}/export.txt`).catch(() => undefined);
    }
  };
  const hear = (line: TextLine) => {
    if (!player.current) return;
    player.current.currentTime = line.start_ms / 1000;
    void player.current.play().catch(() => undefined);
  };
  const shown = linesWith(lines, search);

  return (
    <Page
      title={recording.title}
      breadcrumbs={[{ label: 'Transcriptions', to: LIST }]}
      {...(STATES[state] && { status: STATES[state] })}
      {...(editable &&
        open.length > 0 && {
          primary: {
            label: `Save ${open.length} ${open.length === 1 ? 'line' : 'lines'}`,
            icon: <SaveRegular />,
            onClick: () => void save(),
            busy: saving,
          },
        })}
      secondary={[
        ...(editable
          ? [
              {
                label: 'Name speakers',
                icon: <PeopleEditRegular />,
                onClick: () => setNaming(true),
                disabled: speakers.length === 0 || open.length > 0,
                reason: speakers.length === 0 ? 'No line has a speaker yet.' : 'Save the text first.',
              },
            ]
          : []),
        ...(may('review')
          ? [
              {
                label: 'Mark as reviewed',
                icon: <CheckmarkCircleRegular />,
                onClick: () => void act('review', 'The text is reviewed and locked.'),
                disabled: open.length > 0,
                reason: 'Save the text first.',
              },
            ]
          : []),
        ...(may('unlock')
          ? [
              {
                label: 'Unlock the text',
                icon: <LockOpenRegular />,
                onClick: () => void act('unlock', 'The text can be changed again.'),
              },
            ]
          : []),
      ]}
      more={[
        ...(lines.length > 0
          ? Object.entries(FORMATS).map(([format, label]) => ({
              label: `Export as ${label}`,
              icon: <ArrowDownloadRegular />,
              onClick: () => void api.download(`/tapi/transcription/${id}/export.${format}`).catch(() => undefined),
            }))
          : []),
        ...(lines.length > 0
          ? [{ label: 'Copy as minutes', icon: <CopyRegular />, onClick: () => void copyMinutes() }]
          : []),
        { label: 'Print', icon: <PrintRegular />, onClick: () => window.print() },
        ...(writes ? [{ label: 'Edit recording', icon: <EditRegular />, to: `/AI_Transcription/edit/${id}` }] : []),
      ]}
    >
      <PageBody>
        {recording.note && (
          <MessageBar className={styles.note} intent={state === 'failed' ? 'error' : 'info'}>
            <MessageBarBody>{recording.note}</MessageBarBody>
          </MessageBar>
        )}
        {WAITING.has(state) && <Steps step={recording.step ?? 'waiting'} progress={recording.progress ?? 0} />}
        {lines.length === 0 ? (
          !WAITING.has(state) && (
            <EmptyState
              icon={<MicRegular />}
              title="There is no text yet"
              text="Start the transcription from the list, or upload a transcript."
              actions={[{ label: 'Go to the list', to: LIST }]}
            />
          )
        ) : (
          <div className={styles.split}>
            <div className={styles.side}>
              {recording.file === null ? (
                <p className={styles.muted}>The recording was deleted, or only its text was uploaded.</p>
              ) : (
                <Player file={recording.file} element={player} onTime={(ms) => setHeard(lineAt(lines, ms))} />
              )}
              <p className={styles.muted}>
                {clock((recording.duration_s ?? 0) * 1000)} · {lines.length} lines
                {recording.removed ? ` · ${recording.removed} left out` : ''}
              </p>
              <ActionItems recording={recording} writes={writes && state !== 'expired'} changed={changed} />
            </div>
            <div className={styles.text}>
              <Input
                className={styles.search}
                type="search"
                aria-label="Search the text"
                placeholder="Search the text"
                contentBefore={<SearchRegular />}
                value={search}
                onChange={(_, { value }) => setSearch(value)}
              />
              {shown.length === 0 && <p className={styles.muted}>No line contains these words.</p>}
              <ol className={styles.lines}>
                {shown.map((line) => (
                  <Line
                    key={line.id}
                    line={line}
                    words={corrections.text[line.id] ?? line.text}
                    speaker={corrections.speaker[line.id] ?? line.speaker ?? ''}
                    speakers={speakers}
                    now={heard === line.id}
                    hear={recording.file === null ? null : () => hear(line)}
                    {...(editable && {
                      write: (text: string) =>
                        setCorrections((before) => ({ ...before, text: { ...before.text, [line.id]: text } })),
                      say: (speaker: string) =>
                        setCorrections((before) => ({ ...before, speaker: { ...before.speaker, [line.id]: speaker } })),
                    })}
                  />
                ))}
              </ol>
            </div>
          </div>
        )}
        {naming && (
          <Speakers
            speakers={speakers}
            close={() => setNaming(false)}
            save={(names) => void save(names).then(() => setNaming(false))}
          />
        )}
      </PageBody>
    </Page>
  );
}

/** The progress. An engine reports nothing while it listens, so the bar is indeterminate then. */
function Steps({ step, progress }: { step: string; progress: number }) {
  const order = Object.keys(STEPS);
  const now = order.indexOf(step);
  return (
    <section className={styles.steps} aria-label="Progress">
      <p role="status">
        {STEPS[step] ?? STEPS.waiting} · {progress} %
      </p>
      <ProgressBar value={progress / 100} thickness="large" aria-label="Progress" />
      <ol>
        {order.map((name, at) => (
          <li key={name} data-done={at < now || undefined} aria-current={at === now ? 'step' : undefined}>
            {STEPS[name]}
          </li>
        ))}
      </ol>
      <p className={styles.muted}>
        {step === 'recognising' ? 'The engine answers once, when it has heard all of it. ' : ''}You get a message when
        the text is ready; you may leave this page.
      </p>
    </section>
  );
}

/** The recording. Its address expires after a minute: if a later part is refused, a new address is requested. */
function Player({
  file,
  element,
  onTime,
}: {
  file: number;
  element: RefObject<HTMLAudioElement | null>;
  onTime: (ms: number) => void;
}) {
  const [failed, setFailed] = useState(false);
  const renewed = useRef(0);
  const load = useCallback(
    async (at: number, play: boolean) => {
      try {
        const { url } = await api.get<{ url: string }>(`/tapi/files/${file}/link`, undefined, { quiet: true });
        const audio = element.current;
        if (!audio) return;
        audio.src = url;
        audio.currentTime = at;
        if (play) await audio.play().catch(() => undefined);
      } catch {
        setFailed(true);
      }
    },
    [file, element],
  );
  useEffect(() => {
    void load(0, false);
  }, [load]);
  if (failed) return <p className={styles.muted}>The recording could not be loaded. Load the page again.</p>;
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- the lines of text beside it are its captions, and follow it
    <audio
      ref={element}
      className={styles.player}
      controls
      preload="metadata"
      aria-label="Recording"
      onTimeUpdate={({ currentTarget }) => onTime(currentTarget.currentTime * 1000)}
      onError={({ currentTarget }) => {
        if (Date.now() - renewed.current < 5_000) return setFailed(true);
        renewed.current = Date.now();
        void load(currentTarget.currentTime, !currentTarget.paused);
      }}
    />
  );
}

interface LineProps {
  line: TextLine;
  words: string;
  speaker: string;
  speakers: string[];
  now: boolean;
  /** null: there is no audio. */
  hear: (() => void) | null;
  write?: (text: string) => void;
  say?: (speaker: string) => void;
}

function Line({ line, words, speaker, speakers, now, hear, write, say }: LineProps) {
  const [editing, setEditing] = useState(false);
  const [naming, setNaming] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (now) row.current?.scrollIntoView?.({ block: 'nearest' });
  }, [now]);
  const at = clock(line.start_ms);
  return (
    <li ref={row} data-now={now || undefined} data-flag={line.flag === 'none' ? undefined : line.flag}>
      {hear ? (
        <button type="button" className={styles.time} aria-label={`Hear from ${at}`} onClick={hear}>
          {at}
        </button>
      ) : (
        <span className={styles.time}>{at}</span>
      )}
      <div className={styles.words}>
        {naming && say ? (
          <input
            autoFocus
            aria-label="Speaker"
            list={`speakers ${line.id}`}
            maxLength={40}
            value={speaker}
            onChange={({ target }) => say(target.value)}
            onBlur={() => setNaming(false)}
            onKeyDown={({ key }) => (key === 'Enter' || key === 'Escape') && setNaming(false)}
          />
        ) : say ? (
          <button type="button" className={styles.speaker} onClick={() => setNaming(true)}>
            {speaker === '' ? 'Who speaks?' : speaker}
          </button>
        ) : (
          speaker !== '' && <span className={styles.speaker}>{speaker}</span>
        )}
        {naming && (
          <datalist id={`speakers ${line.id}`}>
            {speakers.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </datalist>
        )}
        {editing && write ? (
          <Textarea
            autoFocus
            resize="vertical"
            aria-label={`Words at ${at}`}
            value={words}
            onChange={(_, { value }) => write(value)}
            onBlur={() => setEditing(false)}
            onKeyDown={({ key }) => key === 'Escape' && setEditing(false)}
          />
        ) : (
          <p>
            <button
              type="button"
              className={styles.line}
              disabled={!hear && !write}
              onClick={() => (hear ? hear() : setEditing(true))}
              onDoubleClick={() => write && setEditing(true)}
            >
              {words}
            </button>
            {line.flag === 'low' && (
              <span className={styles.mark}>Unsure{line.confidence !== null && `, ${line.confidence} %`}</span>
            )}
            {line.flag === 'edited' && <span className={styles.mark}>Corrected</span>}
            {line.flag === 'repeated' && <span className={styles.mark}>Folded</span>}
          </p>
        )}
      </div>
      {write && !editing && (
        <Button
          className={styles.edit}
          size="small"
          appearance="subtle"
          icon={<EditRegular />}
          aria-label={`Correct the words at ${at}`}
          onClick={() => setEditing(true)}
        />
      )}
    </li>
  );
}

/** Names the speakers in all lines at once. */
function Speakers({
  speakers,
  close,
  save,
}: {
  speakers: string[];
  close: () => void;
  save: (names: Record<string, string>) => void;
}) {
  const [names, setNames] = useState<Record<string, string>>({});
  const changed = Object.fromEntries(
    Object.entries(names).filter(([from, to]) => to.trim() !== '' && to.trim() !== from),
  );
  return (
    <Dialog open onOpenChange={(_, { open }) => !open && close()}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>Name speakers</DialogTitle>
          <DialogContent className={styles.names}>
            {speakers.map((speaker) => (
              <Field key={speaker} label={speaker}>
                <Input
                  maxLength={40}
                  value={names[speaker] ?? speaker}
                  onChange={(_, { value }) => setNames((before) => ({ ...before, [speaker]: value }))}
                />
              </Field>
            ))}
          </DialogContent>
          <DialogActions>
            <Button onClick={close}>Cancel</Button>
            <Button appearance="primary" disabled={Object.keys(changed).length === 0} onClick={() => save(changed)}>
              Save names
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}

/** Action items with a checkbox; the form has their other fields. */
function ActionItems({
  recording,
  writes,
  changed,
}: {
  recording: Recording;
  writes: boolean;
  changed: (record?: Recording) => void;
}) {
  const [words, setWords] = useState('');
  const [busy, setBusy] = useState(false);
  const { employeeId } = useSession();
  const items = recording.action_items ?? [];
  const send = async (rows: Partial<ActionItem>[]) => {
    setBusy(true);
    try {
      const sent = rows.map(({ id, text, owner_id: owner, due_on: due, done }) => ({
        ...(id !== undefined && { id }),
        text,
        owner_id: owner ?? null,
        due_on: due ?? null,
        done: done ?? false,
      }));
      const { data } = await api.put<{ data: Recording }>(`/tapi/transcription/${recording.id}`, {
        version: recording.version,
        action_items: sent,
      });
      changed(data);
      setWords('');
    } catch {
      changed();
    }
    setBusy(false);
  };
  const tick = async (item: ActionItem, done: boolean) => {
    setBusy(true);
    await api.put<{ data: Recording }>(`/tapi/transcription/${recording.id}/action_items/${item.id}`, { done }).then(
      ({ data }) => changed(data),
      () => changed(),
    );
    setBusy(false);
  };
  return (
    <section aria-label="To do" className={styles.actions}>
      <h2>To do</h2>
      {items.length === 0 && <p className={styles.muted}>No notes.</p>}
      <ul>
        {items.map((item, at) => (
          <li key={item.id ?? at}>
            <label>
              <input
                type="checkbox"
                checked={item.done === true}
                disabled={busy || !(writes || (employeeId !== null && item.owner_id === employeeId))}
                onChange={({ target }) => void tick(item, target.checked)}
              />
              <span data-done={item.done === true || undefined}>{item.text}</span>
            </label>
            {(item.owner_id__label !== undefined || item.due_on) && (
              <span className={styles.muted}>
                {[item.owner_id__label, item.due_on && formatDate(item.due_on)].filter(Boolean).join(', by ')}
              </span>
            )}
          </li>
        ))}
      </ul>
      {writes && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (words.trim() !== '') void send([...items, { text: words.trim() }]);
          }}
        >
          <Input
            aria-label="Add to do"
            placeholder="Add to do"
            maxLength={250}
            value={words}
            disabled={busy}
            onChange={(_, { value }) => setWords(value)}
          />
          <Button type="submit" disabled={busy || words.trim() === ''}>
            Add
          </Button>
        </form>
      )}
      {recording.summary && (
        <>
          <h2>Summary</h2>
          <p className={styles.summary}>{recording.summary}</p>
        </>
      )}
      {writes && (
        <p>
          <Link to={`/AI_Transcription/edit/${recording.id}`}>Summary, persons and dates</Link>
        </p>
      )}
    </section>
  );
}
