import { type ComponentType, useEffect, useState } from 'react';
import { createBrowserRouter, type RouteObject } from 'react-router';
import { NotLoadedError } from '../lib/problem.ts';
import { ErrorPage } from './error-page.tsx';
import { NotFoundPage } from './message-page.tsx';
import { type Page, pages } from './navigation.ts';
import { publicPages } from './public-pages.ts';
import { FirstPage, RequireOwner, RequireSession } from './require-session.tsx';

type Load = () => Promise<ComponentType>;

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

/**
 * Returns the part of a route that loads its component when it is first shown. If the code cannot be loaded, because the connection broke
 * or the server was updated, the error page of the route says so.
 */
function lazyRoute(load: Load): Pick<RouteObject, 'lazy' | 'ErrorBoundary'> {
  // A router shows nothing at all while the code of a matched route is missing, so a failure is a component, too.
  return {
    lazy: async () => ({ Component: await load().catch(() => failedComponent(load)) }),
    ErrorBoundary: ErrorPage,
  };
}

/** Returns a component that tries to load the page again each time that it is shown. */
function failedComponent(load: Load): ComponentType {
  return function FailedPage() {
    const [outcome, setOutcome] = useState<{ Page: ComponentType } | { error: Error } | null>(null);
    useEffect(() => {
      load().then(
        (Page) => setOutcome({ Page }),
        (cause: unknown) => setOutcome({ error: new NotLoadedError('A page was not loaded.', { cause }) }),
      );
    }, []);
    if (outcome === null) return null;
    if ('error' in outcome) throw outcome.error;
    return <outcome.Page />;
  };
}
