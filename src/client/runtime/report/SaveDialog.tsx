import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Field,
  Input,
  Radio,
  RadioGroup,
  Textarea,
} from '@fluentui/react-components';
import { DismissRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import useSWR from 'swr';
import type { ApiError } from '../../api/http.ts';
import { api } from '../../api/http.ts';
import type { ReportDraft, SavedReport, Sharing } from './report_draft.ts';
import { reportOf } from './report_draft.ts';
import reportStyles from './report.module.css';
import styles from './builder.module.css';

interface Role {
  id: number;
  name: string;
}

/** The name of a report, and with whom it is shared. */
export function SaveDialog({
  draft,
  saved,
  isCopy,
  onClose,
  onSaved,
}: {
  draft: ReportDraft;
  /** The report being changed; null = a new one is saved. */
  saved: SavedReport | null;
  isCopy: boolean;
  onClose: () => void;
  onSaved: (id: number, title: string) => void;
}) {
  const [title, setTitle] = useState(isCopy ? `Copy of ${draft.title}`.slice(0, 60) : draft.title);
  const [description, setDescription] = useState(draft.description);
  const [shared, setShared] = useState<Sharing>(saved?.shared ?? 'own');
  const [roles, setRoles] = useState<Role[]>(
    () => saved?.roles.map((id, at) => ({ id, name: saved.roles__label[at] ?? '' })) ?? [],
  );
  const [wrong, setWrong] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const { data: meta } = useSWR(
    '/tapi/report',
    async (path) => (await api.get<{ meta: { share: boolean } }>(path, {}, { quiet: true })).meta,
  );
  const save = async (asNew: boolean) => {
    setBusy(true);
    setWrong(null);
    const body = {
      report: reportOf({ ...draft, description }, title.trim()),
      shared: asNew && saved ? 'own' : shared,
      roles: shared === 'roles' && !(asNew && saved) ? roles.map(({ id }) => id) : [],
    };
    try {
      const id =
        saved && !asNew
          ? (
              await api.put<{ data: { id: number } }>(
                `/tapi/report/own/${saved.id}`,
                { ...body, version: saved.version },
                { quiet: true },
              )
            ).data.id
          : (await api.post<{ data: { id: number } }>('/tapi/report/own', body, { quiet: true })).data.id;
      onSaved(id, title.trim());
    } catch (error) {
      setWrong(error as ApiError);
      setBusy(false);
    }
  };
  const problem = (field: string) => (wrong?.field === field ? { validationMessage: wrong.message } : {});
  return (
    <Dialog open onOpenChange={(_, { open }) => !open && onClose()}>
      <DialogSurface>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void save(false);
          }}
        >
          <DialogBody>
            <DialogTitle>Save report</DialogTitle>
            <DialogContent className={styles.dialog ?? ''}>
              <Field label="Name" required {...problem('title')}>
                <Input value={title} maxLength={60} autoFocus onChange={(_, { value }) => setTitle(value)} />
              </Field>
              <Field label="Description" {...problem('description')}>
                <Textarea
                  value={description}
                  maxLength={300}
                  onChange={(_, { value }) => setDescription(value.replaceAll('\n', ' '))}
                />
              </Field>
              {meta?.share ? (
                <Field label="Who has it" hint="Each reader sees only the records and fields that they may see.">
                  <RadioGroup value={shared} onChange={(_, { value }) => setShared(value as Sharing)}>
                    <Radio value="own" label="Only me" />
                    <Radio value="roles" label="People with certain roles" />
                    <Radio value="all" label="Everybody" />
                  </RadioGroup>
                </Field>
              ) : (
                meta && (
                  <p className={styles.faint}>
                    Only you have this report. To share it you need the right to share reports.
                  </p>
                )
              )}
              {shared === 'roles' && <Roles roles={roles} onChange={setRoles} {...problem('roles')} />}
              {wrong && !['title', 'description', 'roles'].includes(wrong.field ?? '') && (
                <p role="alert" className={reportStyles.problem}>
                  {wrong.message}
                </p>
              )}
            </DialogContent>
            <DialogActions>
              {wrong?.status === 409 && (
                <Button disabled={busy} onClick={() => void save(true)}>
                  Save as a copy
                </Button>
              )}
              <Button onClick={onClose}>Cancel</Button>
              <Button appearance="primary" type="submit" disabled={busy || title.trim() === ''}>
                Save
              </Button>
            </DialogActions>
          </DialogBody>
        </form>
      </DialogSurface>
    </Dialog>
  );
}

/** The roles with which a report is shared: the chosen ones, and a search for more. */
function Roles({
  roles,
  onChange,
  validationMessage,
}: {
  roles: Role[];
  onChange: (roles: Role[]) => void;
  validationMessage?: string;
}) {
  const [search, setSearch] = useState('');
  const { data } = useSWR(
    ['/tapi/report/own/roles', search.trim()],
    async ([path, text]) => (await api.get<{ data: Role[] }>(path, { search: text }, { quiet: true })).data,
    { keepPreviousData: true },
  );
  const found = (data ?? []).filter(({ id }) => !roles.some((one) => one.id === id));
  return (
    <>
      <ul className={reportStyles.chosen} aria-label="Roles">
        {roles.map((one) => (
          <li key={one.id}>
            {one.name}
            <Button
              appearance="transparent"
              size="small"
              icon={<DismissRegular />}
              aria-label={`Remove ${one.name}`}
              onClick={() => onChange(roles.filter((other) => other !== one))}
            />
          </li>
        ))}
      </ul>
      <Field label="Roles" {...(validationMessage !== undefined && { validationMessage })}>
        <Input type="search" placeholder="Search roles" value={search} onChange={(_, { value }) => setSearch(value)} />
      </Field>
      <ul className={reportStyles.found} aria-label="Found">
        {found.map((one) => (
          <li key={one.id}>
            <Button
              appearance="subtle"
              size="small"
              onClick={() => {
                onChange([...roles, one]);
                setSearch('');
              }}
            >
              {one.name}
            </Button>
          </li>
        ))}
        {data && found.length === 0 && <li className={styles.faint}>No other role has this name.</li>}
      </ul>
    </>
  );
}
