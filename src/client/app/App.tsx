import { FluentProvider, RendererProvider, createDOMRenderer } from '@fluentui/react-components';
import { Suspense, lazy, useEffect } from 'react';
import { RouterProvider } from 'react-router-dom';
import { useBrand } from './brand.ts';
import { Crash } from './crash_page.tsx';
import { dialogsUsed, focusKeeper } from './feedback.ts';
import { loadInTime } from './lazy_page.ts';
import { useDark } from './preferences.ts';
import { router } from './router.tsx';
import { Toaster } from './toaster.tsx';
import { themeFor } from './theme.ts';
import styles from './app.module.css';

/**
 * Error boundaries of pages do not cover the area around the router: errors there are shown in place of missing parts.
 */
const DialogHost = lazy(() =>
  loadInTime(() => import('./dialogs/dialog_host.tsx')).catch((error: unknown) => ({
    default: () => <Crash error={error} />,
  })),
);

/** The server's nonce for our style elements, under the content security policy. */
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content;
const renderer = createDOMRenderer(document, nonce ? { styleElementAttributes: { nonce } } : {});

/** Theme, toasts and dialogs around every page. */
export function App() {
  const brand = useBrand();
  const dark = useDark();
  const asking = dialogsUsed.use();
  const Keeper = focusKeeper.use();

  useEffect(() => {
    document.documentElement.style.colorScheme = dark ? 'dark' : 'light';
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  }, [dark]);

  useEffect(() => {
    if (!brand.favicon) return;
    document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.setAttribute('href', brand.favicon);
  }, [brand.favicon]);

  return (
    <RendererProvider renderer={renderer}>
      <FluentProvider theme={themeFor(brand.primary, dark)}>
        {/* Not on the provider: its class would apply to every layer above the page too, and cover it. */}
        <div className={styles.app}>
          <RouterProvider router={router} />
          <Toaster />
          {Keeper && <Keeper />}
          {asking && (
            <Suspense fallback={null}>
              <DialogHost />
            </Suspense>
          )}
        </div>
      </FluentProvider>
    </RendererProvider>
  );
}
