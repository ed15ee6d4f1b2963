import { Suspense, lazy, useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { OfferedStep, Transition } from '../../../descriptor/workflow.ts';
import { stateOf } from '../../../descriptor/workflow.ts';
import { openFields } from './open_fields.ts';
import { MenuIcon } from '../../app/layout/MenuIcon.tsx';
import type { PageAction } from '../../app/page_action.ts';
import type { AskedStep } from './take_step.ts';
import { askedStep, needsInput, takeStep } from './take_step.ts';

const StepDialog = lazy(() => import('./StepDialog.tsx'));

/** A step as a button. */
export interface StepAction extends PageAction {
  /**
   * False: it needs a reason, ends the record or leaves the normal path; such a transition is never the page's main
   * button.
   */
  leadsOn: boolean;
}

/** Whether a transition ends the record, or leaves the normal path. */
const leadsOut = (screen: Screen, { to }: Transition): boolean => {
  const state = screen.workflow!.states.find(({ name }) => name === to);
  return state?.is === 'cancelled' || state?.aside === true;
};

/**
 * The transitions that the person may take with a record, as buttons, and the dialog of the current one.
 * @param begun the transition whose dialog is open initially, if it may be taken
 */
export function useSteps(
  screen: Screen,
  record: WireRecord,
  reload: () => void,
  begun: string | null = null,
): { steps: StepAction[]; dialog: ReactNode } {
  const navigate = useNavigate();
  const [taking, setTaking] = useState<AskedStep | null>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const offered = (record._can as OfferedStep[] | undefined) ?? [];
  // After creating a revision, the person continues with the revision.
  const follow = (taken: WireRecord) => {
    const address = screen.routes.view ?? screen.routes.edit;
    if (typeof taken._revision === 'number' && address) void navigate(address.replace(':id', String(taken._revision)));
    else reload();
  };
  const take = async (transition: AskedStep): Promise<void> => {
    if (needsInput(transition)) {
      setTaking(transition);
      return;
    }
    setBusy(transition.name);
    const taken = await takeStep(screen, transition, record);
    setBusy(null);
    if (taken) follow(taken);
  };
  const [begins, setBegins] = useState(begun);
  if (begins !== null) {
    setBegins(null);
    const transition = screen.workflow?.transitions.find((one) => one.name === begins);
    const offer = offered.find(({ name, blocked }) => name === begins && blocked === null);
    if (transition && offer) setTaking(askedStep(screen, transition, offer));
  }
  const steps = offered.flatMap((offer): StepAction[] => {
    const { name, blocked } = offer;
    const transition = screen.workflow?.transitions.find((one) => one.name === name);
    if (!transition) return [];
    return [
      {
        label: transition.title,
        ...(transition.icon !== undefined && { icon: <MenuIcon name={transition.icon} fallback="Play" /> }),
        busy: busy === name,
        ...(blocked !== null && { disabled: true, reason: blocked }),
        leadsOn: transition.reason === undefined && !leadsOut(screen, transition),
        onClick: () => void take(askedStep(screen, transition, offer)),
      },
    ];
  });
  const dialog = taking && (
    <Suspense fallback={null}>
      <StepDialog
        screen={screen}
        record={record}
        transition={taking}
        onTaken={(taken) => {
          setTaking(null);
          follow(taken);
        }}
        onClose={() => setTaking(null)}
      />
    </Suspense>
  );
  return { steps, dialog };
}

/** Whether anything in a record can be changed in its state, by this person if the server has said so. */
export function isOpenToEdit(screen: Screen, record: WireRecord): boolean {
  const open = openFields(screen, record);
  if (open !== null) return open.length > 0;
  return !screen.workflow || stateOf(screen.workflow, record).edit !== false;
}
