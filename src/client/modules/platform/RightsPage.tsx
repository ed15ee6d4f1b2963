import { Checkbox, Tab, TabList } from '@fluentui/react-components';
import {
  ArrowDownloadRegular,
  ArrowUploadRegular,
  BranchCompareRegular,
  CopyRegular,
  DocumentSyncRegular,
  HistoryRegular,
  SaveRegular,
} from '@fluentui/react-icons';
import { Suspense, lazy, useCallback, useEffect, useMemo, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { codeTitle } from '../../../domain/code_title.ts';
import { rightsWarnings } from '../../../domain/rights_warnings.ts';
import { api } from '../../api/http.ts';
import { ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import type { BespokeProps } from '../bespoke_props.ts';
import { useMatrixEditing } from './matrix_editing.ts';
import { UnsavedCount, Warnings } from './rights_controls.tsx';
import { RightsGrid } from './RightsGrid.tsx';
import RightsModules from './RightsModules.tsx';
import type { Matrix, ModuleRow } from './rights_matrix.ts';
import { withField } from './rights_matrix.ts';
import styles from './rights.module.css';

const RoleFields = lazy(() => import('./RoleFields.tsx'));
const VersionsDialog = lazy(() => import('./RoleVersionsDialog.tsx'));
const CopyDialog = lazy(() => import('./CopyRoleDialog.tsx'));
const CompareDialog = lazy(() => import('./CompareRolesDialog.tsx'));
const FileDialog = lazy(() => import('./RoleFileDialog.tsx'));
const TemplateDialog = lazy(() => import('./RoleTemplateDialog.tsx'));

const fetchMatrix = async (id: string) =>
  (await api.get<{ data: Matrix }>(`/tapi/screen_rights/${id}`, undefined, { quiet: true })).data;

/** The rights of a role: modules, pages of screens, actions. */
export default function RightsPage({ params }: BespokeProps) {
  const id = params.id ?? '';
  const [stored, setStored] = useState<Matrix | null>(null);
  const [error, setError] = useState<unknown>(null);
  const load = useCallback(() => {
    setError(null);
    fetchMatrix(id).then(setStored, setError);
  }, [id]);
  useEffect(load, [load]);
  if (stored) return <Editor key={id} first={stored} />;
  return (
    <Page title="Rights" layout="page">
      <PageBody>{error ? <ErrorView error={error} retry={load} home /> : <Skeleton rows={12} />}</PageBody>
    </Page>
  );
}

function Editor({ first }: { first: Matrix }) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const { stored, draft, setDraft, change, busy, save, restart } = useMatrixEditing(
    first,
    `/tapi/screen_rights/${first.role.id}`,
    'role',
  );
  const warnings = useMemo(() => {
    const names = new Map(draft.modules.map((row) => [row.module_code, row.module_name]));
    return rightsWarnings(
      draft.modules,
      draft.screens,
      new Map(draft.screens.map((row) => [row.screen_code, row])),
      (code) => names.get(code) ?? code,
    );
  }, [draft]);
  const [tab, setTab] = useState<'screens' | 'modules' | 'actions' | 'fields'>(
    pathname.startsWith('/module_rights') ? 'modules' : 'screens',
  );
  const [dialog, setDialog] = useState<'versions' | 'copy' | 'compare' | 'template' | 'file' | null>(null);

  // The call has shown the refusal.
  const fetchFile = (format: 'xlsx' | 'json') =>
    api.download('/tapi/role_rights/export', { ids: String(stored.role.id), format }).catch(() => undefined);
  const renew = () => {
    setDialog(null);
    void fetchMatrix(String(stored.role.id)).then(restart);
  };
  const setModule = (code: string, more: Partial<ModuleRow>) =>
    setDraft((old) => ({
      ...old,
      modules: old.modules.map((row) => (row.module_code === code ? { ...row, ...more } : row)),
    }));
  return (
    <Page
      title={`Rights of ${stored.role.role_name}`}
      number={stored.role.code}
      breadcrumbs={[{ label: 'Settings' }, { label: 'Roles', to: '/role' }]}
      layout="page"
      primary={{
        label: busy ? 'Saving' : 'Save',
        icon: <SaveRegular />,
        busy,
        shortcut: 'Ctrl+S',
        disabled: change.count === 0 && !busy,
        reason: 'No changes.',
        onClick: () => void save(),
      }}
      secondary={change.count > 0 ? [{ label: 'Discard', onClick: () => setDraft(stored) }] : []}
      more={[
        { label: 'Versions', icon: <HistoryRegular />, onClick: () => setDialog('versions') },
        { label: 'Copy this role', icon: <CopyRegular />, onClick: () => setDialog('copy') },
        { label: 'Compare with another role', icon: <BranchCompareRegular />, onClick: () => setDialog('compare') },
        ...(stored.role.template
          ? [
              {
                label: 'Apply its template again',
                icon: <DocumentSyncRegular />,
                disabled: change.count > 0,
                reason: 'Save or discard your changes first.',
                onClick: () => setDialog('template'),
              },
            ]
          : []),
        { label: 'Export to Excel', icon: <ArrowDownloadRegular />, onClick: () => void fetchFile('xlsx') },
        { label: 'Export as JSON', icon: <ArrowDownloadRegular />, onClick: () => void fetchFile('json') },
        { label: 'Import roles', icon: <ArrowUploadRegular />, onClick: () => setDialog('file') },
      ]}
    >
      <PageBody>
        <div className={styles.head}>
          <TabList selectedValue={tab} onTabSelect={(_, { value }) => setTab(value as 'screens')}>
            <Tab value="screens">Screens</Tab>
            <Tab value="modules">Modules</Tab>
            <Tab value="actions">Actions</Tab>
            <Tab value="fields">Fields{draft.fields && draft.fields.length > 0 ? ` (${draft.fields.length})` : ''}</Tab>
          </TabList>
          <UnsavedCount count={change.count} users={stored.role.users} />
        </div>
        <Warnings texts={warnings} />
        {tab === 'screens' && (
          <RightsGrid
            stored={stored}
            draft={draft}
            onRows={(screens) =>
              setDraft((old) => ({ ...old, screens: typeof screens === 'function' ? screens(old.screens) : screens }))
            }
          />
        )}
        {tab === 'modules' && <RightsModules rows={draft.modules} screens={draft.screens} onChange={setModule} />}
        {tab === 'actions' && (
          <div className={styles.actions}>
            {draft.action_codes.map((code) => (
              <Checkbox
                key={code}
                label={codeTitle(code)}
                checked={draft.actions.includes(code)}
                onChange={(_, { checked }) =>
                  setDraft((old) => ({
                    ...old,
                    actions:
                      checked === true ? [...old.actions, code].sort() : old.actions.filter((one) => one !== code),
                  }))
                }
              />
            ))}
          </div>
        )}
        {tab === 'fields' && (
          <Suspense fallback={<Skeleton rows={8} />}>
            <RoleFields
              draft={draft}
              onChange={(line) => setDraft((old) => ({ ...old, fields: withField(old.fields ?? [], line) }))}
            />
          </Suspense>
        )}
        <Suspense fallback={null}>
          {dialog === 'versions' && (
            <VersionsDialog role={stored.role} onClose={() => setDialog(null)} onRestored={renew} />
          )}
          {dialog === 'compare' && <CompareDialog role={stored.role} onClose={() => setDialog(null)} />}
          {dialog === 'template' && (
            <TemplateDialog
              role={stored.role}
              template={stored.role.template!}
              onClose={() => setDialog(null)}
              onApplied={renew}
            />
          )}
          {dialog === 'file' && <FileDialog onClose={() => setDialog(null)} onImported={renew} />}
          {dialog === 'copy' && (
            <CopyDialog
              role={stored.role}
              onClose={() => setDialog(null)}
              onCopied={(id) => void navigate(`/screen_rights/${id}`)}
            />
          )}
        </Suspense>
      </PageBody>
    </Page>
  );
}
