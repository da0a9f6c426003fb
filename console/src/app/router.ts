import { createBrowserRouter, type RouteObject } from 'react-router';
import { ErrorPage } from './error-page.tsx';
import { FirstPage } from './first-page.tsx';
import { lazyRoute } from './lazy-page.tsx';
import { pages } from './navigation.ts';
import { NotFoundPage } from './not-found-page.tsx';
import type { Page } from './page.ts';
import { publicPages } from './public-pages.ts';
import { RequireOwner } from './require-owner.tsx';
import { RequireSession } from './require-session.tsx';

function lazyPage({ path, load }: Pick<Page, 'path' | 'load'>): RouteObject {
  return { path, ...lazyRoute(load) };
}

/** The routes of the console: those that anybody may open, and those behind the sign-in, inside of the shell. */
export const router = createBrowserRouter(
  [
    {
      ErrorBoundary: ErrorPage,
      HydrateFallback: () => null,
      children: [
        ...publicPages.map(lazyPage),
        {
          Component: RequireSession,
          ErrorBoundary: ErrorPage,
          children: [
            {
              ...lazyRoute(async () => (await import('./shell.tsx')).Shell),
              children: [
                { index: true, Component: FirstPage },
                ...pages.filter(({ ownerOnly }) => !ownerOnly).map(lazyPage),
                {
                  Component: RequireOwner,
                  children: pages.filter(({ ownerOnly }) => ownerOnly).map(lazyPage),
                },
                { path: '*', Component: NotFoundPage },
              ],
            },
          ],
        },
      ],
    },
  ],
  { basename: '/console' },
);
