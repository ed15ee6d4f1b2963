import { Badge, Button } from '@fluentui/react-components';
import {
  CheckmarkRegular,
  ChevronLeftRegular,
  ChevronRightRegular,
  DocumentRegular,
  ImageRegular,
  OpenRegular,
} from '@fluentui/react-icons';
import { useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import useSWR, { mutate as refresh } from 'swr';
import { formatDate } from '../../../descriptor/format.ts';
import type { Field } from '../../../descriptor/types.ts';
import type { MediaFeed, MediaItem, MediaSection, MediaText } from '../../../domain/media_feed.ts';
import { api } from '../../api/http.ts';
import { useScreenRef } from '../../api/screens.ts';
import { toast } from '../../app/feedback.ts';
import { EmptyState, ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { useSession } from '../../app/session.ts';
import RichTextValue from '../../runtime/fields/rich_text/RichTextValue.tsx';
import styles from './media.module.css';

const PATH = '/tapi/media_feed';
const KINDS: Record<string, string> = {
  article: 'Article',
  circular: 'Circular',
  photo: 'Photos',
  video: 'Video',
  link: 'Link',
  event: 'Event',
};
const BODY: Field = {
  name: 'body',
  type: 'rich_text',
  title: 'Text',
  required: false,
  schema: { type: 'string' },
  secret: false,
  readOnly: false,
};
const toItem = (id: number) => `/media_page?item=${id}`;

/** The company's media for its people: sections as configured, or one item. */
export default function MediaPage() {
  const [query] = useSearchParams();
  const item = query.get('item');
  return item !== null && /^\d+$/.test(item) ? <Reading key={item} id={item} /> : <Sections />;
}

function Sections() {
  const { entityId } = useSession();
  const media = useScreenRef('media_item');
  const config = useScreenRef('media_page_config');
  const { data, error, mutate } = useSWR(
    [PATH, entityId],
    async ([path]) => (await api.get<{ data: MediaFeed }>(path, undefined, { quiet: true })).data,
  );
  const mayPost = media?.rights.add_screen === true && media.rights.write;
  return (
    <Page
      title="Media page"
      {...(mayPost && media.routes.add && { primary: { label: 'Post', to: media.routes.add } })}
      more={[
        ...(media?.rights.landing ? [{ label: 'All media', to: media.routes.landing }] : []),
        ...(config?.rights.landing ? [{ label: 'Configuration', to: config.routes.landing }] : []),
      ]}
    >
      <PageBody>
        {error && !data ? (
          <ErrorView error={error} retry={() => void mutate()} />
        ) : !data ? (
          <Skeleton rows={8} label="Loading the media" />
        ) : data.sections.length === 0 ? (
          <EmptyState
            icon={<ImageRegular />}
            title="Nothing is published yet"
            text="Announcements, circulars and photos of the company appear here."
            actions={mayPost && media.routes.add ? [{ label: 'Post something', to: media.routes.add }] : []}
          />
        ) : (
          <>
            {data.to_read.length > 0 && (
              <section className={styles.section} aria-label="To be read">
                <h2>To be read and understood</h2>
                <List items={data.to_read} />
              </section>
            )}
            {data.sections.map((section) => (
              <section key={section.title} className={styles.section} aria-label={section.title}>
                <h2>{section.title}</h2>
                {section.layout === 'list' ? (
                  <List items={section.items} />
                ) : section.layout === 'carousel' ? (
                  <Carousel section={section} />
                ) : (
                  <Cards items={section.items} gallery={section.layout === 'gallery'} />
                )}
              </section>
            ))}
          </>
        )}
      </PageBody>
    </Page>
  );
}

function Facts({ item }: { item: MediaItem }) {
  return (
    <span className={styles.facts}>
      {KINDS[item.kind] ?? item.kind} · {formatDate(item.publish_from)}
      {item.pinned && ' · pinned'}
      {item.must_acknowledge && (
        <Badge appearance="tint" color={item.acknowledged ? 'success' : 'warning'}>
          {item.acknowledged ? 'Read' : 'To be read'}
        </Badge>
      )}
    </span>
  );
}

function Picture({ item }: { item: MediaItem }) {
  return item.cover ? (
    <img src={item.cover} alt="" className={styles.cover} loading="lazy" />
  ) : (
    <span className={styles.cover} data-empty aria-hidden>
      {(KINDS[item.kind] ?? item.kind).slice(0, 1)}
    </span>
  );
}

function List({ items }: { items: MediaItem[] }) {
  return (
    <ul className={styles.list}>
      {items.map((item) => (
        <li key={item.id}>
          <Link to={toItem(item.id)}>{item.title}</Link>
          <Facts item={item} />
        </li>
      ))}
    </ul>
  );
}

function Cards({ items, gallery }: { items: MediaItem[]; gallery: boolean }) {
  return (
    <ul className={gallery ? styles.gallery : styles.cards}>
      {items.map((item) => (
        <li key={item.id}>
          <Card item={item} gallery={gallery} />
        </li>
      ))}
    </ul>
  );
}

function Card({ item, gallery = false }: { item: MediaItem; gallery?: boolean }) {
  return (
    <Link className={styles.card} to={toItem(item.id)}>
      {(gallery || item.cover) && <Picture item={item} />}
      <span className={styles.words}>
        <strong>{item.title}</strong>
        {!gallery && item.excerpt && <span className={styles.excerpt}>{item.excerpt}</span>}
        <Facts item={item} />
      </span>
    </Link>
  );
}

/** A carousel of cards, moved by swipe, arrows or buttons; it never moves automatically. */
function Carousel({ section: { title, items } }: { section: MediaSection }) {
  const strip = useRef<HTMLUListElement>(null);
  const [ends, setEnds] = useState({ first: true, last: true });
  const look = () => {
    const { scrollLeft = 0, clientWidth = 0, scrollWidth = 0 } = strip.current ?? {};
    setEnds({ first: scrollLeft <= 1, last: scrollLeft + clientWidth >= scrollWidth - 1 });
  };
  useEffect(() => {
    if (!strip.current) return undefined;
    const watch = new ResizeObserver(look);
    watch.observe(strip.current);
    return () => watch.disconnect();
  }, []);
  const move = (by: number) =>
    strip.current?.scrollBy({ left: by * strip.current.clientWidth * 0.8, behavior: 'smooth' });
  return (
    <div className={styles.carousel}>
      <ul className={styles.strip} ref={strip} onScroll={look}>
        {items.map((item) => (
          <li key={item.id}>
            <Card item={item} />
          </li>
        ))}
      </ul>
      {!(ends.first && ends.last) && (
        <div className={styles.turn}>
          <Button
            size="small"
            icon={<ChevronLeftRegular />}
            aria-label={`${title}: previous`}
            disabledFocusable={ends.first}
            onClick={() => move(-1)}
          />
          <Button
            size="small"
            icon={<ChevronRightRegular />}
            aria-label={`${title}: next`}
            disabledFocusable={ends.last}
            onClick={() => move(1)}
          />
        </div>
      )}
    </div>
  );
}

function Reading({ id }: { id: string }) {
  const { entityId } = useSession();
  const {
    data: item,
    error,
    mutate,
  } = useSWR(
    [`${PATH}/${id}`, entityId],
    async ([path]) => (await api.get<{ data: MediaText }>(path, undefined, { quiet: true })).data,
  );
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    try {
      await api.post(`${PATH}/${id}/acknowledge`, {});
      toast.success('Thank you. Your confirmation is recorded.');
      await Promise.all([
        mutate(),
        refresh((key) => Array.isArray(key) && typeof key[0] === 'string' && key[0].startsWith(PATH)),
      ]);
    } catch {
      // The call has shown the error.
    } finally {
      setBusy(false);
    }
  };
  useEffect(() => scrollTo({ top: 0 }), []);
  const open = item?.must_acknowledge === true && !item.acknowledged;
  return (
    <Page
      title={item?.title ?? 'Media'}
      breadcrumbs={[{ label: 'Media page', to: '/media_page' }]}
      layout="form"
      {...(open && {
        primary: { label: 'Read and understood', icon: <CheckmarkRegular />, busy, onClick: () => void confirm() },
      })}
    >
      <PageBody>
        {error && !item ? (
          <ErrorView error={error} retry={() => void mutate()} />
        ) : !item ? (
          <Skeleton rows={8} />
        ) : (
          <article className={styles.article}>
            <Facts item={item} />
            {item.cover && <img src={item.cover} alt="" className={styles.large} />}
            {item.body && <RichTextValue field={BODY} text={item.body} />}
            {item.url && (
              <p>
                <a href={item.url} target="_blank" rel="noopener noreferrer">
                  {item.kind === 'video' ? 'Watch the video' : item.url} <OpenRegular aria-label="opens in a new tab" />
                </a>
              </p>
            )}
            {item.files.length > 0 && (
              <ul className={styles.files}>
                {item.files.map((file) => (
                  <li key={file.url}>
                    <DocumentRegular aria-hidden />{' '}
                    <a href={file.url} target="_blank" rel="noopener noreferrer">
                      {file.caption ?? file.name}
                    </a>
                  </li>
                ))}
              </ul>
            )}
          </article>
        )}
      </PageBody>
    </Page>
  );
}
