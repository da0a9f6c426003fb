import type { Session } from '@postrider/contract/console';
import { queryOptions, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { askConsole } from './ask-console.ts';
import { codeOf } from './problem.ts';

/** The key of the session in the query cache. */
export const sessionKey = ['session'];

/** The query for who is signed in; null for nobody. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: ({ signal }) => readSession(signal),
  staleTime: 5 * 60_000,
});

async function readSession(signal: AbortSignal): Promise<Session | null> {
  try {
    return await askConsole('session.get', {}, { signal });
  } catch (error) {
    if (codeOf(error) === 'not_signed_in') return null;
    throw error;
  }
}

/** Returns who is signed in, with the workspaces. Only for pages behind the sign-in. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery);
  if (data === null) throw new Error('This page needs a session.');
  return data;
}

/** Returns a function that ends the session on the server. The sign-in page follows. */
export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient();
  return useCallback(async () => {
    await askConsole('session.signOut', {});
    queries.setQueryData(sessionKey, null);
  }, [queries]);
}
