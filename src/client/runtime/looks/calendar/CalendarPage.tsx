import { Tab, TabList } from '@fluentui/react-components';
import type { CSSProperties } from 'react';
import { useMemo, useRef, useState } from 'react';
import type { WireRecord } from '../../../../descriptor/types.ts';
import { usePhone, useSession } from '../../../app/session.ts';
import { dayInWords, weekdays } from '../../fields/calendar/days.ts';
import { PeriodBar } from '../../fields/calendar/PeriodBar.tsx';
import type { PageProps } from '../../page_props.ts';
import { LookFrame } from '../LookFrame.tsx';
import { MoreNote } from '../MoreNote.tsx';
import { nextCard } from '../next_card.ts';
import { useLookActions, useLookParameters } from '../use_look.tsx';
import { useLookRows } from '../use_look_rows.ts';
import { mayMove } from '../move_by.ts';
import { useMove } from '../use_move.tsx';
import { useShownTime } from '../use_shown_time.ts';
import { AddOn } from './AddOn.tsx';
import { CalendarEntry } from './CalendarEntry.tsx';
import { HourGrid } from './HourGrid.tsx';
import styles from './calendar.module.css';
import type { Entry, Span } from './entries.ts';
import { dayOf, daysAround, entriesByDay, movedBy, spanInWords, turned, within } from './entries.ts';
import { useAddAt } from './use_add_at.ts';

/** More than anybody reads in a month. */
const MAX_RECORDS = 2_000;
/** The number of entries shown per day in a month; the day's page shows the others. */
const SHOWN = 4;
const SPANS: Span[] = ['month', 'week', 'day', 'agenda'];

