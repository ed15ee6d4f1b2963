import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
} from '@fluentui/react-components';
import { Fragment, useEffect, useState } from 'react';
import { formatMoment, formatValue } from '../../../descriptor/format.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import { api } from '../../api/http.ts';
import { loadScreen } from '../../api/screens.ts';
import { confirmDialog } from '../../app/feedback.ts';
import type { WaitingAct } from './device_store.ts';
import { clockAhead, decideAct, waitingActs } from './outbox.ts';
import styles from './outbox.module.css';

/** What waits on this device: what needs a decision shows both versions side by side. */
export default function OutboxDialog({ onClose }: { onClose: () => void }) {
  const acts = waitingActs.use();
  const ahead = clockAhead.use();
  return (
    <Dialog open onOpenChange={(_, { open }) => !open && onClose()}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>Made offline</DialogTitle>
          <DialogContent>
            {ahead !== 0 && (
              <p>
                The clock of this device is {Math.round(Math.abs(ahead) / 60)} minutes {ahead > 0 ? 'fast' : 'slow'}.
                The times of your work were corrected by that.
              </p>
            )}
            {acts.length === 0 && <p>Everything is sent.</p>}
            {acts.map((act) => (
              <Act key={act.key} act={act} />
            ))}
          </DialogContent>
          <DialogActions>
            <Button appearance="primary" onClick={onClose}>
              Close
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}

function Act({ act }: { act: WaitingAct }) {
  const [screen, setScreen] = useState<Screen | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    let isOn = true;
    loadScreen(act.type)
      .then((loaded) => isOn && setScreen(loaded.screen))
      // Without the screen its names stand there as they are stored.
      .catch(() => undefined);
    return () => {
      isOn = false;
    };
  }, [act.type]);
  const { type, id } = act;
  const isAsked = act.needs !== undefined && id !== undefined;
  const [now, setNow] = useState<WireRecord | null>(null);
  useEffect(() => {
    if (!isAsked) return;
    const stop = new AbortController();
    api
      .get<{ data: WireRecord }>(`/tapi/${type}/${id}`, undefined, { quiet: true, signal: stop.signal })
      .then(({ data }) => setNow(data))
      // The record is gone, or no longer theirs: their own version stands alone.
      .catch(() => undefined);
    return () => stop.abort();
  }, [type, id, isAsked]);
  const shown = (name: string, value: unknown, label?: unknown) => {
    if (typeof label === 'string') return label;
    const field = screen?.fields.find((one) => one.name === name);
    if (value === null || value === undefined) return 'Empty';
    if (Array.isArray(value)) return value.length === 1 ? '1 row' : `${value.length} rows`;
    if (typeof value === 'string' && value.startsWith('sha256:')) return 'A file on this device';
    return field ? formatValue(field, value, {}) : String(value);
  };
  const decide = async (choice: Parameters<typeof decideAct>[1]) => {
    const isLost = choice === 'theirs' && conflicts.length === 0;
    if (
      isLost &&
      !(await confirmDialog({
        title: 'Discard this?',
        text: `“${act.title}” is not done, and what you entered is removed from this device.`,
        confirmLabel: 'Discard',
        cancelLabel: 'Keep',
        danger: true,
      }))
    )
      return;
    setBusy(true);
    void decideAct(act, choice).finally(() => setBusy(false));
  };
  const conflicts = Object.entries(act.needs?.theirs ?? {});
  const titleOf = (name: string) => screen?.fields.find((one) => one.name === name)?.title ?? name;
  /** What was entered; of a change the new values. */
  const entered = Object.entries(act.input).map(
    ([name, value]) => [name, act.do === 'change' ? (value as unknown[])[1] : value] as const,
  );
  const button = (label: string, choice: Parameters<typeof decideAct>[1]) => (
    <Button size="small" disabled={busy} onClick={() => void decide(choice)}>
      {label}
    </Button>
  );
  return (
    <section className={styles.act}>
      <h3>{act.title}</h3>
      <span className={styles.when}>{formatMoment(act.at)}</span>
      {act.needs && <p>{act.needs.message}</p>}
      {act.needs && conflicts.length === 0 && now && screen?.workflow && (
        <p>The record is now: {shown(screen.workflow.field, now[screen.workflow.field])}.</p>
      )}
      {act.needs && conflicts.length === 0 && entered.length > 0 && (
        <div className={styles.versions}>
          <span>Field</span>
          <span>Yours</span>
          <span>Now</span>
          {entered.map(([name, value]) => (
            <Fragment key={name}>
              <span>{titleOf(name)}</span>
              <span>{shown(name, value)}</span>
              <span>{now ? shown(name, now[name], now[`${name}__label`]) : ''}</span>
            </Fragment>
          ))}
        </div>
      )}
      {conflicts.length > 0 && (
        <div className={styles.versions}>
          <span>Field</span>
          <span>Yours</span>
          <span>Now</span>
          {conflicts.map(([name, theirs]) => (
            <Fragment key={name}>
              <span>{titleOf(name)}</span>
              <span>{shown(name, (act.input[name] as unknown[])[1])}</span>
              <span>{shown(name, theirs)}</span>
            </Fragment>
          ))}
        </div>
      )}
      {act.needs && (
        <div className={styles.choices}>
          {conflicts.length > 0 ? (
            <>
              {button('Keep mine', 'mine')}
              {button('Take theirs', 'theirs')}
            </>
          ) : (
            <>
              {button('Try again', 'again')}
              {button('Discard mine', 'theirs')}
            </>
          )}
        </div>
      )}
    </section>
  );
}
