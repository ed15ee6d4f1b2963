import { FluentProvider, Switch } from '@fluentui/react-components';
import { SaveRegular } from '@fluentui/react-icons';
import { useState, useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router-dom';
import useSWR from 'swr';
import type { Screen, ScreenRef } from '../../../descriptor/types.ts';
import { READABLE_CONTRAST, contrastWithWhite } from '../../../domain/contrast.ts';
import { useScreen, useScreenRef } from '../../api/screens.ts';
import type { Brand } from '../../app/brand.ts';
import { productBrand, useBrand } from '../../app/brand.ts';
import { toast } from '../../app/feedback.ts';
import { SignIn } from '../../app/login/LoginPage.tsx';
import { ErrorView, Page, PageBody, Skeleton, useUnsavedGuard } from '../../app/page.tsx';
import { useDark } from '../../app/preferences.ts';
import { themeFor } from '../../app/theme.ts';
import { fileAddress } from '../../runtime/fields/files/file_calls.ts';
import { FormBody, Notices } from '../../runtime/form/RecordForm.tsx';
import type { FormStore } from '../../runtime/form/form_store.ts';
import { useForm } from '../../runtime/form/use_form.ts';
import { useFormKeys } from '../../runtime/form/use_form_keys.ts';
import type { LoadedRecord } from '../../runtime/form/use_record.ts';
import { useRecord } from '../../runtime/form/use_record.ts';
import type { Values } from '../../runtime/form/values.ts';
import type { BespokeProps } from '../bespoke_props.ts';
import styles from './brand_preview.module.css';

/** A brand with values applied; empty values keep the original. Pictures are given by their addresses. */
export function brandOf(
  values: Values,
  base: Brand,
  { logo, icon }: { logo: string | null; icon: string | null },
): Brand {
  const text = (name: string) => (typeof values[name] === 'string' && values[name] !== '' ? values[name] : null);
  const colour = text('primary_color');
  return {
    title: text('title') ?? base.title,
    logo: logo ?? base.logo,
    favicon: icon ?? base.favicon,
    primary: colour !== null && /^#[0-9a-f]{6}$/i.test(colour) ? colour : base.primary,
    loginVariant: (text('login_variant') as Brand['loginVariant'] | null) ?? base.loginVariant,
    menuVariant: (text('menu_variant') as Brand['menuVariant'] | null) ?? base.menuVariant,
    supportEmail: text('support_email') ?? base.supportEmail,
    supportPhone: text('support_phone') ?? base.supportPhone,
    links: Array.isArray(values.links)
      ? (values.links as Brand['links']).filter(({ name, url }) => name && url)
      : base.links,
  };
}

/** A brand's form with a live preview beside it: tab, top bar and the sign-in page. */
export default function BrandPreviewPage({ params }: BespokeProps) {
  const own = params.id === undefined;
  const { screen, error, retry } = useScreen(own ? 'brand_setting' : 'brand');
  const access = useScreenRef(own ? 'brand_setting' : 'brand');
  if (screen && access)
    return <Loading screen={screen} access={access} {...(params.id !== undefined && { id: params.id })} />;
  return (
    <Page title="Look" layout="page">
      <PageBody>
        {error ? <ErrorView error={error} retry={retry} home /> : <Skeleton rows={8} label="Loading the brand" />}
      </PageBody>
    </Page>
  );
}

interface BrandProps {
  screen: Screen;
  access: ScreenRef;
  /** Absent: the client's own brand. */
  id?: string;
}

function Loading(props: BrandProps) {
  const { screen, id } = props;
  const { loaded, error, retry } = useRecord(screen, id === undefined ? { single: true } : { id });
  if (loaded) return <Editing {...props} loaded={loaded} />;
  return (
    <Page title={screen.title} layout="page">
      <PageBody>
        {error ? <ErrorView error={error} retry={retry} home /> : <Skeleton rows={8} label="Loading the brand" />}
      </PageBody>
    </Page>
  );
}

function Editing({ screen, access, id, loaded }: BrandProps & { loaded: LoadedRecord }) {
  const navigate = useNavigate();
  const here = useBrand();
  const mayWrite = access.rights.edit_screen && access.rights.write;
  const form = useForm({
    screen,
    id,
    loaded,
    single: id === undefined,
    onSaved: () => toast.success(`${screen.title} saved. Pages show it when they are loaded next.`),
  });
  useUnsavedGuard(form.dirty, form.abandon);
  useFormKeys({ save: () => mayWrite && form.save(), leave: () => void navigate(access.routes.landing) });
  const [dark, setDark] = useState(useDark());
  return (
    <Page
      title={id === undefined ? screen.title : String(loaded.base.title ?? screen.title)}
      layout="page"
      breadcrumbs={[{ label: screen.plural, to: access.routes.landing }]}
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
      aside={<Switch label="Dark" checked={dark} onChange={(_, { checked }) => setDark(checked)} />}
    >
      <PageBody>
        <Notices form={form} />
        <div className={styles.beside}>
          <div className={styles.form}>
            <FormBody form={form} readOnly={!mayWrite} />
          </div>
          <Look store={form.store} base={id === undefined ? here : productBrand} dark={dark} />
        </div>
      </PageBody>
    </Page>
  );
}

/** The address of the picture with this id. */
function usePicture(value: unknown): string | null {
  const id = typeof value === 'number' ? value : null;
  return (
    useSWR(id === null ? null : ['picture', id], () => fileAddress(id!), {
      revalidateOnFocus: false,
      revalidateOnReconnect: false,
    }).data ?? null
  );
}

function Look({ store, base, dark }: { store: FormStore; base: Brand; dark: boolean }) {
  const values = useSyncExternalStore(store.subscribe, store.values);
  const brand = brandOf(values, base, { logo: usePicture(values.logo), icon: usePicture(values.icon) });
  const contrast = brand.primary === null ? null : contrastWithWhite(brand.primary);
  return (
    <section aria-label="Preview" className={styles.look}>
      <p
        className={styles.note}
        data-bad={contrast !== null && contrast < READABLE_CONTRAST ? '' : undefined}
        role="status"
      >
        {contrast === null
          ? 'The product’s own colour.'
          : `White text on ${brand.primary ?? ''} has a contrast of ${contrast.toFixed(1)} : 1${contrast < READABLE_CONTRAST ? `; it needs ${READABLE_CONTRAST} : 1` : ''}.`}
      </p>
      <FluentProvider
        theme={themeFor(brand.primary, dark)}
        className={styles.window}
        aria-label={`Preview of ${brand.title}`}
        role="group"
      >
        <div className={styles.tab}>
          <img src={brand.favicon ?? '/favicon.svg'} alt="" width={16} height={16} />
          <span>{brand.title}</span>
        </div>
        <div className={styles.bar}>
          <img src={brand.logo ?? '/favicon.svg'} alt="" width={28} height={28} />
          <span>{brand.title}</span>
        </div>
        {/* The real page; nothing on it can be focused. */}
        <div className={styles.signIn} inert>
          <SignIn host={{ subDomain: 'preview', admin: false, known: true, brand }} />
        </div>
      </FluentProvider>
    </section>
  );
}
