import { Select } from '@fluentui/react-components';
import { SaveRegular } from '@fluentui/react-icons';
import { useSearchParams } from 'react-router-dom';
import useSWR from 'swr';
import { api } from '../../api/http.ts';
import { EmptyState, ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import styles from './admin.module.css';
import { useMatrixEditing } from './matrix_editing.ts';
import matrixStyles from './rights.module.css';
import type { Matrix } from './rights_matrix.ts';
import { UnsavedCount, Warnings } from './rights_controls.tsx';
import { RightsGrid } from './RightsGrid.tsx';

interface UserType {
  id: number;
  code: string;
  name: string;
  is_super: boolean;
  users: number;
}

interface CommonMatrix extends Matrix {
  users: number;
  may_edit: boolean;
}

/** What each kind of platform administrator may open on this host. */
export default function CommonRightsPage() {
  const [query, setQuery] = useSearchParams();
  const {
    data: types,
    error: noTypes,
    mutate: again,
  } = useSWR(
    '/api/common_rights',
    async (path) => (await api.get<{ data: UserType[] }>(path, undefined, { quiet: true })).data,
  );
  const asked = Number(query.get('type'));
  const chosen = types?.find(({ id }) => id === asked) ?? types?.find((type) => !type.is_super) ?? types?.[0];
  const {
    data: matrix,
    error,
    mutate,
  } = useSWR(
    chosen ? `/api/common_rights/${chosen.id}` : null,
    async (path) => (await api.get<{ data: CommonMatrix }>(path, undefined, { quiet: true })).data,
    { revalidateOnFocus: false, revalidateIfStale: true },
  );
  const picker = types && chosen && (
    <Select aria-label="User type" value={String(chosen.id)} onChange={(_, { value }) => setQuery({ type: value })}>
      {types.map((type) => (
        <option key={type.id} value={type.id}>
          {type.name} ({type.users} {type.users === 1 ? 'user' : 'users'})
        </option>
      ))}
    </Select>
  );
  if (chosen && matrix?.role.id === chosen.id)
    return <Editor key={`${chosen.id}.${matrix.role.version}`} first={matrix} picker={picker} />;
  const failed = noTypes ?? error;
  return (
    <Page title="Common rights" layout="page">
      <PageBody>
        {failed ? (
          <ErrorView error={failed} retry={() => void (noTypes ? again() : mutate())} home />
        ) : types?.length === 0 ? (
          <EmptyState title="No user types yet" text="Add a user type first; then choose here what it can open." />
        ) : (
          <Skeleton rows={12} label="Loading rights" />
        )}
      </PageBody>
    </Page>
  );
}

function Editor({ first, picker }: { first: CommonMatrix; picker: React.ReactNode }) {
  const { stored, draft, setDraft, change, busy, save } = useMatrixEditing(
    first,
    `/api/common_rights/${first.role.id}`,
    'user type',
  );
  return (
    <Page
      title="Common rights"
      number={stored.role.code}
      breadcrumbs={[{ label: 'User types', to: '/user_type' }]}
      layout="page"
      {...(stored.may_edit && {
        primary: {
          label: busy ? 'Saving' : 'Save',
          icon: <SaveRegular />,
          busy,
          shortcut: 'Ctrl+S',
          disabled: change.count === 0 && !busy,
          reason: 'No changes.',
          onClick: () => void save(),
        },
      })}
      secondary={change.count > 0 ? [{ label: 'Discard', onClick: () => setDraft(stored) }] : []}
    >
      <PageBody>
        <div className={matrixStyles.head}>
          {picker}
          <UnsavedCount count={change.count} />
        </div>
        {stored.role.is_system && (
          <p className={styles.note}>
            This user type may do everything, also on screens that come later. To tick single screens, take away “May do
            everything” in the user type.
          </p>
        )}
        {!stored.role.is_system && !stored.may_edit && (
          <p className={styles.note}>You can view these rights but not change them.</p>
        )}
        <Warnings texts={stored.warnings} />
        <fieldset
          className={styles.whole}
          disabled={!stored.may_edit}
          aria-label={`Rights of ${stored.role.role_name}`}
        >
          <RightsGrid
            scopes={false}
            stored={stored}
            draft={draft}
            onRows={(screens) =>
              setDraft((old) => ({ ...old, screens: typeof screens === 'function' ? screens(old.screens) : screens }))
            }
          />
        </fieldset>
      </PageBody>
    </Page>
  );
}
