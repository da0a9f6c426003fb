import { MantineProvider } from '@mantine/core';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { RouterProvider } from 'react-router/dom';
import { errorCode, NoAnswerError } from '../lib/problem.ts';
import { sessionKey } from '../lib/session.ts';
import { useHasNotices } from '../parts/notify.ts';
import { colorSchemes } from './color-scheme.ts';
import { router } from './router.tsx';
import { cssVariables, theme } from './theme.ts';

const staleMs = 20_000;
const queries = createQueryClient();

/** Everything around the pages: theme, query cache and router. */
export function Providers() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemes.manager}
    >
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <NoticeCorner />
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** Creates the cache of everything that pages read. When the server says that the session has ended, the sign-in page follows. */
function createQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (errorCode(error) === 'not_signed_in') client.setQueryData(sessionKey, null);
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        // A call without a connection fails and says so, instead of waiting without a word.
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: staleMs,
        // The SDK retries calls itself. Only the console's own API needs retries here.
        retry: (failures, error) => error instanceof NoAnswerError && failures < 2,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return client;
}

const loadNotices = () => import('../parts/notices.tsx');
const Notices = lazy(async () => ({ default: (await loadNotices()).Notices }));

const idleMs = 3_000;

/** The place of notices. It is there once for all pages. What shows them is loaded a moment after the page, so that it is there offline. */
function NoticeCorner() {
  useEffect(() => {
    const timer = setTimeout(() => void loadNotices().catch(() => undefined), idleMs);
    return () => clearTimeout(timer);
  }, []);
  return useHasNotices() ? (
    <Suspense>
      <Notices />
    </Suspense>
  ) : null;
}
