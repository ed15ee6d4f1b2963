import { Radio, RadioGroup } from '@fluentui/react-components';
import { SaveRegular } from '@fluentui/react-icons';
import type { ReactNode } from 'react';
import { Suspense, lazy, useCallback, useMemo, useState, useSyncExternalStore } from 'react';
import useSWR from 'swr';
import type { WireRecord } from '../../../descriptor/types.ts';
import { ApiError, api } from '../../api/http.ts';
import { confirmDialog, toast } from '../../app/feedback.ts';
import type { PageAction } from '../../app/page_action.ts';
import { ErrorView, Page, PageBody, Skeleton, useUnsavedGuard } from '../../app/page.tsx';
import { useSession } from '../../app/session.ts';
import { FieldNoteContext } from '../form/field_note.ts';
import { focusField } from '../form/focus_field.ts';
import { tabOf } from '../form/FormLayout.tsx';
import { FormBody, Notices } from '../form/RecordForm.tsx';
import { outcomeOf } from '../form/save.ts';
import type { FormController } from '../form/use_form.ts';
import { useForm } from '../form/use_form.ts';
import { useFormKeys } from '../form/use_form_keys.ts';
import { useRecord } from '../form/use_record.ts';
import type { Values } from '../form/values.ts';
import { sameValue } from '../form/values.ts';
import type { PageProps } from '../page_props.ts';
import type { CompanySettings, SettingSources, SettingsOfForm } from './setting_sources.ts';
import { SettingsContext, companyScreen, ownValues, unsafeSettings } from './setting_sources.ts';
import SafetyBar from './SafetyBar.tsx';
import SettingNote from './SettingNote.tsx';
import styles from './settings.module.css';

const HardenDialog = lazy(() => import('./HardenDialog.tsx'));

type Whose = 'all' | 'company';

/** A single record that always exists: the form stays open after saving. Companies may have different values. */
export default function SettingsPage(props: PageProps) {
  const { screen } = props;
  const { entityId } = useSession();
  const { loaded, error, retry } = useRecord(screen, { single: true });
  const noted = screen.fields.some((field) => field.override !== undefined || field.risk !== undefined);
  // Each opening reloads, and keeps the data while somebody types: a form starts with the stored values.
  const [opened] = useState(() => performance.now());
  const sources = useSWR(
    noted ? [`/tapi/${screen.name}/single/sources`, entityId, opened] : null,
    ([path]) => api.get<{ data: SettingSources }>(path, undefined, { quiet: true }),
    { revalidateOnFocus: false, revalidateOnReconnect: false },
  );
  const [saved, setSaved] = useState<Values | null>(null);
  const [whose, setWhose] = useState<Whose>('all');
  const record = saved ?? loaded?.base;
  const failed = error ?? sources.error;
  if (!record || (noted && !sources.data) || failed)
    return (
      <Page title={screen.title} layout="form">
        <PageBody>
          {failed ? (
            <ErrorView error={failed} retry={() => (error ? retry() : void sources.mutate())} home />
          ) : (
            <Skeleton rows={10} />
          )}
        </PageBody>
      </Page>
    );
  const { company = null, server = {} } = sources.data?.data ?? {};
  const own: OwnProps = { ...props, record, server, company, whose, onWhose: setWhose };
  if (whose === 'company' && company)
    return (
      <CompanySettingsForm
        key={`${company.entity_id}`}
        {...own}
        company={company}
        onSaved={(now) => void sources.mutate({ data: { server, company: now } }, { revalidate: false })}
      />
    );
  return <SharedSettings {...own} noted={noted} onSaved={setSaved} />;
}

interface OwnProps extends PageProps {
  record: Values;
  server: SettingSources['server'];
  company: CompanySettings | null;
  whose: Whose;
  onWhose: (whose: Whose) => void;
}

function mayWriteTo({ access }: PageProps): boolean {
  return access.rights.write && (access.rights.edit_screen || access.rights.add_screen || access.rights.landing);
}

