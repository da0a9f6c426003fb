import { Button, Container, Stack } from '@mantine/core';
import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { problemText } from '#strings/problem.ts';
import { describeProblem, NotLoadedError } from '../lib/problem.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { PageTitle } from '../parts/page-header.tsx';

const storageName = 'console-reloaded-at';
const againMs = 60_000;

/** The page for an error that no part of a page handles, such as code that cannot be loaded after an update of the server. */
export function ErrorPage() {
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

/**
 * Reloads the page, unless that was tried a minute ago or the browser is offline. After an update of the server, the code that an open page
 * asks for is gone, and the reloaded page asks for the new one.
 */
function reloadOnce(): void {
  if (!navigator.onLine) return;
  try {
    const last = Number(sessionStorage.getItem(storageName) ?? 0);
    if (Date.now() - last < againMs) return;
    sessionStorage.setItem(storageName, String(Date.now()));
  } catch {
    // Without storage there is no way to know, and a page that reloads for ever is worse than a button.
    return;
  }
  location.reload();
}
