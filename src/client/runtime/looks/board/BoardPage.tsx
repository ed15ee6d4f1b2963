import { Button, Select } from '@fluentui/react-components';
import { Suspense, lazy, useRef, useState } from 'react';
import { fieldType } from '../../../../descriptor/fieldtypes/registry.ts';
import { formatNumber } from '../../../../descriptor/format.ts';
import type { WireRecord } from '../../../../descriptor/types.ts';
import { ApiError, api } from '../../../api/http.ts';
import { toast } from '../../../app/feedback.ts';
import { usePhone, useSession } from '../../../app/session.ts';
import { recordLabel } from '../../landing/cell_text.ts';
import type { PageProps } from '../../page_props.ts';
import type { AskedStep } from '../../workflow/take_step.ts';
import { needsInput, confirmed, stepAddress } from '../../workflow/take_step.ts';
import { LookFrame } from '../LookFrame.tsx';
import { nextCard } from '../next_card.ts';
import { useLookActions, useLookParameters } from '../use_look.tsx';
import { changeField, refusalOf, useMove, wholeRecord } from '../use_move.tsx';
import { BoardCard } from './BoardCard.tsx';
import styles from './board.module.css';
import { boardWorkflow, columnsFor, stepTo, whyNot } from './move_card.ts';
import type { BoardColumn } from './use_board.ts';
import { columnOf, useBoard, valueIn } from './use_board.ts';

/** Records that stand as columns all at once. */
const MANY = 12;
const StepDialog = lazy(() => import('../../workflow/StepDialog.tsx'));

