import {
  Button,
  Checkbox,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Field,
  Input,
  Textarea,
} from '@fluentui/react-components';
import { SearchRegular } from '@fluentui/react-icons';
import { useEffect, useEffectEvent, useState } from 'react';
import { formatDate } from '../../../descriptor/format.ts';
import { today } from '../../../descriptor/place.ts';
import type { MoveSide } from '../../../domain/organisation/chart_tree.ts';
import { useScreenRef } from '../../api/screens.ts';
import type { Move, Relinked } from './move_call.ts';
import type { MoveChoice } from './move_choice.ts';
import { RelinkFields } from './RelinkFields.tsx';
import { StartDay } from './StartDay.tsx';
import styles from './org_chart.module.css';

const change = ([before, after]: [number, number]) => (before === after ? `stays ${before}` : `${before} → ${after}`);

function Side({ side }: { side: MoveSide }) {
  return (
    <li>
      <strong>{side.name}</strong>: direct reports {change(side.span)}, people below {change(side.headCount)}
    </li>
  );
}

function Choice({
  name,
  detail,
  checked,
  onChoose,
}: {
  name: string;
  detail: string;
  checked: boolean;
  onChoose: () => void;
}) {
  return (
    <label>
      <input type="radio" name="manager" checked={checked} onChange={onChoose} />
      <span className={styles.words}>
        <span>{name}</span>
        {detail !== '' && <span className={styles.faint}>{detail}</span>}
      </span>
    </label>
  );
}

/** Chooses the new manager, the day and the reason, and previews the changes. */
export default function ChangeManagerDialog({
  choice,
  manager: given,
  isPlanned = false,
  onSearch,
  onMove,
  onClose,
}: {
  choice: MoveChoice;
  /** The manager onto whom the card was dropped; undefined = not chosen yet. */
  manager: number | null | undefined;
  /** The move belongs to a plan, which has the day and the reason. */
  isPlanned?: boolean;
  /** Loads people who fit a text, where the tree is not all here. */
  onSearch?: (text: string) => void;
  onMove: (move: Move) => void;
  onClose: () => void;
}) {
  const { id, name, parent } = choice;
  const [text, setText] = useState('');
  const [manager, setManager] = useState(given);
  const [from, setFrom] = useState(() => today());
  const [reason, setReason] = useState('');
  const [movesOpen, setMovesOpen] = useState(false);
  const [links, setLinks] = useState<Readonly<Record<string, string>>>({});
  const [relinks, setRelinks] = useState<readonly Relinked[]>([]);
  const searchMore = useEffectEvent((wanted: string) => onSearch?.(wanted));
  useEffect(() => {
    if (text.trim().length < 2) return;
    const timer = setTimeout(() => searchMore(text), 250);
    return () => clearTimeout(timer);
  }, [text]);
  const hasKpis = useScreenRef('kpi_actual') !== undefined;
  const found = choice.search(text);
  const chosen = typeof manager === 'number' ? choice.candidate(manager) : undefined;
  const choices = [...(chosen && !found.some((one) => one.id === chosen.id) ? [chosen] : []), ...found];
  const refusal = manager === undefined ? null : choice.refusal(manager);
  const isPossible = manager !== undefined && refusal === null;
  const preview = isPossible ? choice.preview(manager) : null;
  const isLater = from > today();
  const ready = isPossible && (isPlanned || (reason.trim().length > 2 && from >= today()));
  return (
    <Dialog open onOpenChange={(_, { open }) => !open && onClose()}>
      <DialogSurface>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (ready) onMove({ id, manager, from, reason: reason.trim(), movesOpen, relinks: chosen ? relinks : [] });
          }}
        >
          <DialogBody>
            <DialogTitle>Change manager of {name}</DialogTitle>
            <DialogContent className={styles.dialog}>
              <Input
                autoFocus
                type="search"
                contentBefore={<SearchRegular />}
                placeholder="Name, number or designation"
                aria-label="Search the new manager"
                value={text}
                onChange={(_, { value }) => setText(value)}
              />
              <div className={styles.choices} role="radiogroup" aria-label="New manager">
                {parent !== null && text.trim() === '' && (
                  <Choice
                    name="Nobody: at the top"
                    detail=""
                    checked={manager === null}
                    onChoose={() => setManager(null)}
                  />
                )}
                {choices.map((one) => (
                  <Choice
                    key={one.id}
                    name={one.name}
                    detail={one.detail}
                    checked={manager === one.id}
                    onChoose={() => setManager(one.id)}
                  />
                ))}
                {text.trim() !== '' && found.length === 0 && (
                  <p className={styles.faint}>Nobody fits “{text.trim()}”.</p>
                )}
              </div>
              {refusal !== null && (
                <p className={styles.problem} role="alert">
                  {refusal}
                </p>
              )}
              {preview && (
                <section className={styles.preview} aria-label="What changes" aria-live="polite">
                  <ul>
                    {preview.from && <Side side={preview.from} />}
                    {preview.to && <Side side={preview.to} />}
                    <li>
                      {preview.along === 0
                        ? 'Nobody moves along'
                        : preview.along === 1
                          ? 'One person below moves along'
                          : `${preview.along} people below move along`}
                      ; levels below the top: {change(preview.level)}
                    </li>
                  </ul>
                </section>
              )}
              {!isPlanned && (
                <>
                  <StartDay
                    day={from}
                    hint={isLater ? `Carried out on ${formatDate(from)}.` : 'At once.'}
                    onChange={setFrom}
                  />
                  {hasKpis && chosen && (
                    <>
                      <Checkbox
                        checked={movesOpen}
                        label={`Open KPI approvals and appraisals move to ${chosen.name}`}
                        onChange={(_, { checked }) => setMovesOpen(checked === true)}
                      />
                      <span className={styles.faint}>
                        KPI updates of periods that end from {formatDate(from)} on go to {chosen.name} in any case.
                      </span>
                      {isPossible && (
                        <RelinkFields
                          key={`${chosen.id} ${from}`}
                          id={id}
                          name={name}
                          manager={chosen.id}
                          from={from}
                          chosen={links}
                          onChoose={setLinks}
                          onRelinks={setRelinks}
                        />
                      )}
                    </>
                  )}
                  <Field label="Reason" required>
                    <Textarea value={reason} maxLength={250} onChange={(_, { value }) => setReason(value)} />
                  </Field>
                </>
              )}
            </DialogContent>
            <DialogActions>
              <Button onClick={onClose}>Cancel</Button>
              <Button appearance="primary" type="submit" disabledFocusable={!ready}>
                {isPlanned ? 'Add to the plan' : isLater ? 'Plan the move' : 'Move'}
              </Button>
            </DialogActions>
          </DialogBody>
        </form>
      </DialogSurface>
    </Dialog>
  );
}
