import { Badge, MessageBar, MessageBarBody, MessageBarTitle, Select } from '@fluentui/react-components';
import { SaveRegular, ShieldKeyholeRegular } from '@fluentui/react-icons';
import { useId, useMemo, useState, useSyncExternalStore } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import useSWR from 'swr';
import type { Field, Screen } from '../../../descriptor/types.ts';
import { ApiError, api } from '../../api/http.ts';
import { toast } from '../../app/feedback.ts';
import { ErrorView, Page, PageBody, Skeleton, useUnsavedGuard } from '../../app/page.tsx';
import { currentSession, rememberSession } from '../../app/session.ts';
import { FieldValue } from '../../runtime/fields/display.tsx';
import { parameterForm } from '../../../descriptor/parameter_form.ts';
import type { FieldHost } from '../../runtime/fields/widget.ts';
import { FieldErrorsContext, FieldHostContext, commitDrafts } from '../../runtime/fields/widget.ts';
import { SectionFrame } from '../../runtime/form/FormLayout.tsx';
import { FormField } from '../../runtime/form/FormField.tsx';
import { focusField } from '../../runtime/form/focus_field.ts';
import formStyles from '../../runtime/form/form.module.css';
import { FormContext } from '../../runtime/form/form_context.ts';
import { createFormStore } from '../../runtime/form/form_store.ts';
import { useFormKeys } from '../../runtime/form/use_form_keys.ts';
import { isEmpty, sameValue } from '../../runtime/form/values.ts';
import { PersonPhoto } from '../../runtime/fields/files/PersonPhoto.tsx';
import styles from './people.module.css';

type OwnRecord = Record<string, unknown> & { id: number; version: number; name: string };

interface Profile {
  user: {
    username: string | null;
    name: string;
    email: string;
    language: string | null;
    roles: string[];
    companies: string[];
  };
  languages: { value: string; label: string }[];
  employee: OwnRecord | null;
  groups: { title: string; fields: Field[] }[];
  work: Field[];
  reason: string | null;
}

const PATH = '/tapi/my_profile';

/** The user's own profile: facts kept by the company, and fields that the user may edit. */
export default function MyProfilePage() {
  const { pathname, search } = useLocation();
  const { data, error, mutate } = useSWR(PATH, (path) => api.get<{ data: Profile }>(path, undefined, { quiet: true }), {
    revalidateOnFocus: false,
  });
  if (pathname !== '/My_profile') return <Navigate to={`/My_profile${search}`} replace />;
  if (data)
    return (
      <ProfileForm
        profile={data.data}
        onStored={(stored) => mutate({ data: stored }, { revalidate: false })}
        onStale={async () => (await mutate())?.data ?? data.data}
      />
    );
  return (
    <Page title="My profile" breadcrumbs={[]} layout="form">
      <PageBody>
        {error ? (
          <ErrorView error={error} retry={() => void mutate()} home />
        ) : (
          <Skeleton rows={10} label="Loading your profile" />
        )}
      </PageBody>
    </Page>
  );
}

/** The editable fields as a separate form, without the rest of the member's screen. */
function screenOf({ groups }: Profile): Screen {
  const access = { screens: [], products: [], modules: [], action: null, everyone: true, common: false };
  const form = parameterForm(
    { name: 'employee', folder: '', title: 'Profile', access },
    groups.flatMap((group) => group.fields),
    { landing: '/My_profile', menu: { hidden: true } },
  );
  // The server checks the values, with the schema of the member's screen.
  return { ...form, kind: 'master', scope: 'entity', schema: { properties: {} } };
}

