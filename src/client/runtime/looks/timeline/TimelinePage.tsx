import { Tab, TabList } from '@fluentui/react-components';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { formatDate, formatNumber } from '../../../../descriptor/format.ts';
import type { WireRecord } from '../../../../descriptor/types.ts';
import { useSession } from '../../../app/session.ts';
import { PeriodBar } from '../../fields/calendar/PeriodBar.tsx';
import type { PageProps } from '../../page_props.ts';
import { LookFrame } from '../LookFrame.tsx';
import { MoreNote } from '../MoreNote.tsx';
import { beginDrag, cardKeys } from '../card_events.ts';
import { nextCard } from '../next_card.ts';
import { useLookActions, useLookParameters } from '../use_look.tsx';
import { mayMove } from '../move_by.ts';
import { DAY_SHIFTS, ShiftMenu } from '../ShiftMenu.tsx';
import { useLookRows } from '../use_look_rows.ts';
import { useMove } from '../use_move.tsx';
import { useShownTime } from '../use_shown_time.ts';
import type { Bar, Line, Zoom } from './lanes.ts';
import { daysOf } from '../../days_shown.ts';
import { linesOf, periodAround, periodInWords, placeOf, shiftedBy, ticks, turned, within } from './lanes.ts';
import styles from './timeline.module.css';

const MAX_RECORDS = 2_000;
const LINE = 34;
const ZOOMS: Zoom[] = ['month', 'quarter', 'year'];
/** Lines are horizontal: up and down keys focus other lines. */
const ACROSS: Record<string, string> = {
  ArrowUp: 'ArrowLeft',
  ArrowDown: 'ArrowRight',
  ArrowLeft: 'ArrowUp',
  ArrowRight: 'ArrowDown',
};
const percent = (part: number) => `${(part * 100).toFixed(3)}%`;

/** The records of a list as bars over a month, quarter or year, in lanes. */
export default function TimelinePage(props: PageProps) {
  const { screen, access } = props;
  const { entityId } = useSession();
  const { now, day, by: zoom, show } = useShownTime(ZOOMS, 'year');
  const period = useMemo(() => periodAround(day, zoom), [day, zoom]);
  const { from, to, lane, move: how } = screen.looks!.timeline!;
  const { rows, more, error, refresh } = useLookRows({
    type: screen.name,
    company: entityId,
    parameters: useLookParameters(screen),
    within: within(screen, period),
    columns: [from, to, lane, screen.workflow?.field, ...screen.label].filter((name) => name !== undefined),
    sort: [lane, from].filter((name) => name !== undefined),
    max: MAX_RECORDS,
  });
  const { actions, openMenu, overlays } = useLookActions(props, refresh);
  const { move, dialog } = useMove(screen, access, from, refresh);
  const movable = mayMove(screen, how, from, access.rights);
  const lines = useMemo(() => linesOf(screen, rows ?? [], period), [screen, rows, period]);
  const marks = useMemo(() => ticks(period, zoom), [period, zoom]);
  const nowAt = placeOf(now, period);
  return (
    <>
      <LookFrame
        {...props}
        look="timeline"
        layout="fill"
        count={rows?.length ?? null}
        more={more}
        empty={false}
        error={error}
        retry={refresh}
      >
        <PeriodBar
          title={periodInWords(period, zoom)}
          turns={zoom}
          isNow={nowAt !== null}
          onTurn={(pages) => show({ on: turned(day, zoom, pages) })}
          onToday={() => show({ on: now })}
        >
          <TabList selectedValue={zoom} onTabSelect={(_, { value }) => show({ on: day, by: value as Zoom })}>
            <Tab value="month">Month</Tab>
            <Tab value="quarter">Quarter</Tab>
            <Tab value="year">Year</Tab>
          </TabList>
        </PeriodBar>
        {more && <MoreNote shown={MAX_RECORDS} />}
        {rows?.length === 0 && <p className={styles.nothing}>Nothing in this period.</p>}
        <div className={styles.frame}>
          <div className={styles.scale} aria-hidden>
            {marks.map(({ at, label }) => (
              <span key={at} style={{ insetInlineStart: percent(at) }}>
                {label}
              </span>
            ))}
          </div>
          <Lines
            lines={lines}
            marks={marks}
            nowAt={nowAt}
            label={`Timeline of ${screen.plural}`}
            address={actions.address}
            onMenu={openMenu}
            days={daysOf(period)}
            onShift={
              movable
                ? (record, days) => {
                    const set = shiftedBy(screen, record, days, how);
                    if (days !== 0) void move(record, how, set, formatDate(String(set[from])));
                  }
                : null
            }
          />
        </div>
      </LookFrame>
      {overlays}
      {dialog}
    </>
  );
}

