import { Button, Input, MessageBar, MessageBarBody, Tab, TabList, Textarea } from '@fluentui/react-components';
import {
  BookOpenRegular,
  BookQuestionMarkRegular,
  ChevronLeftRegular,
  ChevronRightRegular,
  EditRegular,
  PrintRegular,
  SearchRegular,
  ThumbDislikeRegular,
  ThumbLikeRegular,
  VideoRegular,
} from '@fluentui/react-icons';
import { Suspense, lazy, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import useSWR from 'swr';
import { formatDate, formatNumber } from '../../../descriptor/format.ts';
import { ApiError, api } from '../../api/http.ts';
import { screenRefs } from '../../api/screens.ts';
import { toast } from '../../app/feedback.ts';
import { EmptyState, ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import type { BespokeProps } from '../bespoke_props.ts';
import type { Chapter, Library, ManualReport, ManualView } from './manual_calls.ts';
import { chapterAddress, chapterPicture, chaptersWith } from './manual_calls.ts';
import styles from './manual.module.css';

const MarkdownValue = lazy(() => import('../../runtime/fields/markdown/MarkdownValue.tsx'));

const STATES = {
  draft: { label: 'Draft', tone: 'warning' },
  review: { label: 'In review', tone: 'brand' },
  published: { label: 'Published', tone: 'success' },
  superseded: { label: 'Superseded', tone: 'neutral' },
  withdrawn: { label: 'Withdrawn', tone: 'danger' },
} as const;
const ALL = '/usermanual_view/all';

/** Manuals for reading: `here` finds the chapter of the previous page, `all` is the library, otherwise one manual. */
export default function ManualPage({ params }: BespokeProps) {
  const batch = params.batch_value ?? 'all';
  if (batch === 'here') return <Here />;
  return batch === 'all' ? <LibraryPage /> : <Reader batch={batch} />;
}

/** The target of "?": the chapter of the page, or the search. */
function Here() {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const from = query.get('from') ?? '/show_list';
  const { data, error, mutate } = useSWR(
    ['/tapi/manual/for', from],
    async ([path]) =>
      (await api.get<{ batch_value: string; chapter_id: number } | undefined>(path, { path: from }, { quiet: true })) ??
      null,
    { revalidateOnFocus: false },
  );
  useEffect(() => {
    if (data) void navigate(chapterAddress(data.batch_value, data.chapter_id), { replace: true });
    else if (data === null) void navigate(`${ALL}?from=${encodeURIComponent(from)}`, { replace: true });
  }, [data, from, navigate]);
  return (
    <Page title="Help" breadcrumbs={[]}>
      <PageBody>
        {error ? <ErrorView error={error} retry={() => void mutate()} home /> : <Skeleton rows={8} />}
      </PageBody>
    </Page>
  );
}

/** All manuals of the reader, with a search through their chapters; for authors also the missing ones. */
function LibraryPage() {
  const [query, setQuery] = useSearchParams();
  const search = query.get('q') ?? '';
  const from = query.get('from');
  const writes = screenRefs.use().some((ref) => ref.name === 'user_manual' && ref.rights.landing);
  const tab = writes && query.get('tab') === 'use' ? 'use' : 'read';
  const [typed, setTyped] = useState(search);
  const set = (name: string, value: string) => {
    const next = new URLSearchParams(query);
    if (value === '') next.delete(name);
    else next.set(name, value);
    setQuery(next, { replace: true });
  };
  useEffect(() => {
    if (typed === search) return;
    const timer = setTimeout(() => set('q', typed), 250);
    return () => clearTimeout(timer);
  });
  return (
    <Page
      title="User manuals"
      breadcrumbs={[]}
      {...(writes && { secondary: [{ label: 'Write manuals', icon: <EditRegular />, to: '/usermanual_master' }] })}
    >
      <PageBody>
        {writes && (
          <TabList
            className={styles.tabs}
            selectedValue={tab}
            onTabSelect={(_, { value }) => set('tab', value === 'use' ? 'use' : '')}
          >
            <Tab value="read">Read</Tab>
            <Tab value="use">Use and gaps</Tab>
          </TabList>
        )}
        {tab === 'use' ? (
          <Use />
        ) : (
          <>
            {from !== null && search === '' && (
              <MessageBar className={styles.note}>
                <MessageBarBody>No chapter describes that page yet. Search, or read one of these.</MessageBarBody>
              </MessageBar>
            )}
            <Input
              className={styles.search}
              type="search"
              aria-label="Search the manuals"
              placeholder="Search the manuals"
              contentBefore={<SearchRegular />}
              value={typed}
              onChange={(_, { value }) => setTyped(value)}
            />
            <Found search={search} />
          </>
        )}
      </PageBody>
    </Page>
  );
}

function Found({ search }: { search: string }) {
  const { data, error, mutate } = useSWR(
    ['/tapi/manual/read', search],
    ([path, q]) => api.get<{ data: Library }>(path, { q }, { quiet: true }),
    { keepPreviousData: true },
  );
  if (error) return <ErrorView error={error} retry={() => void mutate()} />;
  if (!data) return <Skeleton rows={6} />;
  const { manuals, found } = data.data;
  if (search.trim() !== '') {
    if (found.length === 0)
      return (
        <EmptyState
          icon={<BookQuestionMarkRegular />}
          title="Nothing found"
          text={`No chapter contains "${search}". Try fewer or other words.`}
        />
      );
    return (
      <ul className={styles.list} aria-label="Chapters found">
        {found.map((chapter) => (
          <li key={chapter.chapter_id}>
            <Link to={chapterAddress(chapter.batch_value, chapter.chapter_id)}>{chapter.heading}</Link>
            <span className={styles.muted}>{chapter.manual}</span>
            <p>{chapter.excerpt}</p>
          </li>
        ))}
      </ul>
    );
  }
  if (manuals.length === 0)
    return (
      <EmptyState
        icon={<BookOpenRegular />}
        title="No manual is published for you yet"
        text="Manuals appear here when somebody publishes one for your role."
      />
    );
  return (
    <ul className={styles.list} aria-label="Manuals">
      {manuals.map((manual) => (
        <li key={manual.id}>
          <Link to={`/usermanual_view/${manual.batch_value}`}>{manual.title}</Link>
          <span className={styles.muted}>
            {manual.chapters} {manual.chapters === 1 ? 'chapter' : 'chapters'} · version {manual.version_no}
            {manual.published_on && ` of ${formatDate(manual.published_on)}`}
          </span>
          {manual.summary && <p>{manual.summary}</p>}
        </li>
      ))}
    </ul>
  );
}

/** Maximum number of chapters in the report. */
const MAX_READ = 20;
/** A chapter counts as read after being open for this long, in ms. */
const READ_MS = 3_000;

/** Reading statistics: chapters read, unhelpful chapters, and screens without a chapter. */
function Use() {
  const { data, error, mutate } = useSWR('/tapi/manual/report', (path) =>
    api.get<{ data: ManualReport }>(path, undefined, { quiet: true }),
  );
  if (error) return <ErrorView error={error} retry={() => void mutate()} />;
  if (!data) return <Skeleton rows={10} />;
  const { without, not_useful: unhelpful, read } = data.data;
  const unread = read.filter(({ reads }) => reads === 0).length;
  return (
    <>
      <section aria-label="Chapters not found useful">
        <h2 className={styles.heading}>Chapters not found useful ({unhelpful.length})</h2>
        {unhelpful.length === 0 ? (
          <p className={styles.muted}>Every chapter that was rated helped most of its readers.</p>
        ) : (
          <ul className={styles.list}>
            {unhelpful.map((chapter) => (
              <li key={chapter.chapter_id}>
                <Link to={chapterAddress(chapter.batch_value, chapter.chapter_id)}>{chapter.heading}</Link>
                <span className={styles.muted}>
                  {chapter.manual} · {chapter.not_useful} of {chapter.useful + chapter.not_useful} did not find it
                  useful
                </span>
                {chapter.remarks.map((remark) => (
                  <p key={remark}>“{remark}”</p>
                ))}
              </li>
            ))}
          </ul>
        )}
      </section>
      <section aria-label="Chapters read">
        <h2 className={styles.heading}>Chapters read ({read.length - unread})</h2>
        <p className={styles.muted}>
          {unread === 0
            ? 'Every chapter has been opened.'
            : `${unread} ${unread === 1 ? 'chapter was' : 'chapters were'} never opened.`}
        </p>
        <ul className={styles.list}>
          {read.slice(0, MAX_READ).map((chapter) => (
            <li key={chapter.chapter_id}>
              <Link to={chapterAddress(chapter.batch_value, chapter.chapter_id)}>{chapter.heading}</Link>
              <span className={styles.muted}>
                {chapter.manual} · read {formatNumber(chapter.reads)} {chapter.reads === 1 ? 'time' : 'times'}
              </span>
            </li>
          ))}
        </ul>
      </section>
      <section aria-label="Screens without a manual">
        <h2 className={styles.heading}>Screens without a manual ({without.length})</h2>
        {without.length === 0 ? (
          <p className={styles.muted}>Every screen has its chapter.</p>
        ) : (
          <ul className={styles.columns}>
            {without.map((screen) => (
              <li key={screen.type}>
                <Link to={screen.route}>{screen.title}</Link> <span className={styles.muted}>{screen.screen_code}</span>
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}

function Reader({ batch }: { batch: string }) {
  const [query, setQuery] = useSearchParams();
  const [search, setSearch] = useState('');
  const [printing, setPrinting] = useState(false);
  const place = useRef<HTMLElement>(null);
  const navigate = useNavigate();
  const { data, error, mutate } = useSWR(
    `/tapi/manual/view/${encodeURIComponent(batch)}`,
    (path) => api.get<{ data: ManualView }>(path, undefined, { quiet: true }),
    { revalidateOnFocus: false },
  );
  useEffect(() => {
    if (!printing) return;
    // Time for the pictures of all chapters to load.
    const timer = setTimeout(() => {
      window.print();
      setPrinting(false);
    }, 600);
    return () => clearTimeout(timer);
  }, [printing]);
  const wanted = Number(query.get('chapter'));
  const view = data?.data;
  const at = Math.max(0, view?.chapters.findIndex(({ id }) => id === wanted) ?? 0);
  const chapter = view?.chapters[at];
  const shown = view?.manual.state === 'published' ? chapter?.id : undefined;
  useEffect(() => {
    if (shown === undefined) return;
    // Paging through quickly does not count as reading.
    const timer = setTimeout(
      () => void api.put(`/tapi/manual/chapters/${shown}/read`, {}, { quiet: true }).catch(() => undefined),
      READ_MS,
    );
    return () => clearTimeout(timer);
  }, [shown]);
  useEffect(() => {
    if (chapter && wanted === chapter.id) place.current?.scrollIntoView?.({ block: 'start' });
  }, [chapter, wanted]);

  if (error || !view)
    return (
      <Page title="User manual" breadcrumbs={[{ label: 'User manuals', to: ALL }]}>
        <PageBody>
          {error ? (
            <ErrorView
              error={error}
              {...(!(error instanceof ApiError && error.status === 404) && { retry: () => void mutate() })}
              home
            />
          ) : (
            <Skeleton rows={10} />
          )}
        </PageBody>
      </Page>
    );
  const { manual, chapters, newer, versions, may_write: mayWrite } = view;
  const fitting = chaptersWith(chapters, search);
  const open = (next: Chapter) => setQuery({ chapter: String(next.id) });
  const step = (by: number) => {
    const next = chapters[at + by];
    if (next) open(next);
  };
  return (
    <Page
      title={manual.title}
      number={`Version ${manual.version_no}`}
      breadcrumbs={[{ label: 'User manuals', to: ALL }]}
      {...(manual.state !== 'published' && { status: STATES[manual.state] })}
      secondary={[
        ...(mayWrite && chapter
          ? [
              {
                label: 'Edit this chapter',
                icon: <EditRegular />,
                to: `/usermanual_edit/${manual.batch_value}/${chapter.id}`,
              },
            ]
          : []),
        { label: 'Print', icon: <PrintRegular />, onClick: () => setPrinting(true) },
      ]}
    >
      <PageBody>
        {newer !== null && (
          <MessageBar className={styles.note} intent="warning">
            <MessageBarBody>
              There is a newer version. <Link to={`/usermanual_view/${newer}`}>Read that one</Link>
            </MessageBarBody>
          </MessageBar>
        )}
        {chapters.length === 0 || !chapter ? (
          <EmptyState
            icon={<BookOpenRegular />}
            title="Nothing has been written yet"
            text="This manual has no chapters."
            {...(mayWrite && {
              actions: [{ label: 'Add chapter', to: `/user_manual_chapter/add?manual_id=${manual.id}` }],
            })}
          />
        ) : (
          <div className={styles.reader}>
            <nav className={styles.contents} aria-label="Contents">
              <Input
                type="search"
                aria-label="Search this manual"
                placeholder="Search this manual"
                contentBefore={<SearchRegular />}
                value={search}
                onChange={(_, { value }) => setSearch(value)}
              />
              {fitting.length === 0 && <p className={styles.muted}>No chapter contains these words.</p>}
              <ol>
                {fitting.map((one) => (
                  <li key={one.id}>
                    <button
                      type="button"
                      aria-current={one.id === chapter.id ? 'true' : undefined}
                      onClick={() => open(one)}
                    >
                      {one.heading}
                    </button>
                  </li>
                ))}
              </ol>
              {versions.length > 1 && (
                <label className={styles.versions}>
                  Version
                  <select
                    value={manual.batch_value}
                    onChange={({ target }) => void navigate(`/usermanual_view/${target.value}`)}
                  >
                    {versions.map((version) => (
                      <option key={version.batch_value} value={version.batch_value}>
                        {version.version_no} – {STATES[version.state].label.toLowerCase()}
                      </option>
                    ))}
                  </select>
                </label>
              )}
            </nav>
            <article ref={place} className={styles.text} aria-live="polite">
              <Text key={chapter.id} chapter={chapter} />
              {data.data.asks_readers && <Feedback key={`${chapter.id} answer`} chapter={chapter} />}
              <div className={styles.steps}>
                {at > 0 && (
                  <Button icon={<ChevronLeftRegular />} onClick={() => step(-1)}>
                    {chapters[at - 1]!.heading}
                  </Button>
                )}
                {at < chapters.length - 1 && (
                  <Button
                    className={styles.next}
                    icon={<ChevronRightRegular />}
                    iconPosition="after"
                    onClick={() => step(1)}
                  >
                    {chapters[at + 1]!.heading}
                  </Button>
                )}
              </div>
            </article>
          </div>
        )}
        {printing &&
          createPortal(
            <div className={styles.sheet} aria-hidden>
              <h1>
                {manual.title}, version {manual.version_no}
              </h1>
              {chapters.map((one) => (
                <Text key={one.id} chapter={one} />
              ))}
            </div>,
            document.body,
          )}
      </PageBody>
    </Page>
  );
}

function Text({ chapter }: { chapter: Chapter }) {
  return (
    <section className={styles.chapter}>
      <h2>{chapter.heading}</h2>
      <Suspense fallback={<Skeleton rows={6} />}>
        <MarkdownValue text={chapter.body} pictureAddress={(file) => chapterPicture(chapter.id, file)} />
      </Suspense>
      {chapter.video && (
        <p>
          <a href={chapter.video} target="_blank" rel="noopener noreferrer" className={styles.film}>
            <VideoRegular aria-hidden /> Watch the video
          </a>
        </p>
      )}
    </section>
  );
}

function Feedback({ chapter }: { chapter: Chapter }) {
  const [useful, setUseful] = useState(chapter.useful);
  const [remark, setRemark] = useState(chapter.remark ?? '');
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const send = async (answer: boolean, words: string) => {
    setBusy(true);
    try {
      await api.put(`/tapi/manual/chapters/${chapter.id}/feedback`, {
        useful: answer,
        remark: words.trim() === '' ? null : words.trim(),
      });
      chapter.useful = answer;
      chapter.remark = words;
      setUseful(answer);
      setAsking(!answer && words === '');
      if (answer || words !== '') toast.success('Thank you.');
    } catch {
      // The call has shown the error.
    }
    setBusy(false);
  };
  return (
    <section className={styles.feedback} aria-label="Was this useful?">
      <span>Was this useful?</span>
      <Button
        size="small"
        icon={<ThumbLikeRegular />}
        appearance={useful === true ? 'primary' : 'secondary'}
        aria-pressed={useful === true}
        disabled={busy}
        onClick={() => void send(true, '')}
      >
        Yes
      </Button>
      <Button
        size="small"
        icon={<ThumbDislikeRegular />}
        appearance={useful === false ? 'primary' : 'secondary'}
        aria-pressed={useful === false}
        disabled={busy}
        onClick={() => void send(false, '')}
      >
        No
      </Button>
      {asking && (
        <div className={styles.remark}>
          <Textarea
            aria-label="What is missing?"
            placeholder="What is missing?"
            maxLength={250}
            value={remark}
            onChange={(_, { value }) => setRemark(value)}
          />
          <Button disabled={busy || remark.trim() === ''} onClick={() => void send(false, remark)}>
            Send
          </Button>
        </div>
      )}
    </section>
  );
}