function ProfileForm({
  profile,
  onStored,
  onStale,
}: {
  profile: Profile;
  onStored: (profile: Profile) => Promise<unknown>;
  onStale: () => Promise<Profile>;
}) {
  const { user, employee, languages } = profile;
  const prefix = useId().replace(/[^a-z\d]/gi, '');
  const screen = useMemo(() => screenOf(profile), [profile]);
  const [store] = useState(() => createFormStore(screen, employee ?? {}));
  const [version, setVersion] = useState(employee?.version ?? null);
  const [language, setLanguage] = useState(user.language);
  const [busy, setBusy] = useState(false);
  const [general, setGeneral] = useState<string | null>(null);
  // Incremented to mount the fields again, without their unfinished input.
  const [generation, setGeneration] = useState(0);
  const changed = useSyncExternalStore(store.subscribe, store.dirty);
  const dirty = changed || language !== user.language;
  useUnsavedGuard(dirty);
  const host = useMemo<FieldHost>(
    () => ({
      screen,
      values: store.values,
      subscribe: store.subscribe,
      setValues: store.set,
      drafts: new Set(),
      entityId: currentSession().entityId,
    }),
    [screen, store],
  );
  const context = useMemo(() => ({ store, prefix, readOnly: false }), [store, prefix]);
  const messages = useSyncExternalStore(store.subscribe, store.messages);

  const changes = () => {
    const [values, base] = [store.values(), store.base()];
    return Object.fromEntries(
      screen.fields
        .filter((field) => !field.readOnly && !sameValue(field, values[field.name], base[field.name]))
        .map((field) => [field.name, values[field.name] ?? null]),
    );
  };
  const refuse = (error: ApiError) => {
    const known = new Set(screen.fields.map(({ name }) => name));
    const mine = error.details.filter(({ field }) => known.has(field.split('.')[0] ?? ''));
    store.refuse(mine);
    const other = error.details.find((one) => !mine.includes(one));
    setGeneral(mine.length === 0 ? error.message : (other?.message ?? null));
    if (mine[0]) focusField(prefix, mine[0].field.split('.')[0] ?? '');
  };
  const save = async () => {
    commitDrafts(host);
    if (busy || !store.check()) return;
    const mine = changes();
    const own = language === user.language ? {} : { language };
    if (Object.keys(mine).length === 0 && Object.keys(own).length === 0) return;
    setBusy(true);
    setGeneral(null);
    try {
      const { data } = await api.put<{ data: Profile }>(
        PATH,
        { ...mine, ...own, ...(Object.keys(mine).length > 0 && { version }) },
        { quiet: true },
      );
      store.reset(data.employee ?? {});
      setVersion(data.employee?.version ?? null);
      setLanguage(data.user.language);
      await onStored(data);
      if (mine.photo !== undefined) rememberSession({ profile_image: '', photo_id: Number(data.employee?.photo ?? 0) });
      toast.success('Your profile is saved.');
    } catch (thrown) {
      const error = thrown as ApiError;
      if (error.code === 'stale_version') {
        // Unsaved input is kept on top of the newly stored values.
        const now = (await onStale()).employee;
        if (now) {
          store.reset(now, { ...now, ...mine });
          setVersion(now.version);
          setGeneration((old) => old + 1);
        }
        setGeneral(
          `${typeof error.extra.changed_by === 'string' ? error.extra.changed_by : 'Somebody'} changed your record meanwhile. What you entered is still here: look it over and save again.`,
        );
      } else refuse(error);
    }
    setBusy(false);
  };
  useFormKeys({ save: () => void save(), leave: () => undefined });
  const discard = () => {
    store.reset(store.base());
    setLanguage(user.language);
    setGeneral(null);
    setGeneration((old) => old + 1);
  };
  const name = employee?.name ?? user.name;
  const line = employee
    ? [employee.designation_id__label, employee.branch_id__label].filter((part) => typeof part === 'string').join(' · ')
    : user.email;
  const kept = profile.groups.some(({ fields }) => fields.some((field) => field.readOnly));

  return (
    <Page
      title="My profile"
      breadcrumbs={[]}
      layout="form"
      primary={{
        label: busy ? 'Saving' : 'Save profile',
        icon: <SaveRegular />,
        busy,
        shortcut: 'Ctrl+S',
        disabled: !dirty && !busy,
        reason: 'Nothing has changed yet.',
        onClick: () => void save(),
      }}
      secondary={[
        ...(dirty ? [{ label: 'Discard', onClick: discard }] : []),
        { label: 'Account and security', icon: <ShieldKeyholeRegular />, to: '/core_account' },
      ]}
    >
      <PageBody>
        {general !== null && (
          <MessageBar intent="warning" layout="multiline" className={styles.notice ?? ''} role="alert">
            <MessageBarBody>{general}</MessageBarBody>
          </MessageBar>
        )}
        {profile.reason !== null && (
          <MessageBar intent="info" layout="multiline" className={styles.notice ?? ''}>
            <MessageBarBody>
              <MessageBarTitle>Only your account is here.</MessageBarTitle> {profile.reason}
            </MessageBarBody>
          </MessageBar>
        )}
        <div className={styles.me}>
          <PersonPhoto name={name} photo={typeof employee?.photo === 'number' ? employee.photo : null} size={96} />
          <div>
            <h2>{name}</h2>
            <p>{line}</p>
            <div className={styles.badges}>
              {user.roles.map((role) => (
                <Badge key={role} appearance="tint" color="informative" title="Role">
                  {role}
                </Badge>
              ))}
            </div>
          </div>
        </div>
        <FormContext value={context}>
          <FieldHostContext value={host}>
            <FieldErrorsContext value={messages}>
              <div key={generation} className={formStyles.form}>
                {profile.groups.map(({ title, fields }) => (
                  <SectionFrame
                    key={title}
                    title={title}
                    help={undefined}
                    columns={fields.some((field) => field.rows) ? 1 : 2}
                  >
                    {employee && (
                      <Facts
                        fields={fields.filter((field) => field.readOnly && !NAMES.has(field.name))}
                        record={employee}
                      />
                    )}
                    {fields.map((field) => !field.readOnly && <FormField key={field.name} field={field} />)}
                  </SectionFrame>
                ))}
                {employee && (
                  <SectionFrame title="Work" help="Maintained by your company." columns={1}>
                    <Facts fields={profile.work} record={employee} />
                  </SectionFrame>
                )}
                <SectionFrame title="Account" help={undefined} columns={1}>
                  <dl className={styles.work}>
                    {user.username !== null && (
                      <div>
                        <dt>User name</dt>
                        <dd>{user.username}</dd>
                      </div>
                    )}
                    <div>
                      <dt>E-mail for signing in</dt>
                      <dd>{user.email}</dd>
                    </div>
                    {user.companies.length > 0 && (
                      <div>
                        <dt>{user.companies.length === 1 ? 'Company' : 'Companies'}</dt>
                        <dd>{user.companies.join(', ')}</dd>
                      </div>
                    )}
                    {language !== null && (
                      <div>
                        <dt>
                          <label htmlFor={`${prefix}-language`}>Language</label>
                        </dt>
                        <dd>
                          <Select
                            id={`${prefix}-language`}
                            value={language}
                            onChange={(_, { value }) => setLanguage(value)}
                          >
                            {languages.map(({ value, label }) => (
                              <option key={value} value={value}>
                                {label}
                              </option>
                            ))}
                          </Select>
                        </dd>
                      </div>
                    )}
                  </dl>
                </SectionFrame>
              </div>
            </FieldErrorsContext>
          </FieldHostContext>
        </FormContext>
        {kept && (
          <p className={styles.hint}>
            Fields that you cannot change are maintained by your company. Ask your administrator if something is wrong.
          </p>
        )}
      </PageBody>
    </Page>
  );
}

/** Fields that the page's heading shows already. */
const NAMES = new Set(['photo', 'title', 'first_name', 'middle_name', 'last_name']);

/** Facts kept by the company, without empty ones. */
function Facts({ fields, record }: { fields: Field[]; record: OwnRecord }) {
  const filled = fields.filter((field) => !isEmpty(record[field.name]));
  if (filled.length === 0) return null;
  return (
    <dl className={styles.work}>
      {filled.map((field) => (
        <div key={field.name}>
          <dt>{field.title}</dt>
          <dd>
            <FieldValue field={field} value={record[field.name]} record={record} plain />
          </dd>
        </div>
      ))}
    </dl>
  );
}
