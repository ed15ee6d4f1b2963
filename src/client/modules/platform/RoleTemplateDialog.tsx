import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Radio,
  RadioGroup,
} from '@fluentui/react-components';
import { useState } from 'react';
import useSWR from 'swr';
import type { RoleImportMode } from '../../../domain/role_import.ts';
import { api } from '../../api/http.ts';
import { toast } from '../../app/feedback.ts';
import { ErrorView, Skeleton } from '../../app/page.tsx';
import type { Difference } from './rights_difference.tsx';
import { DifferenceTable, isSame } from './rights_difference.tsx';
import styles from './rights.module.css';

interface Preview extends Difference {
  left: { role_name: string; version_no: number };
  users_affected: number;
  warnings: string[];
}

/** Updates a role to its current shipped template, after a preview of the differences. */
export default function RoleTemplateDialog({
  role,
  template,
  onClose,
  onApplied,
}: {
  role: { id: number; role_name: string };
  template: string;
  onClose: () => void;
  onApplied: () => void;
}) {
  const [mode, setMode] = useState<RoleImportMode>('merge');
  const [busy, setBusy] = useState(false);
  const { data, error, mutate } = useSWR(
    `/tapi/role/${role.id}/template?mode=${mode}`,
    (path: string) => api.get<{ data: Preview }>(path, undefined, { quiet: true }),
    { revalidateOnFocus: false },
  );
  const preview = data?.data;
  const changes = preview !== undefined && !isSame(preview);
  const apply = async () => {
    setBusy(true);
    try {
      await api.post(`/tapi/role/${role.id}/template`, { version: preview!.left.version_no, mode });
      toast.success(`${role.role_name} has what the template ${template} gives. The rights before are under Versions.`);
      onApplied();
    } catch {
      // The call has shown the error; the dialog shows the current state.
      setBusy(false);
      void mutate();
    }
  };
  return (
    <Dialog open onOpenChange={(_, { open }) => !open && onClose()}>
      <DialogSurface className={styles.wide}>
        <DialogBody>
          <DialogTitle>
            {role.role_name} and the template {template}
          </DialogTitle>
          <DialogContent>
            <RadioGroup value={mode} onChange={(_, { value }) => setMode(value as RoleImportMode)} aria-label="How">
              <Radio value="merge" label="Add the template's rights; remove nothing" />
              <Radio value="replace" label="Make the role exactly what the template gives" />
            </RadioGroup>
            {error ? (
              <ErrorView error={error} retry={() => void mutate()} />
            ) : !preview ? (
              <Skeleton rows={6} />
            ) : changes ? (
              <>
                <p role="status" className={styles.count}>
                  {preview.users_affected === 0
                    ? 'Nobody has this role.'
                    : `${preview.users_affected} ${preview.users_affected === 1 ? 'user is' : 'users are'} affected at once.`}
                </p>
                <DifferenceTable
                  difference={{ ...preview, left: { role_name: 'Now' }, right: { role_name: 'Then' } }}
                />
                {preview.warnings.length > 0 && (
                  <ul className={styles.ticks} aria-label="Look at">
                    {preview.warnings.map((text) => (
                      <li key={text}>{text}</li>
                    ))}
                  </ul>
                )}
              </>
            ) : (
              <p role="status">No changes: the role already has these rights.</p>
            )}
          </DialogContent>
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button appearance="primary" disabled={!changes || busy} onClick={() => void apply()}>
              {mode === 'merge' ? 'Add these rights' : 'Change the role'}
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