/** The records of a list by date; on a phone the days of a month with entries. */
export default function CalendarPage(props: PageProps) {
  const { screen, access } = props;
  const phone = usePhone();
  const { entityId } = useSession();
  const { now, day, by, show } = useShownTime(SPANS, 'month');
  const span = phone ? 'month' : by;
  const weeks = useMemo(() => daysAround(day, span), [day, span]);
  const days = useMemo(
    () => (phone || span === 'agenda' ? weeks.flat().filter((one) => one.startsWith(day.slice(0, 7))) : weeks.flat()),
    [phone, span, weeks, day],
  );
  const { date, to, title, move: how } = screen.looks!.calendar!;
  const { rows, more, error, refresh } = useLookRows({
    type: screen.name,
    company: entityId,
    parameters: useLookParameters(screen),
    within: within(screen, days[0]!, days.at(-1)!),
    columns: [date, to, title, screen.workflow?.field, ...screen.label].filter((name) => name !== undefined),
    sort: [date],
    max: MAX_RECORDS,
  });
  const { actions, openMenu, overlays } = useLookActions(props, refresh);
  const addAt = useAddAt(props);
  const { move, dialog } = useMove(screen, access, date, refresh);
  const [dragged, setDragged] = useState<WireRecord | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const byDay = useMemo(() => entriesByDay(screen, rows ?? [], days), [screen, rows, days]);
  /** Records with a time are shown at their hour. */
  const timed = screen.fields.find(({ name }) => name === date)?.type === 'datetime';
  const hours = timed && !phone && (span === 'week' || span === 'day');
  const movable = mayMove(screen, how, date, access.rights);

  const shift = (record: WireRecord, count: number, minutes = 0) => {
    if (!movable || (count === 0 && minutes === 0)) return;
    const set = movedBy(screen, record, count, how, minutes);
    const at = entriesByDay(screen, [{ ...record, ...set }], [dayOf(screen, { ...record, ...set })]);
    const [[on, [moved]] = ['', []]] = [...at];
    void move(record, how, set, [dayInWords(on), moved?.time].filter(Boolean).join(', '));
  };
  /** `minutes` of the day; null: the time is unchanged. */
  const moveTo = (record: WireRecord, target: string, minutes: number | null = null) => {
    const from = dayOf(screen, record);
    const [begin] = entriesByDay(screen, [record], [from]).get(from) ?? [];
    const count = Math.round((Date.parse(target) - Date.parse(from)) / 86_400_000);
    shift(record, count, minutes === null ? 0 : minutes - (begin?.from ?? 0));
  };
  const entry = (one: Entry, on: string, style?: CSSProperties) => (
    <CalendarEntry
      key={one.record.id}
      entry={one}
      to={actions.address(one.record)}
      draggable={movable && !phone && !one.continued}
      dragged={dragged?.id === one.record.id}
      onDrag={setDragged}
      onShift={movable ? (count, minutes) => shift(one.record, count, minutes) : null}
      onMenu={(target) => openMenu(one.record, target)}
      onGo={(at, key) => nextCard(place.current, at, key)?.focus()}
      day={on}
      {...(style && { style })}
    />
  );
  const words = spanInWords(day, span);
  return (
    <>
      <LookFrame
        {...props}
        look="calendar"
        count={rows?.length ?? null}
        more={more}
        empty={false}
        error={error}
        retry={refresh}
      >
        <PeriodBar
          title={words}
          turns={span === 'agenda' ? 'month' : span}
          isNow={days.includes(now)}
          onTurn={(pages) => show({ on: turned(day, span, pages) })}
          onToday={() => show({ on: now })}
        >
          {!phone && (
            <TabList selectedValue={span} onTabSelect={(_, { value }) => show({ on: day, by: value as Span })}>
              <Tab value="month">Month</Tab>
              <Tab value="week">Week</Tab>
              <Tab value="day">Day</Tab>
              <Tab value="agenda">Agenda</Tab>
            </TabList>
          )}
        </PeriodBar>
        {more && <MoreNote shown={MAX_RECORDS} />}
        {rows?.length === 0 && <p className={styles.nothing}>Nothing here.</p>}
        <div ref={place} className={styles.place}>
          {hours ? (
            <HourGrid
              days={days}
              entriesOf={(one) => byDay.get(one) ?? []}
              label={words}
              isDragging={dragged !== null}
              onDay={span === 'day' ? null : (one) => show({ on: one, by: 'day' })}
              onDrop={(one, minutes) => {
                if (dragged) moveTo(dragged, one, minutes);
                setDragged(null);
              }}
              onAdd={addAt}
              draw={entry}
            />
          ) : phone || span === 'day' || span === 'agenda' ? (
            <ol className={styles.agenda}>
              {days
                .filter((one) => byDay.has(one))
                .map((one) => (
                  <li key={one} data-column={one} {...(one === now && { 'aria-current': 'date' as const })}>
                    <div className={styles.head}>
                      <h3>{dayInWords(one)}</h3>
                      <AddOn day={one} onAdd={addAt} />
                    </div>
                    <ul>{byDay.get(one)!.map((held) => entry(held, one))}</ul>
                  </li>
                ))}
            </ol>
          ) : (
            <table className={styles.month} aria-label={words} data-span={span}>
              <thead>
                <tr>
                  {weekdays.map((name) => (
                    <th key={name} scope="col">
                      {name.slice(0, 3)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {weeks.map((week) => (
                  <tr key={week[0]}>
                    {week.map((one) => {
                      const held = byDay.get(one) ?? [];
                      const max = span === 'week' || held.length <= SHOWN ? held.length : SHOWN - 1;
                      return (
                        <td
                          key={one}
                          data-column={one}
                          data-other={span === 'month' && !one.startsWith(day.slice(0, 7)) ? '' : undefined}
                          data-over={over === one && dragged ? '' : undefined}
                          {...(one === now && { 'aria-current': 'date' as const })}
                          // A click on the empty part of a day adds to it; the button does the same by keyboard.
                          onClick={({ target, currentTarget }) => {
                            if (target === currentTarget) addAt?.(one);
                          }}
                          onDragOver={(event) => {
                            if (!dragged) return;
                            event.preventDefault();
                            setOver(one);
                          }}
                          onDrop={(event) => {
                            event.preventDefault();
                            setOver(null);
                            if (dragged) moveTo(dragged, one);
                            setDragged(null);
                          }}
                        >
                          <button
                            type="button"
                            className={styles.number}
                            aria-label={dayInWords(one)}
                            onClick={() => show({ on: one, by: 'day' })}
                          >
                            {Number(one.slice(8))}
                          </button>
                          <AddOn day={one} onAdd={addAt} />
                          <ul>{held.slice(0, max).map((each) => entry(each, one))}</ul>
                          {held.length > max && (
                            <button
                              type="button"
                              className={styles.more}
                              aria-label={`${held.length - max} more on ${dayInWords(one)}`}
                              onClick={() => show({ on: one, by: 'day' })}
                            >
                              {held.length - max} more
                            </button>
                          )}
                        </td>
                      );
                    })}
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </div>
      </LookFrame>
      {overlays}
      {dialog}
    </>
  );
}
