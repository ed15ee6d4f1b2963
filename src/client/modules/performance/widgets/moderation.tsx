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
  Textarea,
} from '@fluentui/react-components';
import { BoardRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { Link } from 'react-router-dom';
import { formatNumber } from '../../../../descriptor/format.ts';
import type { ModerationBoard, ModerationCard } from '../../../../domain/performance/ratings.ts';
import { ApiError, api } from '../../../api/http.ts';
import { toast } from '../../../app/feedback.ts';
import { EmptyState } from '../../../app/page.tsx';
import type { WidgetProps } from '../../../runtime/dashboard/widgets.ts';
import own from '../ratings.module.css';

type Band = ModerationBoard['bands'][number];
const figure = (value: string): string => formatNumber(Number(value), 2);

/** The score nearest to the current one within a band. */
const nearest = (card: ModerationCard, band: Band): string =>
  Number(card.score) < Number(band.from) ? band.from : (Math.round((Number(band.to) - 0.01) * 100) / 100).toFixed(2);

/** Asks for the new score and the reason. */
function ChangeDialog({
  card,
  score: begin,
  onDone,
  onClose,
}: {
  card: ModerationCard;
  score: string;
  onDone: () => void;
  onClose: () => void;
}) {
  const [score, setScore] = useState(begin);
  const [note, setNote] = useState('');
  const [why, setWhy] = useState<string | null>(null);
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    try {
      await api.post(
        `/tapi/appraisal/${card.id}/moderate`,
        { version: card.version, moderated_score: score, moderation_note: note },
        { quiet: true },
      );
      toast.success(`${card.name}: ${figure(score)}.`);
      onDone();
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      setWhy(thrown.message);
    }
  };
  return (
    <Dialog open modalType="alert" onOpenChange={(_, { open }) => !open && onClose()}>
      <DialogSurface>
        <form onSubmit={(event) => void save(event)}>
          <DialogBody>
            <DialogTitle>Change the score of {card.name}</DialogTitle>
            <DialogContent>
              <Field label="Moderated score" required>
                <Input value={score} inputMode="decimal" onChange={(_, { value }) => setScore(value)} />
              </Field>
              <Field
                label="Note on the change"
                required
                {...(why !== null && { validationState: 'error' as const, validationMessage: why })}
              >
                <Textarea value={note} onChange={(_, { value }) => setNote(value)} />
              </Field>
            </DialogContent>
            <DialogActions>
              <Button onClick={onClose}>Leave it</Button>
              <Button appearance="primary" type="submit">
                Change the score
              </Button>
            </DialogActions>
          </DialogBody>
        </form>
      </DialogSurface>
    </Dialog>
  );
}

/**
 * Ratings of a launch by band: cards are dragged to another band, or changed by their button; quota and normalised
 * scores are advice.
 */
export default function ModerationWidget({ data, again }: WidgetProps) {
  const board = data as ModerationBoard;
  const [changed, setChanged] = useState<{ card: ModerationCard; score: string } | null>(null);
  const [dragged, setDragged] = useState<number | null>(null);
  if (board.cards.length === 0)
    return (
      <EmptyState
        icon={<BoardRegular />}
        title="No ratings to compare"
        text="Ratings appear here from the review on, for people who moderate."
      />
    );
  const drop = (band: Band): void => {
    const card = board.cards.find(({ id }) => id === dragged);
    setDragged(null);
    if (card && card.open && card.band !== band.label) setChanged({ card, score: nearest(card, band) });
  };
  return (
    <>
      <p className={own.faint}>{board.launch}</p>
      <div className={own.board}>
        {board.bands.map((band) => {
          const cards = board.cards.filter((card) => card.band === band.label);
          return (
            <section
              key={band.label}
              className={own.band}
              aria-label={band.label}
              onDragOver={(event) => event.preventDefault()}
              onDrop={() => drop(band)}
            >
              <h3>
                {band.label} <span>{cards.length}</span>
              </h3>
              <p className={own.faint}>
                {figure(band.from)} to {figure(band.to)}
                {band.quota !== null && ` · usual share ${band.quota}`}
              </p>
              <div className={own.bar} style={{ width: `${(100 * cards.length) / board.cards.length}%` }} />
              <ul>
                {cards.map((card) => (
                  <li key={card.id} draggable={card.open} onDragStart={() => setDragged(card.id)}>
                    <Link to={`/appraisal_landing/view/${card.id}`}>{card.name}</Link>
                    <strong>{figure(card.score)}</strong>
                    <span className={own.faint}>
                      {[card.department, card.manager].filter(Boolean).join(' · ')}
                      {card.normalised !== null && ` · as rated by all ${figure(card.normalised)}`}
                    </span>
                    {card.note !== null && <span className={own.faint}>{card.note}</span>}
                    {card.open && (
                      <Button size="small" onClick={() => setChanged({ card, score: card.score })}>
                        Change the score
                      </Button>
                    )}
                  </li>
                ))}
              </ul>
            </section>
          );
        })}
      </div>
      {changed !== null && (
        <ChangeDialog
          key={changed.card.id}
          {...changed}
          onDone={() => {
            setChanged(null);
            again();
          }}
          onClose={() => setChanged(null)}
        />
      )}
    </>
  );
}
