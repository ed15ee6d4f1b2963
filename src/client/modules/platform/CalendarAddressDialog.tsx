import { formatMoment } from '../../../descriptor/format.ts';
import {
  Button,
  Checkbox,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
} from '@fluentui/react-components';
import { useState } from 'react';
import useSWR from 'swr';
import { api } from '../../api/http.ts';
import { CopyValue } from '../../app/dialogs/CopyValue.tsx';
import { confirmDialog, toast } from '../../app/feedback.ts';
import { ErrorView, Skeleton } from '../../app/page.tsx';

interface Kept {
  made_at: string;
  used_at: string | null;
  everything: boolean;
}

/** The private address for calendar programs: create, show once, renew, switch off. */
export default function CalendarAddressDialog({ onClose }: { onClose: () => void }) {
  const path = '/tapi/calendar/address';
  const { data, error, mutate } = useSWR(
    [path],
    ([address]) => api.get<{ data: Kept | null }>(address, undefined, { quiet: true }),
    { revalidateOnFocus: false },
  );
  const kept = data?.data ?? null;
  const [everything, setEverything] = useState(false);
  const [address, setAddress] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const work = async (what: () => Promise<void>) => {
    if (busy) return;
    setBusy(true);
    try {
      await what();
      await mutate();
    } catch {
      // The call has shown the error.
    }
    setBusy(false);
  };
  const create = () =>
    work(async () => {
      if (
        kept &&
        !(await confirmDialog({
          title: 'Create a new address?',
          text: 'The previous address stops working at once, in every program that uses it.',
          confirmLabel: 'Make another',
        }))
      )
        return;
      const { data: made } = await api.post<{ data: { address: string } }>(path, { everything });
      setAddress(made.address);
    });
  const end = () =>
    work(async () => {
      if (
        !(await confirmDialog({
          title: 'Switch off the address?',
          text: 'Programs that use it will no longer be updated.',
          confirmLabel: 'Switch off',
          danger: true,
        }))
      )
        return;
      await api.delete(path);
      setAddress(null);
      toast.success('The address is switched off.');
    });

  return (
    <Dialog open onOpenChange={(_, { open }) => !open && onClose()}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>Your calendar in other programs</DialogTitle>
          <DialogContent>
            {error && !data ? (
              <ErrorView error={error} retry={() => void mutate()} />
            ) : !data ? (
              <Skeleton rows={3} label="Loading the address" />
            ) : (
              <>
                <p>
                  Programs such as Google Calendar, Outlook or a phone’s calendar subscribe to this address. They only
                  read; whoever has the address sees what is in it, so keep it to yourself.
                </p>
                {address !== null ? (
                  <CopyValue label="Address" value={address} />
                ) : kept ? (
                  <p>
                    There is an address with {kept.everything ? 'all that you may see' : 'what is yours'}, made on{' '}
                    {formatMoment(kept.made_at)} and{' '}
                    {kept.used_at === null ? 'not used so far' : `last read on ${formatMoment(kept.used_at)}`}. It was
                    shown once: if it is lost, make another.
                  </p>
                ) : null}
                {address === null && (
                  <Checkbox
                    label="Include everything I may see, not only my own items"
                    checked={everything}
                    onChange={(_, { checked }) => setEverything(checked === true)}
                  />
                )}
                {address !== null && <p>It is shown only once: copy it now.</p>}
              </>
            )}
          </DialogContent>
          <DialogActions>
            {kept && (
              <Button disabledFocusable={busy} onClick={() => void end()}>
                Switch off
              </Button>
            )}
            {address === null ? (
              <Button appearance="primary" disabledFocusable={busy || !data} onClick={() => void create()}>
                {kept ? 'Make another' : 'Make an address'}
              </Button>
            ) : (
              <Button appearance="primary" onClick={onClose}>
                Done
              </Button>
            )}
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
