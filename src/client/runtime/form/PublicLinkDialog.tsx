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
import { PrintRegular } from '@fluentui/react-icons';
import { useCallback, useEffect, useState } from 'react';
import { formatMoment } from '../../../descriptor/format.ts';
import { api } from '../../api/http.ts';
import { CopyValue } from '../../app/dialogs/CopyValue.tsx';
import { confirmDialog, toast } from '../../app/feedback.ts';
import styles from './form.module.css';

/** A link with which a person without an account opens a page of the record. */
interface PublicLink {
  type: string;
  title: string;
  address: string;
  qr: string;
  expires_at: string | null;
  used: number | null;
}

/** The public links of a record: to copy, to show or print as a QR code, and to revoke. */
export default function PublicLinkDialog({ type, id, onClose }: { type: string; id: string; onClose: () => void }) {
  const [links, setLinks] = useState<PublicLink[] | null>(null);
  const at = `/tapi/${type}/${id}/public`;
  const load = useCallback(() => {
    api
      .post<{ data: PublicLink[] }>(at, {})
      .then(({ data }) => setLinks(data))
      // The call has said why.
      .catch(onClose);
  }, [at, onClose]);
  useEffect(load, [load]);
  const revoke = async () => {
    const text = 'The link stops working for everybody who has it. The next link will be different.';
    if (!(await confirmDialog({ title: 'Revoke this link?', text, confirmLabel: 'Revoke', danger: true }))) return;
    try {
      await api.delete(at);
      toast.success('The link is revoked.');
      onClose();
    } catch {
      // The call has said why.
    }
  };
  return (
    <Dialog open onOpenChange={(_, { open }) => !open && onClose()}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>Public link</DialogTitle>
          <DialogContent>
            <p>This link works without an account. Give it only to the people it is meant for.</p>
            {links === null && <Spinner label="Loading…" />}
            {links?.map(({ type: opens, title, address, qr, expires_at: until, used }) => (
              <section key={opens}>
                <img
                  className={styles.publicCode}
                  alt={`QR code: ${title}`}
                  src={`data:image/svg+xml,${encodeURIComponent(qr)}`}
                />
                <CopyValue label={title} value={address} />
                <p>
                  {[
                    until === null ? 'Valid until it is revoked.' : `Valid until ${formatMoment(until)}.`,
                    ...(used === null || used === 0 ? [] : ['It was used.']),
                  ].join(' ')}
                </p>
                <Button
                  icon={<PrintRegular />}
                  // The failed call has already shown the reason.
                  onClick={() => void api.download(`${at}/${opens}.pdf`).catch(() => undefined)}
                >
                  QR code (PDF)
                </Button>
              </section>
            ))}
          </DialogContent>
          <DialogActions>
            <Button onClick={() => void revoke()} disabled={links === null}>
              Revoke
            </Button>
            <Button appearance="primary" onClick={onClose}>
              Close
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
