import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Field,
  Textarea,
} from '@fluentui/react-components';
import { CheckmarkCircleFilled, ErrorCircleFilled, WarningFilled } from '@fluentui/react-icons';
import { Fragment, useEffect, useRef, useState } from 'react';
import type { DialogRequest } from '../feedback.ts';
import { answerDialog, dialogs } from '../feedback.ts';
import { CopyValue } from './CopyValue.tsx';
import { FocusKeeper } from './focus_keeper.tsx';
import styles from './dialog_host.module.css';

const alertTitles = { error: 'Error', warning: 'Warning', success: 'Success' };
const alertIcons = {
  error: <ErrorCircleFilled />,
  warning: <WarningFilled />,
  success: <CheckmarkCircleFilled />,
};

/** Shows the confirm and alert dialogs, one at a time. Stays mounted once it was needed. */
export default function DialogHost() {
  const first = dialogs.use()[0];
  return (
    <>
      <FocusKeeper />
      {first?.kind === 'own' && <Fragment key={first.id}>{first.draw()}</Fragment>}
      {first && first.kind !== 'own' && <Asking key={first.id} request={first} />}
    </>
  );
}

/**
 * The dialog is removed at once when it is answered, before Fluent restores the focus: then the focus returns to where
 * the question came from.
 */
function useOpenerFocus(opener: Element | null): void {
  // A menu that opened the dialog has closed meanwhile and left the focus on its button.
  const [current] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (document.activeElement !== null && document.activeElement !== document.body) return;
      const back = [opener, current].find(
        (one): one is HTMLElement => one instanceof HTMLElement && one !== document.body && one.isConnected,
      );
      back?.focus();
    },
    [opener, current],
  );
}

function Asking({ request }: { request: Exclude<DialogRequest, { kind: 'own' }> }) {
  const start = useRef<HTMLButtonElement>(null);
  useOpenerFocus(request.opener);
  // After the dialog's own rule, which focuses the first button.
  useEffect(() => start.current?.focus(), []);
  const [text, setText] = useState('');
  const answer = (value: boolean) => answerDialog(request.id, value);
  return (
    <Dialog
      open
      modalType="alert"
      onOpenChange={(event, data) => {
        if (data.open) return;
        // An alert dialog does not close on outside clicks; Esc means Cancel.
        if (event.type === 'keydown' || data.type === 'escapeKeyDown') answer(request.kind === 'alert');
      }}
    >
      <DialogSurface
        className={request.kind === 'alert' ? styles.alert : styles.confirm}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.stopPropagation();
            answer(request.kind === 'alert');
          }
        }}
      >
        <DialogBody>
          {request.kind === 'ask' ? (
            <>
              <DialogTitle>{request.title}</DialogTitle>
              <DialogContent>
                <Field label={request.label} required>
                  <Textarea
                    value={text}
                    maxLength={250}
                    rows={3}
                    autoFocus
                    onChange={(_, { value }) => setText(value)}
                  />
                </Field>
              </DialogContent>
              <DialogActions>
                <Button onClick={() => answer(false)}>Cancel</Button>
                <Button
                  appearance="primary"
                  disabled={text.trim() === ''}
                  onClick={() => {
                    request.answer(text.trim());
                    answer(true);
                  }}
                >
                  {request.confirmLabel}
                </Button>
              </DialogActions>
            </>
          ) : request.kind === 'confirm' ? (
            <>
              <DialogTitle>{request.title}</DialogTitle>
              {request.text && <DialogContent className={styles.text}>{request.text}</DialogContent>}
              <DialogActions>
                <Button {...(request.danger && { ref: start })} onClick={() => answer(false)}>
                  {request.cancelLabel ?? 'Cancel'}
                </Button>
                <Button
                  appearance="primary"
                  {...(!request.danger && { ref: start })}
                  className={request.danger ? styles.danger : undefined}
                  onClick={() => answer(true)}
                >
                  {request.confirmLabel ?? 'Yes'}
                </Button>
              </DialogActions>
            </>
          ) : (
            <>
              <DialogTitle>
                <span className={styles.alertTitle} data-type={request.type}>
                  {alertIcons[request.type]}
                  {request.title ?? alertTitles[request.type]}
                </span>
              </DialogTitle>
              <DialogContent className={styles.text}>
                {request.text}
                {request.copy && <CopyValue {...request.copy} />}
              </DialogContent>
              <DialogActions>
                <Button appearance="primary" ref={start} onClick={() => answer(true)}>
                  Ok
                </Button>
              </DialogActions>
            </>
          )}
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
