import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
} from '@fluentui/react-components';
import useSWR from 'swr';
import { api } from '../../api/http.ts';
import { confirmDialog, toast } from '../../app/feedback.ts';
import { momentWords } from '../../app/layout/notification_list.tsx';
import { ErrorView, Skeleton } from '../../app/page.tsx';
import styles from './rights.module.css';

interface Version {
  version_no: number;
  at: string;
  by: string | null;
  note: string | null;
  screens: number;
}

/** The saved versions of a role's rights, each of which can be restored. */
export default function RoleVersionsDialog({
  role,
  onClose,
  onRestored,
}: {
  role: { id: number; role_name: string; version: number };
  onClose: () => void;
  onRestored: () => void;
}) {
  const { data, error, mutate } = useSWR(`/tapi/role/${role.id}/versions`, (path) =>
    api.get<{ data: Version[] }>(path, undefined, { quiet: true }),
  );
  const restore = async (version: Version) => {
    if (
      !(await confirmDialog({
        title: `Restore version ${version.version_no}?`,
        text: 'Everybody with this role gets the rights of that version immediately. The current version stays in the list.',
        confirmLabel: 'Restore',
      }))
    )
      return;
    try {
      await api.post(`/tapi/role/${role.id}/restore`, { version_no: version.version_no, version: role.version });
      toast.success(`Version ${version.version_no} is in force again.`);
      onRestored();
    } catch {
      // The call has shown the error.
    }
  };
  return (
    <Dialog open onOpenChange={(_, { open }) => !open && onClose()}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>Versions of {role.role_name}</DialogTitle>
          <DialogContent>
            {error ? (
              <ErrorView error={error} retry={() => void mutate()} />
            ) : !data ? (
              <Skeleton rows={4} />
            ) : data.data.length === 0 ? (
              <p>The rights have not been changed here yet.</p>
            ) : (
              <ul className={styles.versions}>
                {data.data.map((version) => (
                  <li key={version.version_no}>
                    <span>
                      <strong>Version {version.version_no}</strong>
                      {version.version_no === role.version && ' (in force)'}
                      <span className={styles.code}>
                        {version.by ?? 'Somebody'}, {momentWords(version.at)} · {version.screens} screens
                        {version.note ? ` · ${version.note}` : ''}
                      </span>
                    </span>
                    {version.version_no !== role.version && (
                      <Button onClick={() => void restore(version)}>Restore</Button>
                    )}
                  </li>
                ))}
              </ul>
            )}
          </DialogContent>
          <DialogActions>
            <Button onClick={onClose}>Close</Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
