import { FluentProvider, Switch } from '@fluentui/react-components';
import { useState } from 'react';
import useSWR from 'swr';
import type { WireRecord } from '../../../descriptor/types.ts';
import { contrastWithWhite } from '../../../domain/contrast.ts';
import { api } from '../../api/http.ts';
import type { Brand } from '../../app/brand.ts';
import { productBrand, useBrand } from '../../app/brand.ts';
import { SignIn } from '../../app/login/LoginPage.tsx';
import { ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { useDark } from '../../app/preferences.ts';
import { themeFor } from '../../app/theme.ts';
import { fileAddress } from '../../runtime/fields/files/file_calls.ts';
import type { BespokeProps } from '../pages.ts';
import styles from './brand_preview.module.css';

/** The brand that a record makes of another: what it leaves empty stays. */
async function brandOf(path: string, base: Brand): Promise<Brand> {
  const { data: record } = await api.get<{ data: WireRecord }>(path, undefined, { quiet: true });
  const text = (name: string) => (typeof record[name] === 'string' && record[name] !== '' ? record[name] : null);
  const picture = async (name: string) => (typeof record[name] === 'number' ? fileAddress(record[name]) : null);
  const [logo, icon] = await Promise.all([picture('logo'), picture('icon')]);
  return {
    title: text('title') ?? base.title,
    logo: logo ?? base.logo,
    favicon: icon ?? base.favicon,
    primary: text('primary_color') ?? base.primary,
    loginVariant: (text('login_variant') as Brand['loginVariant'] | null) ?? base.loginVariant,
    menuVariant: (text('menu_variant') as Brand['menuVariant'] | null) ?? base.menuVariant,
    supportEmail: text('support_email') ?? base.supportEmail,
    supportPhone: text('support_phone') ?? base.supportPhone,
    links: Array.isArray(record.links) ? (record.links as unknown as Brand['links']) : base.links,
  };
}

/** How a brand looks, as it is stored: tab, top bar and the sign-in page itself. */
export default function BrandPreviewPage({ params }: BespokeProps) {
  const own = params.id === undefined;
  const here = useBrand();
  const path = own ? '/tapi/brand_setting/single' : `/api/brand/${params.id}`;
  const { data: brand, error, mutate } = useSWR(['brand', path], () => brandOf(path, own ? here : productBrand), { revalidateOnFocus: false });
  const [dark, setDark] = useState(useDark());
  return (
    <Page
      title="Preview"
      breadcrumbs={own ? [{ label: 'Look', to: '/brand_setting' }] : [{ label: 'Brands', to: '/brand' }]}
      secondary={[{ label: 'Edit', to: own ? '/brand_setting' : `/brand/edit/${params.id}` }]}
      aside={<Switch label="Dark" checked={dark} onChange={(_, { checked }) => setDark(checked)} />}
    >
      <PageBody>{error && !brand ? <ErrorView error={error} retry={() => void mutate()} /> : !brand ? <Skeleton rows={8} label="Loading the brand" /> : <Look brand={brand} dark={dark} />}</PageBody>
    </Page>
  );
}

function Look({ brand, dark }: { brand: Brand; dark: boolean }) {
  const words = brand.primary === null ? 'The product’s own colour.' : `White text on ${brand.primary} has a contrast of ${contrastWithWhite(brand.primary).toFixed(1)} : 1.`;
  return (
    <>
      <p className={styles.note}>As it is stored; other pages show it when they are loaded next. {words}</p>
      <FluentProvider theme={themeFor(brand.primary, dark)} className={styles.window} aria-label={`Preview of ${brand.title}`} role="group">
        <div className={styles.tab}>
          <img src={brand.favicon ?? '/favicon.svg'} alt="" width={16} height={16} />
          <span>{brand.title}</span>
        </div>
        <div className={styles.bar}>
          <img src={brand.logo ?? '/favicon.svg'} alt="" width={28} height={28} />
          <span>{brand.title}</span>
        </div>
        {/* The page itself; nothing on it can be reached. */}
        <div className={styles.signIn} inert>
          <SignIn host={{ subDomain: 'preview', admin: false, known: true, brand }} />
        </div>
      </FluentProvider>
    </>
  );
}
