import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
} from '@fluentui/react-components';
import { useCallback, useEffect, useState } from 'react';
import type { Problem } from '../../../descriptor/types.ts';
import { api } from '../../api/http.ts';
import { menu } from '../../api/screens.ts';
import { ErrorView, Skeleton } from '../page.tsx';
import styles from './problems_dialog.module.css';

/** The errors in screen files, with the corrections. */
export default function ProblemsDialog({ onClose }: { onClose: () => void }) {
  const [list, setList] = useState<Problem[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const { problems } = menu.use();

  const load = useCallback(() => {
    api
      .get<{ data: Problem[] }>('/tapi/screens/problems', undefined, { quiet: true })
      .then(({ data }) => {
        setError(null);
        setList(data);
      })
      .catch(setError);
  }, []);
  useEffect(load, [load, problems]);

  return (
    <Dialog open onOpenChange={(_, data) => !data.open && onClose()}>
      <DialogSurface className={styles.surface}>
        <DialogBody>
          <DialogTitle>Problems in screen files</DialogTitle>
          <DialogContent>
            {error ? (
              <ErrorView error={error} retry={load} />
            ) : list === null ? (
              <Skeleton rows={3} />
            ) : list.length === 0 ? (
              <p>All screen files are in order.</p>
            ) : (
              <ul className={styles.list}>
                {list.map((problem) => (
                  <li key={`${problem.file}:${problem.line}:${problem.path}:${problem.message}`}>
                    <code>
                      {problem.file}:{problem.line}
                    </code>
                    <code className={styles.path}>{problem.path}</code>
                    <p>{problem.message}</p>
                    {problem.hint && <p className={styles.hint}>{problem.hint}</p>}
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
