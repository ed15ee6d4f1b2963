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
import { useState } from 'react';
import { formatDate } from '../../../descriptor/format.ts';
import { today } from '../../../descriptor/place.ts';
import type { ApiError } from '../../api/http.ts';
import { useScreenRef } from '../../api/screens.ts';
import type { Relink } from '../../../domain/performance/move_links.ts';
import type { OpenPlan } from './open_plan.ts';
import { savePlan, stepPlan } from './open_plan.ts';
import { RelinkFields, chosenLinks } from './RelinkFields.tsx';
import { StartDay } from './StartDay.tsx';
import styles from './org_chart.module.css';

/** One object: another at each rendering would report the same links again and again. */
const NOTHING: Readonly<Record<string, string>> = {};

/** Names the plan and its day, and saves it, or carries it out as well. */
export default function PlanDialog({
  plan,
  nameOf,
  onDone,
  onClose,
}: {
  plan: OpenPlan;
  nameOf: (id: number) => string;
  onDone: (plan: OpenPlan, what: 'saved' | 'applied' | 'planned') => void;
  onClose: () => void;
}) {
  const [name, setName] = useState(plan.name);
  const [from, setFrom] = useState(plan.from < today() ? today() : plan.from);
  const [reason, setReason] = useState(plan.reason);
  const [movesOpen, setMovesOpen] = useState(plan.movesOpen);
  const hasKpis = useScreenRef('kpi_actual') !== undefined;
  // A plan that is saved but refused afterwards is saved again under the same number.
  const [stored, setStored] = useState({ id: plan.id, version: plan.version });
  /** The choices belong to a manager: another one offers others. */
  const isStored = (id: number) => plan.id !== null && plan.storedMoves.get(id) === plan.moves.get(id);
  const [chosen, setChosen] = useState<ReadonlyMap<number, Readonly<Record<string, string>>>>(
    () => new Map([...plan.links].flatMap(([id, own]) => (isStored(id) ? [[id, chosenLinks(own)] as const] : []))),
  );
  const [links, setLinks] = useState<ReadonlyMap<number, readonly Relink[]>>(new Map());
  const managers = [...plan.moves].flatMap(([id, to]) => (to === null ? [] : [[id, to] as const]));
  const [problems, setProblems] = useState<string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const isLater = from > today();
  // Saved before its KPIs are known, a plan would lose what it offers.
  const areLinksOpen = hasKpis && managers.some(([id]) => !links.has(id));
  const ready = name.trim() !== '' && reason.trim().length > 2 && from >= today() && !isBusy && !areLinksOpen;
  const finish = async (carriesOut: boolean) => {
    if (!ready) return;
    setBusy(true);
    setProblems([]);
    try {
      const saved = await savePlan({
        ...plan,
        ...stored,
        name: name.trim(),
        from,
        reason: reason.trim(),
        movesOpen,
        links,
      });
      setStored({ id: saved.id, version: saved.version });
      if (!carriesOut) onDone(saved, 'saved');
      else onDone(await stepPlan(saved, isLater ? 'schedule' : 'apply'), isLater ? 'planned' : 'applied');
    } catch (thrown) {
      const { message, details } = thrown as ApiError;
      setProblems(details.length > 0 ? details.map((one) => one.message) : [message]);
      setBusy(false);
    }
  };
  const people = plan.moves.size === 1 ? 'One person' : `${plan.moves.size} people`;
  return (
    <Dialog open onOpenChange={(_, { open }) => !open && onClose()}>
      <DialogSurface>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void finish(true);
          }}
        >
          <DialogBody>
            <DialogTitle>
              {plan.moves.size === 1 ? 'New manager' : 'New managers'} of {people.toLowerCase()}
            </DialogTitle>
            <DialogContent className={styles.dialog}>
              <Field label="Name" required>
                <Input autoFocus value={name} maxLength={100} onChange={(_, { value }) => setName(value)} />
              </Field>
              <StartDay
                day={from}
                hint={isLater ? `Carried out on ${formatDate(from)}; until then it can be taken back.` : 'At once.'}
                onChange={setFrom}
              />
              <Field label="Reason" required>
                <Textarea value={reason} maxLength={250} onChange={(_, { value }) => setReason(value)} />
              </Field>
              {hasKpis && (
                <Checkbox
                  checked={movesOpen}
                  label="Open KPI approvals move to the new managers"
                  onChange={(_, { checked }) => setMovesOpen(checked === true)}
                />
              )}
              {hasKpis &&
                managers.map(([id, manager]) => (
                  <RelinkFields
                    key={`${id} ${manager} ${from}`}
                    id={id}
                    name={nameOf(id)}
                    manager={manager}
                    from={from}
                    legend={`KPIs of ${nameOf(id)} that count into sheets of the former manager`}
                    chosen={chosen.get(id) ?? NOTHING}
                    isStored={isStored(id)}
                    onChoose={(own) => setChosen((all) => new Map([...all, [id, own]]))}
                    onRelinks={(own) => setLinks((all) => new Map([...all, [id, own]]))}
                  />
                ))}
              <span className={styles.faint}>All moves are carried out together, or none is.</span>
              {problems.length > 0 && (
                <div className={styles.problem} role="alert">
                  {problems.slice(0, 5).map((problem) => (
                    <p key={problem}>{problem}</p>
                  ))}
                </div>
              )}
            </DialogContent>
            <DialogActions className={styles.actions}>
              <Button onClick={onClose}>Cancel</Button>
              <Button disabledFocusable={!ready} onClick={() => void finish(false)}>
                Save only
              </Button>
              <Button appearance="primary" type="submit" disabledFocusable={!ready}>
                {isLater ? `Carry out on ${formatDate(from)}` : 'Carry out now'}
              </Button>
            </DialogActions>
          </DialogBody>
        </form>
      </DialogSurface>
    </Dialog>
  );
}
