import { Button, DrawerBody, DrawerHeader, DrawerHeaderTitle, OverlayDrawer } from '@fluentui/react-components';
import { AddRegular, DismissRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import useSWR from 'swr';
import { formatMoment } from '../../../descriptor/format.ts';
import type { ReadableReport } from '../../../domain/report.ts';
import { scheduleText } from '../../../domain/report_schedule.ts';
import { api } from '../../api/http.ts';
import { confirmDialog, toast } from '../../app/feedback.ts';
import { ErrorView, Skeleton } from '../../app/page.tsx';
import { SubscriptionForm } from './SubscriptionForm.tsx';
import type { Chosen } from './report_view.ts';
import { chosenWords } from './chosen_words.ts';
import type { Received, ShownSubscription } from './subscription.ts';
import { askedOf } from './subscription.ts';
import styles from './report.module.css';

/** The mail subscriptions of this report: to add, pause and delete. */
export default function SubscriptionPanel({
  report,
  chosen,
  onClose,
}: {
  report: ReadableReport;
  /** The current choices on the page: new subscriptions use them. */
  chosen: Chosen;
  onClose: () => void;
}) {
  const at = `/tapi/report/${report.name}/subscriptions`;
  const { data, error, mutate } = useSWR(at, (path) =>
    api.get<{ data: ShownSubscription[]; received: Received[] }>(path, {}, { quiet: true }),
  );
  /** The one being edited; "new"; null = none. */
  const [editing, setEditing] = useState<ShownSubscription | 'new' | null>(null);
  const done = (text: string) => {
    toast.success(text);
    setEditing(null);
    void mutate();
  };
  const pause = async (one: ShownSubscription) => {
    try {
      await api.put(`${at}/${one.id}`, { ...askedOf(one), paused: !one.paused });
      done(one.paused ? 'The report is sent again.' : 'The report is not sent until you resume it.');
    } catch {
      // The call has said why.
    }
  };
  const remove = async (one: ShownSubscription) => {
    const text = `It will no longer be sent to ${recipients(one)}.`;
    if (!(await confirmDialog({ title: 'Delete this subscription?', text, confirmLabel: 'Delete', danger: true })))
      return;
    try {
      await api.delete(`${at}/${one.id}`);
      done('The subscription is deleted.');
    } catch {
      // The call has said why.
    }
  };
  const receive = async ({ id, has_left: wanted }: Received) => {
    try {
      await api.put(`${at}/${id}/receive`, { wanted });
      done(wanted ? 'The report is sent to you again.' : 'The report is no longer sent to you.');
    } catch {
      // The call has said why.
    }
  };
  return (
    <OverlayDrawer open position="end" size="medium" onOpenChange={(_, { open }) => !open && onClose()}>
      <DrawerHeader>
        <DrawerHeaderTitle
          action={<Button appearance="subtle" icon={<DismissRegular />} aria-label="Close" onClick={onClose} />}
        >
          {report.title} by mail
        </DrawerHeaderTitle>
      </DrawerHeader>
      <DrawerBody className={styles.panel ?? ''}>
        {editing !== null ? (
          <SubscriptionForm
            report={report}
            chosen={chosen}
            known={editing === 'new' ? null : editing}
            onDone={done}
            onCancel={() => setEditing(null)}
          />
        ) : error ? (
          <ErrorView error={error} retry={() => void mutate()} />
        ) : !data ? (
          <Skeleton rows={4} label="Loading subscriptions" />
        ) : (
          <>
            {data.received.length > 0 && (
              <ul className={styles.subscriptions} aria-label="Sent to you by others">
                {data.received.map((one) => (
                  <li key={one.id}>
                    <strong>
                      {one.format === 'pdf' ? 'PDF' : 'Excel'} {scheduleText(one)}
                    </strong>
                    <span>
                      {one.owner_id__label === null ? 'Sent to you' : `${one.owner_id__label} has it sent to you`}
                    </span>
                    {chosenWords(report, one.parameters).map((text) => (
                      <span key={text}>{text}</span>
                    ))}
                    <span className={styles.faint}>
                      {one.has_left
                        ? 'You do not receive it.'
                        : one.paused
                          ? 'Paused'
                          : `Next ${formatMoment(one.next_at)}`}
                    </span>
                    <div className={styles.buttons}>
                      <Button size="small" onClick={() => void receive(one)}>
                        {one.has_left ? 'Send it to me again' : 'Stop sending it to me'}
                      </Button>
                    </div>
                  </li>
                ))}
              </ul>
            )}
            {data.data.length === 0 && data.received.length === 0 && <p>Nobody has this report sent by mail yet.</p>}
            <ul className={styles.subscriptions} aria-label="Subscriptions">
              {data.data.map((one) => (
                <li key={one.id}>
                  <strong>
                    {one.format === 'pdf' ? 'PDF' : 'Excel'} {scheduleText(one)}
                  </strong>
                  <span>To {recipients(one)}</span>
                  {chosenWords(report, one.parameters).map((text) => (
                    <span key={text}>{text}</span>
                  ))}
                  <span className={styles.faint}>
                    {one.paused
                      ? 'Paused'
                      : `Next ${formatMoment(one.next_at)}${one.sent_at === null ? '' : `, last ${formatMoment(one.sent_at)}`}`}
                    {one.owner_id__label !== null && ` · by ${one.owner_id__label}`}
                  </span>
                  {one.left_by__label.length > 0 && (
                    <span className={styles.faint}>No longer wanted by {one.left_by__label.join(', ')}</span>
                  )}
                  {one.problem !== null && <span className={styles.problem}>{one.problem}</span>}
                  <div className={styles.buttons}>
                    <Button size="small" onClick={() => setEditing(one)}>
                      Edit
                    </Button>
                    <Button size="small" onClick={() => void pause(one)}>
                      {one.paused ? 'Resume' : 'Pause'}
                    </Button>
                    <Button size="small" onClick={() => void remove(one)}>
                      Delete
                    </Button>
                  </div>
                </li>
              ))}
            </ul>
            <Button appearance="primary" icon={<AddRegular />} onClick={() => setEditing('new')}>
              Subscribe
            </Button>
          </>
        )}
      </DrawerBody>
    </OverlayDrawer>
  );
}

/** "Asha, Ravi and holders of Manager" */
function recipients({ people__label: people, roles__label: roles }: ShownSubscription): string {
  return [...people, ...roles.map((role) => `everybody with the role ${role}`)].join(', ');
}
