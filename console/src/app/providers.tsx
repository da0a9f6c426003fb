import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { RouterProvider } from 'react-router/dom';
import { useHasNotices } from '../parts/notify.ts';
import { queries } from './queries.ts';
import { router } from './router.tsx';
import { colorSchemes, cssVariables, theme } from './theme.ts';

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
