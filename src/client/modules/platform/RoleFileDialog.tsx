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
import type { RoleImportMode, RoleImport } from '../../../domain/role_import.ts';
import type { ApiError } from '../../api/http.ts';
import { api } from '../../api/http.ts';
import { toast } from '../../app/feedback.ts';
import styles from './rights.module.css';

const several = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** Imports roles from a file after a preview. Only the roles in the file change. */
export default function RoleFileDialog({ onClose, onImported }: { onClose: () => void; onImported: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [mode, setMode] = useState<RoleImportMode>('merge');
  const [roles, setRoles] = useState<RoleImport[] | null>(null);
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);

  const send = async (chosen: File, how: RoleImportMode, commit: boolean) => {
    setBusy(true);
    setProblem('');
    const form = new FormData();
    form.append('file', chosen);
    try {
      const { data } = await api.upload<{ data: { roles: RoleImport[] } }>(
        `/tapi/role_rights/import?mode=${how}&commit=${commit}`,
        form,
        undefined,
        { quiet: true },
      );
      if (commit) {
        toast.success(`${several(data.roles.length, 'role matches', 'roles match')} the file.`);
        onImported();
        return;
      }
      setRoles(data.roles);
    } catch (thrown) {
      setRoles(null);
      setProblem((thrown as ApiError).message);
    }
    setBusy(false);
  };
  const look = (chosen: File | null, how: RoleImportMode) => {
    setFile(chosen);
    setMode(how);
    setRoles(null);
    if (chosen) void send(chosen, how, false);
  };
  const changes = (roles ?? []).reduce(
    (sum, role) => sum + role.added.length + role.removed.length + Number(role.is_new),
    0,
  );

  return (
    <Dialog open onOpenChange={(_, { open }) => !open && onClose()}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>Import roles</DialogTitle>
          <DialogContent>
            <p className={styles.count}>
              A file that was exported from Roles, Excel or JSON. Roles that are not in it stay as they are.
            </p>
            <label className={styles.file}>
              File
              <input
                type="file"
                accept=".xlsx,.json"
                onChange={(event) => look(event.target.files?.[0] ?? null, mode)}
              />
            </label>
            <RadioGroup value={mode} onChange={(_, { value }) => look(file, value as RoleImportMode)} aria-label="How">
              <Radio value="merge" label="Add what the file gives" />
              <Radio value="replace" label="Make each role identical to the file" />
            </RadioGroup>
            <div role="status">
              {busy && <p>Reading the file…</p>}
              {problem !== '' && <p className={styles.problem}>{problem}</p>}
              {roles?.map((role) => (
                <details key={role.code} className={styles.preview} open={roles.length < 4}>
                  <summary>
                    <strong>{role.role_name}</strong> ({role.code}): {role.is_new ? 'a new role, ' : ''}
                    {role.added.length} come, {role.removed.length} go; {several(role.users_affected, 'user', 'users')}
                  </summary>
                  <Ticks title="Come" rows={role.added} />
                  <Ticks title="Go" rows={role.removed} />
                  <Ticks title="Unknown here; left out" rows={role.unknown} />
                  <Ticks title="Look at" rows={role.warnings} />
                </details>
              ))}
              {roles && changes === 0 && <p>No changes: the roles already match the file.</p>}
            </div>
          </DialogContent>
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              appearance="primary"
              disabled={!roles || changes === 0 || busy}
              onClick={() => file && void send(file, mode, true)}
            >
              {roles ? `Import ${several(roles.length, 'role', 'roles')}` : 'Import'}
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}

function Ticks({ title, rows }: { title: string; rows: string[] }) {
  if (rows.length === 0) return null;
  return (
    <>
      <p className={styles.code}>{title}</p>
      <ul className={styles.ticks}>
        {rows.map((row) => (
          <li key={row}>{row}</li>
        ))}
      </ul>
    </>
  );
}