/** What all companies have. */
function SharedSettings({
  noted,
  onSaved,
  ...props
}: OwnProps & { noted: boolean; onSaved: (record: WireRecord) => void }) {
  const { screen, record, server, company, whose, onWhose } = props;
  const mayWrite = mayWriteTo(props);
  const [hardening, setHardening] = useState(false);
  const form = useForm({
    screen,
    id: 'single',
    single: true,
    loaded: useMemo(() => ({ base: record, start: record }), [record]),
    onSaved: (now) => {
      onSaved(now);
      toast.success(`${screen.title} saved.`);
    },
  });
  const values = useSyncExternalStore(form.store.subscribe, form.store.values);
  const unsafe = useMemo(() => unsafeSettings(screen, values, server), [screen, values, server]);
  const open = unsafe.filter(({ field }) => server[field.name]?.value === undefined);
  const settings = useMemo<SettingsOfForm>(
    () => ({
      server,
      company,
      readOnly: !mayWrite,
      own: 'Chosen for all companies',
      fallback: (field) => ({ value: field.default ?? null, words: 'Default' }),
    }),
    [server, company, mayWrite],
  );
  const changed = screen.fields.filter(
    (field) => field.default !== undefined && !field.readOnly && !sameValue(field, values[field.name], field.default),
  );
  const reset = () => {
    void confirmDialog({
      title: 'Reset to the defaults?',
      text: `${changed.length === 1 ? 'One setting' : `${changed.length} settings`}: ${changed.map(({ title }) => title).join(', ')}. It holds for everybody at once.`,
      confirmLabel: 'Reset to the defaults',
      danger: true,
    }).then((sure) => {
      if (sure) apply(form, Object.fromEntries(changed.map((field) => [field.name, field.default])));
    });
  };
  const harden = mayWrite && open.length > 0 ? () => setHardening(true) : null;
  return (
    <SettingsFrame
      {...props}
      form={form}
      mayWrite={mayWrite}
      settings={noted ? settings : null}
      more={
        noted && mayWrite
          ? [
              {
                label: 'Reset to the defaults',
                disabled: changed.length === 0,
                reason: 'Every setting has its default.',
                onClick: reset,
              },
            ]
          : []
      }
      above={
        noted && (
          <>
            <WhoseSettings form={form} company={company} whose={whose} onWhose={onWhose} />
            {screen.fields.some((field) => field.risk) && (
              <SafetyBar unsafe={unsafe} onShow={(name) => show(form, name)} onHarden={harden} />
            )}
          </>
        )
      }
    >
      {hardening && (
        <Suspense fallback={null}>
          <HardenDialog
            screen={screen}
            unsafe={unsafe}
            server={server}
            dirty={form.dirty}
            onClose={() => setHardening(false)}
            onHarden={(safe) => {
              setHardening(false);
              apply(form, safe);
            }}
          />
        </Suspense>
      )}
    </SettingsFrame>
  );
}

