import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Spinner,
} from '@fluentui/react-components';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import { useFocusKeeper } from '../../app/dialogs/focus_keeper.tsx';
import type { AskedStep } from './take_step.ts';
import { leaveLabel } from './take_step.ts';
import { useStepForm } from './use_step_form.tsx';

/** Asks for the fields of a transition, and takes it. */
export default function StepDialog({
  screen,
  record,
  transition,
  onTaken,
  onClose,
}: {
  screen: Screen;
  record: WireRecord;
  transition: AskedStep;
  onTaken: (record: WireRecord) => void;
  onClose: () => void;
}) {
  const { questions, take, busy } = useStepForm({ screen, record, transition, onTaken, onKept: onClose });
  useFocusKeeper();

  return (
    <Dialog open modalType="alert" onOpenChange={(_, { open }) => !open && onClose()}>
      <DialogSurface
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void take();
        }}
      >
        <DialogBody>
          <DialogTitle>{transition.title}</DialogTitle>
          <DialogContent>{questions}</DialogContent>
          <DialogActions>
            <Button onClick={onClose}>{leaveLabel(transition.title)}</Button>
            <Button
              appearance="primary"
              aria-busy={busy}
              {...(busy && { icon: <Spinner size="tiny" /> })}
              onClick={() => void take()}
            >
              {transition.title}
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
