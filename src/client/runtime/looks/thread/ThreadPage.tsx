import { Badge, Button } from '@fluentui/react-components';
import { ArrowLeftRegular, MoreHorizontalRegular } from '@fluentui/react-icons';
import { Link, useSearchParams } from 'react-router-dom';
import type { WireRecord } from '../../../../descriptor/types.ts';
import type { OfferedStep } from '../../../../descriptor/workflow.ts';
import { stateOf } from '../../../../descriptor/workflow.ts';
import { ErrorView, Skeleton } from '../../../app/page.tsx';
import { usePhone, useSession } from '../../../app/session.ts';
import { badgeTone, cellText, fieldOf, recordLabel } from '../../landing/cell_text.ts';
import type { PageProps } from '../../page_props.ts';
import { LookFrame } from '../LookFrame.tsx';
import { MoreNote } from '../MoreNote.tsx';
import { useLookActions, useLookParameters } from '../use_look.tsx';
import { useLookRows } from '../use_look_rows.ts';
import { useLiveRecord } from '../use_live_record.ts';
import { EntryBox } from './EntryBox.tsx';
import { postsOf } from './posts.ts';
import styles from './thread.module.css';

const MAX_RECORDS = 200;
const badgeColours = {
  neutral: 'informative',
  brand: 'brand',
  success: 'success',
  warning: 'warning',
  danger: 'danger',
} as const;

/** The records of a list with the conversation of the open one; on a phone one or the other. */
export default function ThreadPage(props: PageProps) {
  const { screen, access } = props;
  const phone = usePhone();
  const { entityId } = useSession();
  const [query, setQuery] = useSearchParams();
  const { rows, more, error, refresh } = useLookRows({
    type: screen.name,
    company: entityId,
    parameters: useLookParameters(screen),
    within: null,
    columns: [...screen.label, ...screen.card],
    sort: screen.sort,
    max: MAX_RECORDS,
  });
  const { actions, openMenu, overlays } = useLookActions(props, refresh);
  const given = Number(query.get('record'));
  const opened = given > 0 ? given : phone ? null : (rows?.[0]?.id ?? null);
  const show = (id: number | null) =>
    setQuery((old) => {
      const next = new URLSearchParams(old);
      if (id === null) next.delete('record');
      else next.set('record', String(id));
      return next;
    });
  return (
    <>
      <LookFrame {...props} look="thread" count={rows?.length ?? null} more={more} error={error} retry={refresh}>
        {more && <MoreNote shown={MAX_RECORDS} />}
        <div className={styles.frame} data-phone={phone || undefined}>
          {(!phone || opened === null) && (
            <nav className={styles.list} aria-label={screen.plural}>
              <ul>
                {(rows ?? []).map((row) => (
                  <li key={row.id}>
                    <button
                      type="button"
                      {...(row.id === opened && { 'aria-current': 'true' as const })}
                      onClick={() => show(row.id)}
                    >
                      <b>{recordLabel(screen, row)}</b>
                      <span>{factsOf(screen, row)}</span>
                    </button>
                  </li>
                ))}
              </ul>
            </nav>
          )}
          {opened !== null && (
            <Conversation
              key={opened}
              screen={screen}
              id={opened}
              mayWrite={access.rights.edit_screen && access.rights.write}
              address={actions.address}
              onMenu={openMenu}
              onBack={phone ? () => show(null) : null}
            />
          )}
        </div>
      </LookFrame>
      {overlays}
    </>
  );
}

function factsOf(screen: PageProps['screen'], row: WireRecord): string {
  const name = recordLabel(screen, row);
  return screen.card
    .flatMap((one) => {
      const field = fieldOf(screen, one);
      const text = field ? cellText(field, row) : '';
      return text === '' || text === name ? [] : [text];
    })
    .slice(0, 2)
    .join(' · ');
}

function Conversation({
  screen,
  id,
  mayWrite,
  address,
  onMenu,
  onBack,
}: Pick<PageProps, 'screen'> & {
  id: number;
  mayWrite: boolean;
  address: (record: WireRecord) => string | null;
  onMenu: (record: WireRecord, target: HTMLElement) => void;
  onBack: (() => void) | null;
}) {
  const { record, error, reload, show } = useLiveRecord(screen, id);

  const { posts, kinds, text, at, by, step, other } = screen.looks!.thread!;
  const field = screen.fields.find(({ name }) => name === posts)!;
  const column = (name: string | undefined) => field.rows!.find((one) => one.name === name);
  const [kind, when, who] = [column(kinds), column(at), column(by)];
  if (error && !record) return <ErrorView error={error} retry={reload} />;
  if (!record) return <Skeleton rows={6} label="Loading the conversation" />;
  const said = postsOf(screen, record);
  const open = screen.workflow ? stateOf(screen.workflow, record).edit : true;
  const way =
    step === undefined ? undefined : (record._can as OfferedStep[] | undefined)?.find(({ name }) => name === step);
  const free = step === undefined ? open !== false && (open === true || posts in open) : way?.blocked === null;
  const to = address(record);
  const title = recordLabel(screen, record);
  return (
    <section className={styles.thread} aria-label={`Conversation: ${title}`}>
      <header className={styles.head}>
        {onBack && <Button appearance="subtle" icon={<ArrowLeftRegular />} aria-label="All" onClick={onBack} />}
        <h2>{to === null ? title : <Link to={to}>{title}</Link>}</h2>
        <Button
          appearance="subtle"
          icon={<MoreHorizontalRegular />}
          aria-label={`Actions for ${title}`}
          onClick={(event) => onMenu(record, event.currentTarget)}
        />
      </header>
      <ol className={styles.posts} aria-label={field.title} aria-live="polite">
        {said.map((post, index) => (
          <li
            key={post.id ?? index}
            className={styles.post}
            data-other={(other !== undefined && post[other] === true) || undefined}
          >
            <div className={styles.about}>
              {kind && post[kind.name] !== null && (
                <Badge appearance="tint" color={badgeColours[badgeTone(kind, post[kind.name]) ?? 'neutral']}>
                  {cellText(kind, post)}
                </Badge>
              )}
              {who && <span>{cellText(who, post)}</span>}
              {when && <time>{cellText(when, post)}</time>}
            </div>
            <p>{String(post[text] ?? '')}</p>
          </li>
        ))}
        {said.length === 0 && <li className={styles.none}>Nothing has been written yet.</li>}
      </ol>
      {(step !== undefined || mayWrite) && free ? (
        <EntryBox screen={screen} record={record} kind={kind} text={column(text)!} onSent={show} />
      ) : (
        <p className={styles.none}>
          {mayWrite ? 'It is closed. No more messages are possible.' : 'You can read this.'}
        </p>
      )}
    </section>
  );
}
