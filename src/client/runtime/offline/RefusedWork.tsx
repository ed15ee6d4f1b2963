import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Link as FluentLink,
} from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { formatMoment } from '../../../descriptor/format.ts';
import type { Screen } from '../../../descriptor/types.ts';
import { loadScreen } from '../../api/screens.ts';
import { ErrorView, Skeleton } from '../../app/page.tsx';
import { ActVersions } from './ActVersions.tsx';
import type { OthersAct } from './others_refused.ts';
import { useOthersRefused } from './others_refused.ts';
import styles from './outbox.module.css';

/**
 * Refused offline work of others that is still undecided, which the user can see: of one type, or of their team.
 */
export default function RefusedWork({ type }: { type?: string }) {
  const [query, setQuery] = useSearchParams();
  const isOpen = query.has('refused');
  const { acts, error, retry } = useOthersRefused(type === undefined ? {} : { type });
  const count = acts?.length ?? 0;
  const whose = type === undefined ? ' that your team made offline' : ' made offline';
  const show = (on: boolean) =>
    setQuery(
      (old) => {
        const next = new URLSearchParams(old);
        next.delete('refused');
        if (on) next.set('refused', '1');
        return next;
      },
      { replace: true },
    );
  return (
    <>
      {count > 0 && (
        <div className={styles.refused} role="status">
          <span>{count === 1 ? `1 change${whose} was refused.` : `${count} changes${whose} were refused.`}</span>
          <Button size="small" onClick={() => show(true)}>
            Show
          </Button>
        </div>
      )}
      {isOpen && (
        <Dialog open onOpenChange={(_, { open }) => !open && show(false)}>
          <DialogSurface>
            <DialogBody>
              <DialogTitle>{type === undefined ? 'Refused work of your team' : 'Made offline and refused'}</DialogTitle>
              <DialogContent>
                {error && !acts ? (
                  <ErrorView error={error} retry={retry} />
                ) : !acts ? (
                  <Skeleton rows={4} label="Loading refused work" />
                ) : count === 0 ? (
                  <p>Nothing is waiting for a decision.</p>
                ) : (
                  <>
                    <p>
                      Each person decides on their own device whether to change the work and send it again, or to
                      discard it. Who has the right can also open the record and take the step there.
                    </p>
                    {acts.map((act) => (
                      <Act key={`${act.by}/${act.key}`} act={act} />
                    ))}
                  </>
                )}
              </DialogContent>
              <DialogActions>
                <Button appearance="primary" onClick={() => show(false)}>
                  Close
                </Button>
              </DialogActions>
            </DialogBody>
          </DialogSurface>
        </Dialog>
      )}
    </>
  );
}

function Act({ act }: { act: OthersAct }) {
  const { type, id, title, by__label: who, done_at: at, message, theirs } = act;
  const navigate = useNavigate();
  const [screen, setScreen] = useState<Screen | null>(null);
  useEffect(() => {
    let isOn = true;
    loadScreen(type)
      .then((loaded) => isOn && setScreen(loaded.screen))
      // Without the screen, field names are shown as stored.
      .catch(() => undefined);
    return () => {
      isOn = false;
    };
  }, [type]);
  const page = typeof id === 'number' ? screen?.routes.view?.replace(':id', String(id)) : undefined;
  return (
    <section className={styles.act} aria-label={`${title}, ${who}`}>
      <h3>{title}</h3>
      <span className={styles.when}>
        {who}, {formatMoment(at)}
      </span>
      <p>{message}</p>
      <ActVersions act={act} theirs={theirs} screen={screen} whose={who} />
      {page !== undefined && (
        <FluentLink as="button" onClick={() => void navigate(page)}>
          Open the record
        </FluentLink>
      )}
    </section>
  );
}