/** The visible lines; others are rendered when they come into view. */
function Lines({
  lines,
  marks,
  nowAt,
  label,
  address,
  onMenu,
  days,
  onShift,
}: {
  lines: Line[];
  marks: { at: number }[];
  nowAt: number | null;
  label: string;
  address: (record: WireRecord) => string | null;
  onMenu: (record: WireRecord, target: HTMLElement) => void;
  /** Days of the period. */
  days: number;
  /** Null: bars cannot be moved. */
  onShift: ((record: WireRecord, days: number) => void) | null;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  // eslint-disable-next-line react-hooks/incompatible-library -- the virtualizer gives new lines at each scroll: none is memoised
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE,
    getItemKey: (at) => lines[at]?.key ?? at,
    overscan: 8,
  });
  return (
    <div
      ref={scroller}
      className={styles.lines}
      role="group"
      aria-label={label}
      onDragOver={(event) => onShift && event.preventDefault()}
      onDrop={(event) => event.preventDefault()}
    >
      <div className={styles.whole} style={{ height: Math.max(virtual.getTotalSize(), LINE) }}>
        {marks.map(({ at }) => (
          <span key={at} className={styles.mark} style={{ insetInlineStart: percent(at) }} aria-hidden />
        ))}
        {nowAt !== null && (
          <span className={styles.now} title="Today" style={{ insetInlineStart: percent(nowAt) }} aria-hidden />
        )}
        {virtual.getVirtualItems().map(({ index, start }) => {
          const line = lines[index];
          if (!line) return null;
          return 'lane' in line ? (
            <h3 key={line.key} className={styles.lane} style={{ transform: `translateY(${start}px)` }}>
              {line.lane} <span>{formatNumber(line.count)}</span>
            </h3>
          ) : (
            <ul key={line.key} data-column className={styles.line} style={{ transform: `translateY(${start}px)` }}>
              {line.bars.map((bar) => (
                <TimelineBar
                  key={bar.record.id}
                  bar={bar}
                  to={address(bar.record)}
                  onGo={(at, key) => nextCard(scroller.current, at, ACROSS[key]!)?.focus()}
                  onMenu={onMenu}
                  onDragged={
                    onShift &&
                    ((pixels) =>
                      onShift(bar.record, Math.round((pixels / (scroller.current?.clientWidth || 1)) * days)))
                  }
                  onShift={onShift && ((count) => onShift(bar.record, count))}
                />
              ))}
            </ul>
          );
        })}
      </div>
    </div>
  );
}

/** A record from its first day to its last. Enter opens it, the context menu key shows its actions. */
function TimelineBar({
  bar: { record, title, words, tone, start, end, before, after },
  to,
  onGo,
  onMenu,
  onDragged,
  onShift,
}: {
  bar: Bar;
  to: string | null;
  onGo: (at: HTMLElement, key: string) => void;
  onMenu: (record: WireRecord, target: HTMLElement) => void;
  /** The dragged distance in pixels; null: it cannot be moved. */
  onDragged: ((pixels: number) => void) | null;
  onShift: ((days: number) => void) | null;
}) {
  const [open, setOpen] = useState(false);
  const grabbed = useRef(0);
  return (
    <li
      className={styles.bar}
      data-card
      data-tone={tone}
      data-before={before || undefined}
      data-after={after || undefined}
      tabIndex={0}
      title={words}
      aria-label={words}
      style={{ insetInlineStart: percent(start), width: percent(end - start) }}
      {...(onShift && { 'aria-keyshortcuts': 'M' })}
      draggable={onDragged !== null}
      onDragStart={(event) => {
        beginDrag(event, title);
        grabbed.current = event.clientX;
      }}
      onDragEnd={(event) => event.dataTransfer.dropEffect !== 'none' && onDragged?.(event.clientX - grabbed.current)}
      onContextMenu={(event) => {
        event.preventDefault();
        onMenu(record, event.currentTarget);
      }}
      onKeyDown={cardKeys({ onGo, onMove: onShift && (() => setOpen(true)) })}
    >
      {to === null ? (
        <b>{title}</b>
      ) : (
        <Link to={to} tabIndex={-1} draggable={false}>
          {title}
        </Link>
      )}
      {onShift && (
        <ShiftMenu
          className={styles.move}
          title={title}
          open={open}
          onOpen={setOpen}
          shifts={DAY_SHIFTS}
          onShift={onShift}
        />
      )}
    </li>
  );
}