/** The current company's own values. */
function CompanySettingsForm({
  company,
  onSaved,
  ...props
}: OwnProps & { company: CompanySettings; onSaved: (company: CompanySettings) => void }) {
  const { record, server, whose, onWhose } = props;
  const mayWrite = mayWriteTo(props);
  const screen = useMemo(() => companyScreen(props.screen), [props.screen]);
  const base = useMemo(() => ({ ...record, ...company.values }), [record, company]);
  const submit = useCallback(
    async (values: Values) => {
      try {
        const { data } = await api.put<{ data: CompanySettings }>(
          `/tapi/${screen.name}/single/company`,
          { version: company.version, values: ownValues(screen.fields, values, record) },
          { quiet: true, entityId: company.entity_id },
        );
        onSaved(data);
        return { kind: 'saved' as const, record: { ...record, ...data.values } as WireRecord };
      } catch (thrown) {
        if (!(thrown instanceof ApiError)) throw thrown;
        return outcomeOf(thrown);
      }
    },
    [screen, company, record, onSaved],
  );
  const form = useForm({
    screen,
    id: `company ${company.entity_id}`,
    loaded: useMemo(() => ({ base, start: base }), [base]),
    submit,
    onSaved: () => toast.success(`Settings of ${company.name} saved.`),
  });
  const settings = useMemo<SettingsOfForm>(
    () => ({
      server,
      company: null,
      readOnly: !mayWrite,
      own: `Chosen for ${company.name}`,
      fallback: (field) => ({
        value: record[field.name],
        words: sameValue(field, record[field.name], field.default) ? 'Default' : 'From all companies',
      }),
    }),
    [server, company, mayWrite, record],
  );
  const values = useSyncExternalStore(form.store.subscribe, form.store.values);
  const own = ownValues(screen.fields, values, record);
  const titles = screen.fields.filter(({ name }) => name in own).map(({ title }) => title);
  const reset = () => {
    void confirmDialog({
      title: 'Return to the settings of all companies?',
      text: `${company.name} gives up its own: ${titles.join(', ')}.`,
      confirmLabel: 'Remove them',
      danger: true,
    }).then((sure) => {
      if (sure) apply(form, Object.fromEntries(Object.keys(own).map((name) => [name, record[name]])));
    });
  };
  return (
    <SettingsFrame
      {...props}
      form={form}
      mayWrite={mayWrite}
      settings={settings}
      more={
        mayWrite
          ? [
              {
                label: 'Return to the settings of all companies',
                disabled: titles.length === 0,
                reason: 'This company has no separate settings.',
                onClick: reset,
              },
            ]
          : []
      }
      above={<WhoseSettings form={form} company={company} whose={whose} onWhose={onWhose} />}
    />
  );
}

/** Applies values and saves the form. */
function apply(form: FormController, values: Values): void {
  form.store.set(values);
  form.save();
}

function show(form: FormController, name: string): void {
  form.layout.setTab(Math.max(0, tabOf(form.store.screen, name)));
  // After the tab has been rendered.
  requestAnimationFrame(() => requestAnimationFrame(() => focusField(form.prefix, name)));
}

/** All companies, or the current one; only if there are several. */
function WhoseSettings({
  form,
  company,
  whose,
  onWhose,
}: {
  form: FormController;
  company: CompanySettings | null;
  whose: Whose;
  onWhose: (whose: Whose) => void;
}) {
  const { entities } = useSession();
  if (!company || entities.length < 2) return null;
  const change = async (to: Whose) => {
    if (
      form.dirty &&
      !(await confirmDialog({
        title: 'Leave without saving?',
        text: 'What you entered is not saved.',
        confirmLabel: 'Leave',
        cancelLabel: 'Stay',
        danger: true,
      }))
    )
      return;
    onWhose(to);
  };
  return (
    <div className={styles.whose}>
      <RadioGroup
        layout="horizontal"
        aria-label="Whose settings"
        value={whose}
        onChange={(_, { value }) => void change(value as Whose)}
      >
        <Radio value="all" label="All companies" />
        <Radio value="company" label={`${company.name} alone`} />
      </RadioGroup>
    </div>
  );
}

function SettingsFrame({
  screen,
  form,
  mayWrite,
  settings,
  more,
  above,
  children,
}: PageProps & {
  form: FormController;
  mayWrite: boolean;
  settings: SettingsOfForm | null;
  more: PageAction[];
  above: ReactNode;
  children?: ReactNode;
}) {
  useUnsavedGuard(form.dirty, form.abandon);
  useFormKeys({ save: () => mayWrite && form.save(), leave: () => form.dirty && form.discard() });
  return (
    <Page
      title={screen.title}
      layout="form"
      {...(mayWrite && {
        primary: {
          label: form.saving ? 'Saving' : 'Save',
          icon: <SaveRegular />,
          busy: form.saving,
          shortcut: 'Ctrl+S',
          onClick: form.save,
        },
      })}
      secondary={form.dirty ? [{ label: 'Discard', onClick: form.discard }] : []}
      more={more}
    >
      <PageBody>
        {above}
        <Notices form={form} />
        <SettingsContext value={settings}>
          <FieldNoteContext value={settings ? SettingNote : null}>
            <FormBody form={form} readOnly={!mayWrite} />
          </FieldNoteContext>
        </SettingsContext>
        {children}
      </PageBody>
    </Page>
  );
}
