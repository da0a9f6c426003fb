import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from 'react-router/dom';
import { NoticeCorner } from '../parts/notice-corner.tsx';
import { colorSchemes } from './color-scheme.ts';
import { createQueryClient } from './query-client.ts';
import { router } from './router.ts';
import { cssVariables, theme } from './theme.ts';

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