/** The records of a type as cards in columns, one for each value of a field or each record that it may name; a card is moved on by dragging, by keys or by its menu. */
export default function BoardPage(props: PageProps) {
  const { screen, access } = props;
  const phone = usePhone();
  const { entityId } = useSession();
  /** The card that was not moved, and why. */
  const [refused, setRefused] = useState<{ id: number; why: string } | null>(null);
  const board = useBoard(screen, entityId, useLookParameters(screen));
  const { columns, error, refresh, put } = board;
  const { actions, openMenu, overlays } = useLookActions(props, refresh);
  const { move: moveBy, dialog } = useMove(screen, access, screen.looks!.board!.by, refresh, ({ id }, why) =>
    setRefused({ id, why }),
  );
  const [taking, setTaking] = useState<{ record: WireRecord; transition: AskedStep } | null>(null);
  /** The card that is being moved, with the steps that are offered. */
  const [known, setKnown] = useState<WireRecord | null>(null);
  const [dragged, setDragged] = useState<WireRecord | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [all, setAll] = useState(false);
  const place = useRef<HTMLDivElement>(null);

  const { rights } = access;
  const { by: name, sum, drop = 'edit' } = screen.looks!.board!;
  const field = screen.fields.find((one) => one.name === name)!;
  const sumField = screen.fields.find((one) => one.name === sum);
  const words = (value: string) => columns?.find((column) => column.value === value)?.label ?? value;

  const knownOf = (card: WireRecord) => (known?.id === card.id && known.version === card.version ? known : null);
  const targets = (card: WireRecord) => columnsFor(screen, knownOf(card) ?? card, rights, columns ?? []);
  const refusal = (card: WireRecord, to: string) => whyNot(screen, knownOf(card) ?? card, to, rights);
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

  /** Why a card goes nowhere, in the words of the first column that does not take it. */
  const fixed = (card: WireRecord) =>
    columns
      ?.filter(({ value }) => value !== columnOf(card[name]))
      .map(({ value }) => refusal(card, value))
      .find((why) => why !== null) ?? `${recordLabel(screen, card)} cannot be moved.`;

  /** Says it at once, and beside the card until it is read. */
  const refuse = ({ id }: WireRecord, why: string): void => {
    setRefused({ id, why });
    toast.error(why);
  };

  /** Shows the card in its new column while the server decides. */
  async function carryOut(card: WireRecord, to: string, call: () => Promise<WireRecord>): Promise<void> {
    const from = columnOf(card[name]);
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
      refuse(card, refusalOf(thrown));
    }
    refresh();
  }
  /** Whether a card can go back at once, without being asked anything. */
  function backTo(card: WireRecord, to: string): boolean {
    if (!boardWorkflow(screen)) return true;
    const step = stepTo(screen, card, to, rights);
    return step !== null && !needsInput(step.transition) && step.transition.confirm === undefined;
  }
  async function move(card: WireRecord, to: string): Promise<void> {
    if (to === columnOf(card[name])) return;
    setRefused(null);
    if (!targets(card).some(({ value }) => value === to)) {
      refuse(card, refusal(card, to) ?? `${recordLabel(screen, card)} cannot be moved now.`);
      return;
    }
    if (!boardWorkflow(screen)) {
      if (drop === 'edit') await carryOut(card, to, () => changeField(screen, card, { [name]: valueIn(field, to) }));
      else await moveBy(card, drop, { [name]: valueIn(field, to) }, words(to));
      return;
    }
    try {
      const record = await wholeRecord(screen, card);
      const step = stepTo(screen, record, to, rights);
      if (!step || step.blocked !== null) {
        refuse(card, step?.blocked ?? `${recordLabel(screen, card)} cannot be moved to "${words(to)}" now.`);
        refresh();
        return;
      }
      const { transition } = step;
      if (needsInput(transition)) setTaking({ record, transition });
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
      refuse(card, thrown.message);
    }
  }

  /** Of many records that may be columns, those without cards wait until somebody wants them. */
  const empty = !phone && field.ref && (columns?.length ?? 0) > MANY ? columns!.filter(({ count }) => count === 0) : [];
  const shown =
    columns && phone
      ? columns.filter(({ value }) => value === (chosen ?? firstOf(columns)))
      : (columns?.filter((column) => all || !empty.includes(column)) ?? null);
  const total = columns?.reduce((count, column) => count + column.count, 0) ?? null;

  return (
    <>
      <LookFrame {...props} look="board" count={total} error={error} retry={refresh}>
        {columns && shown && (
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
                    {column.label} ({formatNumber(column.count)})
                  </option>
                ))}
              </Select>
            )}
            {empty.length > 0 && (
              <Button className={styles.empties} appearance="subtle" size="small" onClick={() => setAll(!all)}>
                {all ? 'Hide' : 'Show'} {formatNumber(empty.length)} empty columns
              </Button>
            )}
            <div
              ref={place}
              className={styles.board}
              data-phone={phone || undefined}
              data-dragging={dragged ? '' : undefined}
            >
              {shown.map((column) => {
                const isOther = dragged !== null && columnOf(dragged[name]) !== column.value;
                const takes = isOther && targets(dragged).some(({ value }) => value === column.value);
                const unfit = isOther && !takes && over === column.value ? refusal(dragged, column.value) : null;
                return (
                  <section
                    key={column.value}
                    className={styles.column}
                    data-column={column.value}
                    aria-label={`${column.label}, ${column.count}`}
                    data-takes={takes || undefined}
                    data-over={(takes && over === column.value) || undefined}
                    data-refuses={unfit !== null || undefined}
                    onDragOver={(event) => {
                      if (!isOther) return;
                      // A column that takes no card says why.
                      event.preventDefault();
                      setOver(column.value);
                    }}
                    onDragLeave={(event) =>
                      !event.currentTarget.contains(event.relatedTarget as Node | null) && setOver(null)
                    }
                    onDrop={(event) => {
                      event.preventDefault();
                      setOver(null);
                      if (dragged) void move(dragged, column.value);
                      setDragged(null);
                    }}
                  >
                    <header className={styles.head}>
                      <span
                        className={styles.dot}
                        data-tone={field.options?.find(({ value }) => value === column.value)?.colour ?? 'neutral'}
                        aria-hidden
                      />
                      <h2 title={column.label}>{column.label}</h2>
                      <span className={styles.number}>{formatNumber(column.count)}</span>
                      {sumField && Number(column.sum ?? 0) !== 0 && (
                        <span className={styles.sum} title={`${sumField.title} in all`}>
                          {fieldType(sumField.type).format(column.sum!, sumField)}
                        </span>
                      )}
                    </header>
                    {unfit !== null && <p className={styles.why}>{unfit}</p>}
                    <ul className={styles.cards}>
                      {column.cards.map((card) => (
                        <BoardCard
                          key={card.id}
                          screen={screen}
                          card={card}
                          to={actions.address(card)}
                          targets={targets(card)}
                          draggable={!phone}
                          dragged={dragged?.id === card.id}
                          onDrag={(one) => {
                            setDragged(one);
                            if (one) look(one);
                          }}
                          onLook={() => look(card)}
                          onMove={(value) => void move(card, value)}
                          onFixed={() => refuse(card, fixed(card))}
                          refused={refused?.id === card.id ? refused.why : null}
                          onRead={() => setRefused(null)}
                          onMenu={(target) => openMenu(card, target)}
                          onGo={(at, key) => nextCard(place.current, at, key)?.focus()}
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
      </LookFrame>
      {overlays}
      {dialog}
      <Suspense fallback={null}>
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
    </>
  );
}

/** The first column that holds something. */
function firstOf(columns: BoardColumn[]): string | undefined {
  return (columns.find(({ count }) => count > 0) ?? columns[0])?.value;
}
