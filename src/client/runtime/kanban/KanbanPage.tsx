import { formatNumber } from '../../../descriptor/format.ts';
import { Select } from '@fluentui/react-components';
import { AddRegular, BoardSplitRegular, TableRegular } from '@fluentui/react-icons';
import { Suspense, lazy, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { WireRecord } from '../../../descriptor/types.ts';
import { toast } from '../../app/feedback.ts';
import type { PageAction } from '../../app/page_action.ts';
import { EmptyState, ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { usePhone, useSession } from '../../app/session.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import { recordLabel } from '../landing/cell_text.ts';
import { FilterBar } from '../landing/FilterBar.tsx';
import { useLandingKeys } from '../landing/landing_keys.ts';
import landing from '../landing/landing.module.css';
import { isNarrowed } from '../landing/list_address.ts';
import { listParameters } from '../landing/list_calls.ts';
import { QuickSearch } from '../landing/QuickSearch.tsx';
import { useListState } from '../landing/use_list_state.ts';
import { useRecordActions } from '../landing/use_record_actions.tsx';
import type { PageProps } from '../page_props.ts';
import { BoardCard } from './BoardCard.tsx';
import { ApiError, api } from '../../api/http.ts';
import type { AskedStep } from '../workflow/take_step.ts';
import { asksSomething, confirmed, stepAddress } from '../workflow/take_step.ts';
import { boardWorkflow, columnsFor, changeField, refusalOf, stepTo, wholeRecord } from './move_card.ts';
import styles from './kanban.module.css';
import type { BoardColumn } from './use_board.ts';
import { useBoard } from './use_board.ts';

const RowMenu = lazy(() => import('../landing/RowMenu.tsx'));
const InUseDialog = lazy(() => import('../landing/InUseDialog.tsx'));
const StepDialog = lazy(() => import('../workflow/StepDialog.tsx'));

/** The records of a type as cards in columns, one for each value of a field; a card is moved on by dragging, by keys or by its menu. */
export default function KanbanPage({ screen, access }: PageProps) {
  const phone = usePhone();
  const navigate = useNavigate();
  const { entityId } = useSession();
  const [state, change] = useListState(screen.fields);
  const parameters = useMemo(() => listParameters(state), [state]);
  const board = useBoard(screen, entityId, parameters);
  const { columns, error, refresh, put } = board;
  const actions = useRecordActions(screen, access, refresh);
  const [menu, setMenu] = useState<{ record: WireRecord; target: HTMLElement } | null>(null);
  const [taking, setTaking] = useState<{ record: WireRecord; transition: AskedStep } | null>(null);
  /** The card that is being moved, with the steps that are offered. */
  const [known, setKnown] = useState<WireRecord | null>(null);
  const [dragged, setDragged] = useState<WireRecord | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const search = useRef<HTMLInputElement>(null);
  const place = useRef<HTMLDivElement>(null);

  const { rights, routes } = access;
  const { field: name, sum } = screen.kanban!;
  const field = screen.fields.find((one) => one.name === name)!;
  const sumField = screen.fields.find((one) => one.name === sum);
  const words = (value: string) => field.options?.find((option) => option.value === value)?.label ?? value;
  const addAddress = routes.add !== null && rights.add_screen && rights.write ? routes.add : null;
  useLandingKeys({
    '/': () => search.current?.focus(),
    n: addAddress === null ? null : () => void navigate(addAddress),
  });

  const knownOf = (card: WireRecord) => (known?.id === card.id && known.version === card.version ? known : null);
  const targets = (card: WireRecord) => columnsFor(screen, knownOf(card) ?? card, rights);
  /** Learns which steps are offered for a card that somebody is about to move. */
  const look = (card: WireRecord) => {
    if (!boardWorkflow(screen) || knownOf(card)) return;
    wholeRecord(screen, card)
      .then(setKnown)
      // What is in the way is said when the card is dropped.
      .catch((thrown: unknown) => {
        if (!(thrown instanceof ApiError)) throw thrown;
      });
  };

  /** Shows the card in its new column while the server decides. */
  async function carryOut(card: WireRecord, to: string, call: () => Promise<WireRecord>): Promise<void> {
    const from = String(card[name]);
    put(card, to);
    try {
      const done = await call();
      const back = backTo(done, from);
      toast.success(
        `${recordLabel(screen, card)}: ${words(to)}.`,
        back ? { action: { label: 'Undo', onClick: () => void move(done, from) } } : {},
      );
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      put(card, from);
      toast.error(refusalOf(thrown));
    }
    refresh();
  }
  /** Whether a card can go back at once, without being asked anything. */
  function backTo(card: WireRecord, to: string): boolean {
    if (!boardWorkflow(screen)) return true;
    const step = stepTo(screen, card, to, rights);
    return step !== null && !asksSomething(step.transition) && step.transition.confirm === undefined;
  }
  async function move(card: WireRecord, to: string): Promise<void> {
    if (!targets(card).includes(to)) return;
    if (!boardWorkflow(screen)) {
      await carryOut(card, to, () => changeField(screen, card, to));
      return;
    }
    try {
      const record = await wholeRecord(screen, card);
      const step = stepTo(screen, record, to, rights);
      if (!step || step.blocked !== null) {
        toast.error(step?.blocked ?? `${recordLabel(screen, card)} cannot go to "${words(to)}" now.`);
        refresh();
        return;
      }
      const { transition } = step;
      if (asksSomething(transition)) setTaking({ record, transition });
      else if (await confirmed(transition))
        await carryOut(
          card,
          to,
          async () =>
            (
              await api.post<{ data: WireRecord }>(
                stepAddress(screen, transition, card),
                { version: card.version },
                { quiet: true },
              )
            ).data,
        );
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      toast.error(thrown.message);
    }
  }

  /** Arrows go from card to card; where a column is empty, to the next that is not. */
  const goTo = (at: HTMLElement, key: string) => {
    const list = [...(place.current?.querySelectorAll<HTMLElement>('[data-column]') ?? [])].map((one) => [
      ...one.querySelectorAll<HTMLElement>('[data-card]'),
    ]);
    const column = list.findIndex((cards) => cards.includes(at));
    const row = list[column]?.indexOf(at) ?? 0;
    const step = key === 'ArrowLeft' ? -1 : 1;
    let next: HTMLElement | undefined;
    if (key === 'ArrowDown' || key === 'ArrowUp') next = list[column]?.[row + (key === 'ArrowDown' ? 1 : -1)];
    else
      for (let other = column + step; list[other] && !next; other += step)
        next = list[other]![Math.min(row, list[other]!.length - 1)];
    next?.focus();
  };

  const add: PageAction | undefined =
    addAddress === null
      ? undefined
      : { label: `Add ${inSentence(screen.title)}`, icon: <AddRegular />, to: addAddress, shortcut: 'N' };
  const shown = columns && phone ? columns.filter(({ value }) => value === (chosen ?? firstOf(columns))) : columns;
  const total = columns?.reduce((count, column) => count + column.count, 0) ?? 0;

  return (
    <Page
      title={screen.plural}
      layout={phone ? 'page' : 'fill'}
      {...(add && { primary: add })}
      secondary={[{ label: 'List', icon: <TableRegular />, onClick: () => void navigate(routes.landing) }]}
    >
      <PageBody>
        <div className={landing.tools}>
          <QuickSearch
            inputRef={search}
            value={state.q}
            label={`Search ${inSentence(screen.plural)}`}
            onChange={(q) => change({ q }, 'replace')}
          />
          <FilterBar
            screen={screen}
            conditions={state.conditions}
            active={state.active}
            mine={state.mine}
            onAll={() => change({ mine: false })}
            onConditions={(conditions) => change({ conditions })}
            onActive={(active) => change({ active })}
          />
          <output className={landing.count} aria-label={columns ? `${total} records` : 'Counting'}>
            {columns ? formatNumber(total) : ''}
          </output>
        </div>
        {error && !columns ? (
          <ErrorView
            error={error}
            title={`The board of ${inSentence(screen.plural)} could not be loaded.`}
            retry={refresh}
          />
        ) : !columns || !shown ? (
          <Skeleton rows={8} label={`Loading ${inSentence(screen.plural)}`} />
        ) : total === 0 ? (
          <EmptyState
            icon={<BoardSplitRegular />}
            title={isNarrowed(state) ? `No ${inSentence(screen.plural)} match` : `No ${inSentence(screen.plural)} yet`}
            {...(screen.description && { text: screen.description })}
            actions={
              isNarrowed(state)
                ? [{ label: 'Clear search and filters', onClick: () => change({ q: '', conditions: [], mine: false }) }]
                : add
                  ? [{ ...add, shortcut: '' }]
                  : []
            }
          />
        ) : (
          <>
            {phone && (
              <Select
                className={styles.chooser}
                aria-label={field.title}
                value={shown[0]?.value ?? ''}
                onChange={(_, { value }) => setChosen(value)}
              >
                {columns.map((column) => (
                  <option key={column.value} value={column.value}>
                    {words(column.value)} ({formatNumber(column.count)})
                  </option>
                ))}
              </Select>
            )}
            <div
              ref={place}
              className={styles.board}
              data-phone={phone || undefined}
              data-dragging={dragged ? '' : undefined}
            >
              {shown.map((column) => {
                const takes = dragged !== null && targets(dragged).includes(column.value);
                return (
                  <section
                    key={column.value}
                    className={styles.column}
                    data-column={column.value}
                    aria-label={`${words(column.value)}, ${column.count}`}
                    data-takes={takes || undefined}
                    data-over={(takes && over === column.value) || undefined}
                    onDragOver={(event) => {
                      if (!takes) return;
                      event.preventDefault();
                      setOver(column.value);
                    }}
                    onDragLeave={(event) =>
                      !event.currentTarget.contains(event.relatedTarget as Node | null) && setOver(null)
                    }
                    onDrop={(event) => {
                      event.preventDefault();
                      setOver(null);
                      if (dragged && takes) void move(dragged, column.value);
                      setDragged(null);
                    }}
                  >
                    <header className={styles.head}>
                      <span
                        className={styles.dot}
                        data-tone={field.options?.find(({ value }) => value === column.value)?.colour ?? 'neutral'}
                        aria-hidden
                      />
                      <h2>{words(column.value)}</h2>
                      <span className={styles.number}>{formatNumber(column.count)}</span>
                      {sumField && Number(column.sum ?? 0) !== 0 && (
                        <span className={styles.sum} title={`${sumField.title} in all`}>
                          {fieldType(sumField.type).format(column.sum!, sumField)}
                        </span>
                      )}
                    </header>
                    <ul className={styles.cards}>
                      {column.cards.map((card) => (
                        <BoardCard
                          key={card.id}
                          screen={screen}
                          card={card}
                          to={actions.address(card)}
                          targets={targets(card).map((value) => ({ value, label: words(value) }))}
                          draggable={!phone}
                          dragged={dragged?.id === card.id}
                          onDrag={(one) => {
                            setDragged(one);
                            if (one) look(one);
                          }}
                          onLook={() => look(card)}
                          onMove={(value) => void move(card, value)}
                          onMenu={(target) => setMenu({ record: card, target })}
                          onGo={goTo}
                        />
                      ))}
                      {column.count === 0 && <li className={styles.none}>None</li>}
                    </ul>
                    {column.cursor !== null && (
                      <button type="button" className={styles.more} onClick={() => board.more(column.value)}>
                        Show more
                      </button>
                    )}
                  </section>
                );
              })}
            </div>
          </>
        )}
      </PageBody>
      <Suspense fallback={null}>
        {menu && (
          <RowMenu
            {...menu}
            screen={screen}
            access={access}
            actions={actions}
            onChanged={refresh}
            onClose={() => setMenu(null)}
          />
        )}
        {actions.inUse && <InUseDialog screen={screen} actions={actions} />}
        {taking && (
          <StepDialog
            screen={screen}
            record={taking.record}
            transition={taking.transition}
            onTaken={() => {
              setTaking(null);
              refresh();
            }}
            onClose={() => setTaking(null)}
          />
        )}
      </Suspense>
    </Page>
  );
}

/** The first column that holds something. */
function firstOf(columns: BoardColumn[]): string | undefined {
  return (columns.find(({ count }) => count > 0) ?? columns[0])?.value;
}
