import { Button, Container, Stack } from '@mantine/core';
import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { problemText } from '#strings/problem.ts';
import { describeProblem, NotLoadedError } from '../lib/problem.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { PageTitle } from '../parts/page-header.tsx';
import { reloadOnce } from './reload-once.ts';

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
