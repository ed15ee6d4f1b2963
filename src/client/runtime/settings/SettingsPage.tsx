import { SaveRegular } from '@fluentui/react-icons';
import type { WireRecord } from '../../../descriptor/types.ts';
import { toast } from '../../app/feedback.ts';
import { MenuIcon } from '../../app/layout/MenuIcon.tsx';
import { ErrorView, Page, PageBody, Skeleton, useUnsavedGuard } from '../../app/page.tsx';
import { FormBody, Notices } from '../form/RecordForm.tsx';
import { useForm } from '../form/use_form.ts';
import { useFormKeys } from '../form/use_form_keys.ts';
import type { LoadedRecord } from '../form/use_record.ts';
import { useRecord } from '../form/use_record.ts';
import type { PageProps } from '../page_props.ts';
import { actionsFor } from '../record_action.ts';

/** One record that is always there: the form stays open after saving. */
export default function SettingsPage(props: PageProps) {
  const { screen } = props;
  const { loaded, error, retry } = useRecord(screen, { single: true });
  if (loaded) return <LoadedSettings {...props} loaded={loaded} />;
  return (
    <Page title={screen.title} layout="form">
      <PageBody>{error ? <ErrorView error={error} retry={retry} home /> : <Skeleton rows={10} />}</PageBody>
    </Page>
  );
}

function LoadedSettings({ screen, access, loaded }: PageProps & { loaded: LoadedRecord }) {
  const mayWrite = access.rights.write && (access.rights.edit_screen || access.rights.add_screen || access.rights.landing);
  const form = useForm({ screen, id: 'single', single: true, loaded, onSaved: () => toast.success(`${screen.title} saved.`) });
  useUnsavedGuard(form.dirty);
  useFormKeys({ save: () => mayWrite && form.save(), leave: () => form.dirty && form.discard() });
  return (
    <Page
      title={screen.title}
      layout="form"
      {...(mayWrite && {
        primary: { label: form.saving ? 'Saving' : 'Save', icon: <SaveRegular />, busy: form.saving, shortcut: 'Ctrl+S', onClick: form.save },
      })}
      secondary={[
        ...(form.dirty ? [{ label: 'Discard', onClick: form.discard }] : []),
        ...actionsFor(screen, access, loaded.base as WireRecord).flatMap(({ title, icon, to }) => (to === undefined ? [] : [{ label: title, icon: <MenuIcon name={icon} fallback="Open" />, to }])),
      ]}
    >
      <PageBody>
        <Notices form={form} />
        <FormBody form={form} readOnly={!mayWrite} />
      </PageBody>
    </Page>
  );
}
