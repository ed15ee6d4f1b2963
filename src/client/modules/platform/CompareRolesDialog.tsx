import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Field,
  Select,
} from '@fluentui/react-components';
import { useState } from 'react';
import useSWR from 'swr';
import { api } from '../../api/http.ts';
import { ErrorView, Skeleton } from '../../app/page.tsx';
import type { Difference } from './rights_difference.tsx';
import { DifferenceTable, isSame } from './rights_difference.tsx';
import styles from './rights.module.css';

/** The differences between two roles. */
export default function CompareRolesDialog({
  role,
  onClose,
}: {
  role: { id: number; role_name: string };
  onClose: () => void;
}) {
  const [other, setOther] = useState('');
  const roles = useSWR('/tapi/role?columns=role_name&size=500&count=none&sort=role_name', (path) =>
    api.get<{ data: { id: number; role_name: string }[] }>(path, undefined, { quiet: true }),
  );
  const { data, error, mutate } = useSWR(
    other === '' ? null : `/tapi/role_rights/compare?left=${role.id}&right=${other}`,
    (path) => api.get<{ data: Difference }>(path, undefined, { quiet: true }),
  );
  return (
    <Dialog open onOpenChange={(_, { open }) => !open && onClose()}>
      <DialogSurface className={styles.wide}>
        <DialogBody>
          <DialogTitle>Compare {role.role_name}</DialogTitle>
          <DialogContent>
            <Field label="With">
              <Select value={other} onChange={(_, { value }) => setOther(value)}>
                <option value="">Choose a role</option>
                {roles.data?.data
                  .filter(({ id }) => id !== role.id)
                  .map(({ id, role_name: name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
              </Select>
            </Field>
            {error || roles.error ? (
              <ErrorView error={error ?? roles.error} retry={() => void (error ? mutate() : roles.mutate())} />
            ) : other !== '' && !data ? (
              <Skeleton rows={6} />
            ) : (
              data &&
              (isSame(data.data) ? (
                <p role="status">Both roles give the same rights.</p>
              ) : (
                <DifferenceTable difference={data.data} />
              ))
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
