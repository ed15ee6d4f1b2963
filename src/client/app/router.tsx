import type { ComponentType } from 'react';
import { useState } from 'react';
import { Navigate, createBrowserRouter } from 'react-router-dom';
import { CrashPage } from './crash_page.tsx';
import { FirstLoad } from './first_load.tsx';
import { loadInTime } from './lazy_page.ts';
import { currentSession, hasProduct } from './session.ts';

/** A lazy route: its chunk has a time-out of 120 s. */
function page(load: () => Promise<{ default: ComponentType }>) {
  return async () => ({ Component: (await loadInTime(load)).default });
}

const fallback = { HydrateFallback: FirstLoad };

/** Sign-in pages redirect a signed-in person to the first page. */
function SignedOutOnly({ Page }: { Page: ComponentType }) {
  // Checked once: during sign-in, the page itself decides where to go.
  const [session] = useState(currentSession);
  // A link in a mail may belong to another account.
  if (session.signedIn && !location.hash.startsWith('#token='))
    return <Navigate to={hasProduct(session.products, 'FMS') ? '/welcome_page' : '/'} replace />;
  return <Page />;
}

function signedOut(load: () => Promise<{ default: ComponentType }>) {
  return async () => {
    const { default: Page } = await loadInTime(load);
    return { Component: () => <SignedOutOnly Page={Page} /> };
  };
}

export const router = createBrowserRouter([
  {
    ErrorBoundary: CrashPage,
    children: [
      { path: '/login', lazy: signedOut(() => import('./login/LoginPage.tsx')), ...fallback },
      { path: '/forgotpassword', lazy: signedOut(() => import('./login/ForgotPage.tsx')), ...fallback },
      { path: '/forgotpassword_admin', lazy: signedOut(() => import('./login/ForgotPage.tsx')), ...fallback },
      {
        path: '/',
        lazy: page(() => import('./layout/Layout.tsx')),
        ...fallback,
        children: [
          { index: true, lazy: page(() => import('./start_page.tsx')), ErrorBoundary: CrashPage, ...fallback },
          { path: 'show_list', lazy: page(() => import('./home/HomePage.tsx')), ErrorBoundary: CrashPage, ...fallback },
          {
            path: 'welcome_page',
            lazy: page(() => import('./home/WelcomePage.tsx')),
            ErrorBoundary: CrashPage,
            ...fallback,
          },
          { path: '*', lazy: page(() => import('./screen_page.tsx')), ErrorBoundary: CrashPage, ...fallback },
        ],
      },
    ],
  },
]);
