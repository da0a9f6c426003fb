import { Button, Center, Container, Loader, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useEffect, useMemo, useState } from 'react';
import {
  createBrowserRouter,
  type LoaderFunctionArgs,
  Navigate,
  Outlet,
  type RouteObject,
  replace,
  useLocation,
  useRouteError,
  useSearchParams,
} from 'react-router';
import { problemText } from '#strings/problem.ts';
import { describeProblem, NotLoadedError } from '../lib/problem.ts';
import { sessionQuery } from '../lib/session.ts';
import {
  chooseWorkspace,
  keepWorkspace,
  useIsOwner,
  WorkspaceContext,
  wasSignedIn,
} from '../lib/workspace.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { PageTitle } from '../parts/page-header.tsx';
import { MessagePage, MessageWithLink, NotFoundPage } from './message-page.tsx';
import { type Page, pages } from './navigation.ts';
import { publicPages } from './public-pages.ts';
import { queries } from './queries.ts';

type Load = () => Promise<ComponentType>;

/** Asks who is signed in while the code of the page is loaded. */
function beginSession(): null {
  void queries.prefetchQuery(sessionQuery);
  return null;
}

const firstPath = `/${pages[0]?.path}`;

/**
 * Leads to the first page as soon as it is known that somebody is signed in, while the code of the frame is loaded. Where somebody was
 * signed in before, so is the code of the page.
 */
async function leadToFirstPage({ request }: LoaderFunctionArgs) {
  if (new URL(request.url).searchParams.has('workspace')) return null;
  if (wasSignedIn()) void pages[0]?.load().catch(() => null);
  const session = await queries.query(sessionQuery).catch(() => null);
  return session && replace(firstPath);
}

function lazyPage({ path, load }: Pick<Page, 'path' | 'load'>): RouteObject {
  return { path, ...lazyRoute(load) };
}

/** The routes of the console: those that anybody may open, and those behind the sign-in, inside of the shell. */
export const router = createBrowserRouter(
  [
    {
      ErrorBoundary: ErrorPage,
      HydrateFallback: Waiting,
      children: [
        ...publicPages.map(lazyPage),
        {
          Component: RequireSession,
          ErrorBoundary: ErrorPage,
          loader: beginSession,
          children: [
            {
              ...lazyRoute(async () => (await import('./shell.tsx')).Shell),
              children: [
                { index: true, element: <Navigate to={firstPath} replace />, loader: leadToFirstPage },
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

/** Returns the part of a route that loads its component when it is first shown. If the code cannot be loaded, its error page says so. */
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

/** Shows the pages inside of it to people who are signed in and in a workspace. Others get the sign-in page, which leads back. */
function RequireSession() {
  const { pathname, search } = useLocation();
  const [params] = useSearchParams();
  const { data: session, error, refetch } = useQuery(sessionQuery);
  const asked = params.get('workspace');
  const isUnknown =
    asked !== null && session?.workspaces.every(({ workspace_id }) => workspace_id !== asked) === true;
  const membership = useMemo(
    () => (session && !isUnknown ? chooseWorkspace(session.workspaces, asked) : null),
    [session, isUnknown, asked],
  );
  useEffect(() => {
    if (membership) keepWorkspace(membership.workspace_id);
  }, [membership]);

  if (session === undefined && error) {
    return (
      <Container size="xs" py="xl">
        <ApiProblem error={error} onRetry={() => void refetch()} />
      </Container>
    );
  }
  if (session === undefined) return <Waiting />;
  if (session === null)
    return <Navigate to={`/sign-in?next=${encodeURIComponent(pathname + search)}`} replace />;
  if (session.workspaces.length === 0) return <MessagePage {...problemText.noWorkspace} />;
  if (membership === null) return <MessageWithLink {...problemText.unknownWorkspace} />;
  return (
    <WorkspaceContext value={membership}>
      <Outlet key={membership.workspace_id} />
    </WorkspaceContext>
  );
}

/** Shows the pages inside of it to owners of the workspace. Members are told why they do not see them. */
function RequireOwner() {
  return useIsOwner() ? <Outlet /> : <MessagePage {...problemText.ownerOnly} />;
}

function Waiting() {
  return (
    <Center mih="60vh">
      <Loader size="sm" />
    </Center>
  );
}

const storageName = 'console-reloaded-at';
const againMs = 60_000;

/** The page for an error that no part of a page handles, such as code that cannot be loaded after an update of the server. */
function ErrorPage() {
  const error = useRouteError();
  useEffect(() => {
    if (error instanceof NotLoadedError) reloadOnce();
  }, [error]);
  return (
    <Container size="xs" py="xl">
      <PageTitle title={describeProblem(error).title} />
      <Stack gap="md">
        <ApiProblem error={error} />
        <div>
          <Button variant="default" onClick={() => location.reload()}>
            {problemText.reload}
          </Button>
        </div>
      </Stack>
    </Container>
  );
}

/** Reloads the page once a minute at most. After an update of the server, the code that an open page requests no longer exists. */
function reloadOnce(): void {
  if (!navigator.onLine) return;
  try {
    const last = Number(sessionStorage.getItem(storageName) ?? 0);
    if (Date.now() - last < againMs) return;
    sessionStorage.setItem(storageName, String(Date.now()));
  } catch {
    // Without storage there is no way to know, and a page that reloads forever is worse than a button.
    return;
  }
  location.reload();
}
