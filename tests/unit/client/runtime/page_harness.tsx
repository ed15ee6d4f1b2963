import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { render } from '@testing-library/react';
import type { ComponentType } from 'react';
import { RouterProvider, createMemoryRouter, useSearchParams } from 'react-router-dom';
import { vi } from 'vitest';
import { lookNames } from '../../../../src/descriptor/words/looks.ts';
import type { Screen, ScreenRef } from '../../../../src/descriptor/types.ts';
import { toasts } from '../../../../src/client/app/feedback.ts';
import { rememberSession } from '../../../../src/client/app/session.ts';
import DialogHost from '../../../../src/client/app/dialogs/dialog_host.tsx';
import type { PageProps } from '../../../../src/client/runtime/page_props.ts';
import { screenSample } from '../app/screens_sample.ts';

/** What the user may do with a screen: everything, unless said. */
export function accessOf(screen: Screen, rights: Partial<ScreenRef['rights']> = {}): ScreenRef {
  return screenSample(screen.name, rights, {
    title: screen.title,
    plural: screen.plural,
    tree: screen.tree !== undefined,
    ...(screen.looks && { looks: lookNames(screen) }),
    ...(screen.library && { library: true as const }),
    routes: screen.routes,
  });
}

/** Opens a page of a screen at an address, signed in; other addresses show where one has gone. */
export function openPage(
  Kind: ComponentType<PageProps>,
  screen: Screen,
  query = '',
  rights: Partial<ScreenRef['rights']> = {},
) {
  rememberSession({ token: 'tok', user_id: 7, user_name: 'Asha Rao', entity_id: 1 });
  toasts.set([]);
  const access = accessOf(screen, rights);
  function Mounted() {
    const [params] = useSearchParams();
    return <Kind screen={screen} access={access} page="landing" query={params} />;
  }
  const router = createMemoryRouter(
    [
      { path: screen.routes.landing, Component: Mounted },
      { path: '*', element: <p>Elsewhere</p> },
    ],
    { initialEntries: [`${screen.routes.landing}${query}`] },
  );
  render(
    <FluentProvider theme={webLightTheme}>
      <RouterProvider router={router} />
      <DialogHost />
    </FluentProvider>,
  );
  return router;
}

/** A window as narrow as a phone's. */
export function asPhone(): void {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('max-width'),
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
}
