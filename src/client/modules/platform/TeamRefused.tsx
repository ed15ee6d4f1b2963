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
import useSWR from 'swr';
import { formatMoment } from '../../../descriptor/format.ts';
import type { Screen } from '../../../descriptor/types.ts';
import { api } from '../../api/http.ts';
import { loadScreen } from '../../api/screens.ts';
import { ErrorView, Skeleton } from '../../app/page.tsx';
import { useSession } from '../../app/session.ts';
import type { ShownAct } from '../../runtime/offline/ActVersions.tsx';
import { ActVersions } from '../../runtime/offline/ActVersions.tsx';
import outbox from '../../runtime/offline/outbox.module.css';
import styles from './people.module.css';

interface TeamAct extends ShownAct {
  key: string;
  title: string;
  message: string;
  theirs: Record<string, unknown>;
  done_at: string;
  by: number;
  by__label: string;
}

/** Refused offline work of the user's team that is still undecided. */
export default function TeamRefused() {
  const { userId, entityId } = useSession();
  const [query, setQuery] = useSearchParams();
  const isOpen = query.has('refused');
  const { data, error, mutate } = useSWR(['/tapi/offline/refused', entityId], ([path]) =>
    api.get<{ data: TeamAct[] }>(path, undefined, { quiet: true }),
  );
  const acts = data?.data.filter(({ by }) => by !== userId);
  const count = acts?.length ?? 0;
  const close = () => setQuery({}, { replace: true });
  return (
    <>
      {count > 0 && (
        <div className={styles.refused} role="status">
          <span>
            {count === 1
              ? '1 change that your team made offline was refused.'
              : `${count} changes that your team made offline were refused.`}
          </span>
          <Button size="small" onClick={() => setQuery({ refused: '1' }, { replace: true })}>
            Show
          </Button>
        </div>
      )}
      {isOpen && (
        <Dialog open onOpenChange={(_, { open }) => !open && close()}>
          <DialogSurface>
            <DialogBody>
              <DialogTitle>Refused work of your team</DialogTitle>
              <DialogContent>
                {error && !acts ? (
                  <ErrorView error={error} retry={() => void mutate()} />
                ) : !acts ? (
                  <Skeleton rows={4} label="Loading refused work" />
                ) : count === 0 ? (
                  <p>Nothing is waiting for a decision.</p>
                ) : (
                  <>
                    <p>
                      Each person decides on their own device whether to change the work and send it again, or to
                      discard it.
                    </p>
                    {acts.map((act) => (
                      <Act key={`${act.by}/${act.key}`} act={act} />
                    ))}
                  </>
                )}
              </DialogContent>
              <DialogActions>
                <Button appearance="primary" onClick={close}>
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

function Act({ act }: { act: TeamAct }) {
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
    <section className={outbox.act} aria-label={`${title}, ${who}`}>
      <h3>{title}</h3>
      <span className={outbox.when}>
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
