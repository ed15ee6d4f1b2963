import { CompassNorthwestRegular } from '@fluentui/react-icons';
import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import { ApiError, api } from '../api/http.ts';
import { NoAccess } from './no_access.tsx';
import { EmptyState, Page } from './page.tsx';
import { matchPath } from './screen_routes.ts';

/** Not in this user's list: a screen without the right, or an unknown address. The server knows which. */
export default function UnknownAddress({ path, waiting }: { path: string; waiting: ReactNode }) {
  const [forbidden, setForbidden] = useState<boolean | null>(null);
  const name = path.split('/')[1] ?? '';

  useEffect(() => {
    let gone = false;
    void api
      .get(`/tapi/screens/${encodeURIComponent(name)}`, undefined, { quiet: true })
      .then(() => false)
      .catch((thrown: unknown) => thrown instanceof ApiError && thrown.status === 403)
      // A coded page that is not this user's is refused with the same message as a screen.
      .then(
        async (answer) =>
          answer ||
          Object.keys((await import('../modules/pages.ts')).bespokePages).some((one) => matchPath(one, path) !== null),
      )
      .then((answer) => !gone && setForbidden(answer));
    return () => {
      gone = true;
    };
  }, [name, path]);

  if (forbidden === null) return waiting;
  if (forbidden) return <NoAccess />;
  return (
    <Page title="Page not found" breadcrumbs={[]}>
      <EmptyState
        icon={<CompassNorthwestRegular />}
        title="There is no page at this address"
        text={`${path} may have been renamed, or the link is incomplete.`}
        actions={[
          { label: 'Go home', to: '/show_list' },
          { label: 'Go back', onClick: () => history.back() },
        ]}
      />
    </Page>
  );
}
