import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
} from '@fluentui/react-components';
import { CallRegular } from '@fluentui/react-icons';
import { useState, useSyncExternalStore } from 'react';
import useSWR from 'swr';
import type { WireRecord } from '../../../descriptor/types.ts';
import type { CallBoard } from '../../../domain/fms/call_board.ts';
import { ApiError, api } from '../../api/http.ts';
import { toast } from '../../app/feedback.ts';
import { onTick } from '../../runtime/fields/clock/tick.ts';
import styles from './ticket.module.css';
import { suggestionsOf } from './board_model.ts';

/** Technicians to phone, best first. */
const SHOWN = 6;

/** Nobody has accepted for five minutes: shows whom to phone, until somebody at the desk takes over. */
export function RescueBlock({ ticket }: { ticket: WireRecord }) {
  const [busy, setBusy] = useState(false);
  const since = Date.parse(String(ticket.reported_at));
  const minutes = useSyncExternalStore(onTick, () => Math.max(0, Math.floor((Date.now() - since) / 60_000)));
  const { data: board } = useSWR(
    '/tapi/fms/board',
    async (path) => (await api.get<{ data: CallBoard }>(path, undefined, { quiet: true })).data,
  );
  const site = board?.sites.find(({ id }) => id === ticket.id);
  const people = board && site ? suggestionsOf(board.technicians, site).filter(({ refused }) => refused === null) : [];
  const take = async (step: string, asked: object, done: string) => {
    setBusy(true);
    try {
      const { data } = await api.get<{ data: WireRecord }>(`/tapi/fms_ticket/${ticket.id}`, undefined, { quiet: true });
      await api.post(`/tapi/fms_ticket/${ticket.id}/${step}`, { version: data.version, ...asked }, { quiet: true });
      toast.success(done);
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      toast.error(thrown.details[0]?.message ?? thrown.message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog open modalType="alert">
      <DialogSurface className={styles.block}>
        <DialogBody>
          <DialogTitle>Phone now: people are inside a lift</DialogTitle>
          <DialogContent>
            <p>
              <strong>
                {[ticket.building_id__label, ticket.lift_id__label].filter(Boolean).map(String).join(' · ')}
              </strong>
              <br />
              {String(ticket.ticket_no)}: inside for {minutes} min, and nobody has accepted. Phone the technicians one
              after the other and assign the call to the first who goes.
            </p>
            {typeof ticket.caller_phone === 'string' && (
              <p>
                Caller: {String(ticket.caller_name ?? '')}{' '}
                <a href={`tel:${ticket.caller_phone}`}>{ticket.caller_phone}</a>
              </p>
            )}
            <ol className={styles.phones} aria-label="Whom to phone">
              {people.slice(0, SHOWN).map((one) => {
                const phone = board!.technicians.find(({ id }) => id === one.id)?.phone ?? null;
                return (
                  <li key={one.id}>
                    <span>
                      <strong>{one.name}</strong>
                      {one.km === null ? '' : ` · ${one.km.toFixed(1)} km`}
                    </span>
                    {phone === null ? (
                      <span>No number</span>
                    ) : (
                      <a href={`tel:${phone}`}>
                        <CallRegular aria-hidden /> {phone}
                      </a>
                    )}
                    <Button
                      size="small"
                      disabled={busy}
                      onClick={() =>
                        void take('assign', { technician_id: one.id }, `${String(ticket.ticket_no)} is ${one.name}'s.`)
                      }
                    >
                      Assign
                    </Button>
                  </li>
                );
              })}
            </ol>
            {board && people.length === 0 && (
              <p>No technician is able to go. Phone the supervisor and the fire service.</p>
            )}
            <p>Fire and rescue service 101, emergency 112. Speak with the people in the car every 10 minutes.</p>
          </DialogContent>
          <DialogActions>
            <Button
              appearance="primary"
              disabled={busy}
              onClick={() =>
                void take('acknowledge_alarm', {}, 'Keep phoning until somebody goes. The call stays on top.')
              }
            >
              I am phoning
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
