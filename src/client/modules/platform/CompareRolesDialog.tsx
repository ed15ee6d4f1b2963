import { Button, Dialog, DialogActions, DialogBody, DialogContent, DialogSurface, DialogTitle, Field, Select } from '@fluentui/react-components';
import { useState } from 'react';
import useSWR from 'swr';
import { api } from '../../api/http.ts';
import { ErrorView, Skeleton } from '../../app/page.tsx';
import type { PageName, Scope } from './rights_matrix.ts';
import { PAGES, PAGE_TITLES, SCOPES } from './rights_matrix.ts';
import styles from './rights.module.css';

type Right = { data_scope: Scope } & Record<PageName, boolean>;

interface Difference {
  left: { role_name: string };
  right: { role_name: string };
  screens: { screen_code: string; name: string; left: Right | null; right: Right | null }[];
  modules: { module_code: string; module_name: string; left: { active: boolean; hide_all: boolean } | null; right: { active: boolean; hide_all: boolean } | null }[];
  actions: { code: string; left: boolean; right: boolean }[];
}

const rightWords = (right: Right | null) => (right ? `${PAGES.filter((page) => right[page]).map((page) => PAGE_TITLES[page]).join(', ')} (${SCOPES[right.data_scope].toLowerCase()})` : '–');
const moduleWords = (module: { active: boolean; hide_all: boolean } | null) => (module?.active ? (module.hide_all ? 'open, all hidden' : 'open') : '–');

/** Where a role differs from another one. */
export default function CompareRolesDialog({ role, onClose }: { role: { id: number; role_name: string }; onClose: () => void }) {
  const [other, setOther] = useState('');
  const roles = useSWR('/tapi/role?columns=role_name&size=500&count=none&sort=role_name', (path) => api.get<{ data: { id: number; role_name: string }[] }>(path, undefined, { quiet: true }));
  const { data, error, mutate } = useSWR(other === '' ? null : `/tapi/role_rights/compare?left=${role.id}&right=${other}`, (path) => api.get<{ data: Difference }>(path, undefined, { quiet: true }));
  const lines = data ? linesOf(data.data) : [];
  return (
    <Dialog open onOpenChange={(_, { open }) => !open && onClose()}>
      <DialogSurface className={styles.wide}>
        <DialogBody>
          <DialogTitle>Compare {role.role_name}</DialogTitle>
          <DialogContent>
            <Field label="With">
              <Select value={other} onChange={(_, { value }) => setOther(value)}>
                <option value="">Choose a role</option>
                {roles.data?.data.filter(({ id }) => id !== role.id).map(({ id, role_name: name }) => (
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
            ) : data && lines.length === 0 ? (
              <p role="status">Both roles give the same.</p>
            ) : (
              data && (
                <div className={styles.frame} tabIndex={0} role="region" aria-label="Differences">
                  <table className={styles.matrix} data-log>
                    <thead>
                      <tr>
                        <th scope="col">
                          {lines.length} {lines.length === 1 ? 'difference' : 'differences'}
                        </th>
                        <th scope="col">{data.data.left.role_name}</th>
                        <th scope="col">{data.data.right.role_name}</th>
                      </tr>
                    </thead>
                    <tbody>
                      {lines.map(({ key, name, left, right }) => (
                        <tr key={key}>
                          <th scope="row">
                            <span className={styles.name}>
                              {name}
                              <span className={styles.code}>{key}</span>
                            </span>
                          </th>
                          <td>{left}</td>
                          <td>{right}</td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
              )
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

function linesOf({ screens, modules, actions }: Difference): { key: string; name: string; left: string; right: string }[] {
  return [
    ...modules.map((row) => ({ key: row.module_code, name: `Module ${row.module_name}`, left: moduleWords(row.left), right: moduleWords(row.right) })),
    ...screens.map((row) => ({ key: row.screen_code, name: row.name, left: rightWords(row.left), right: rightWords(row.right) })),
    ...actions.map((row) => ({ key: row.code, name: 'Action', left: row.left ? 'given' : '–', right: row.right ? 'given' : '–' })),
  ];
}
