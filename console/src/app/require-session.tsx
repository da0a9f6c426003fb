import { Center, Container, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { Navigate, Outlet, useLocation, useSearchParams } from 'react-router';
import { problemText } from '#strings/problem.ts';
import { sessionQuery } from '../lib/session.ts';
import { chooseWorkspace, keepWorkspace, useIsOwner, WorkspaceContext } from '../lib/workspace.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { MessagePage, MessageWithLink, NotFoundPage } from './message-page.tsx';
import { useListedPages } from './use-listed-pages.ts';

/** Shows the pages inside of it to people who are signed in and in a workspace. Others get the sign-in page, which leads back. */
export function RequireSession() {
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
  if (session === undefined) {
    return (
      <Center mih="60vh">
        <Loader size="sm" />
      </Center>
    );
  }
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
export function RequireOwner() {
  return useIsOwner() ? <Outlet /> : <MessagePage {...problemText.ownerOnly} />;
}

/** Leads to the first page that the person may open. */
export function FirstPage() {
  const path = useListedPages()[0]?.path;
  return path === undefined ? <NotFoundPage /> : <Navigate to={`/${path}`} replace />;
}
