import type { Session } from '@postrider/contract/console';
import { queryOptions, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { askConsole } from './ask-console.ts';
import { errorCode, UnfinishedError } from './problem.ts';

/** The key of the session in the query cache. */
export const sessionKey = ['session'];

/** The query for who is signed in; null for nobody. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: ({ signal }) => readSession(signal),
  staleTime: 5 * 60_000,
  // A page that follows a failed loader shows the failure.
  retryOnMount: false,
});

async function readSession(signal: AbortSignal): Promise<Session | null> {
  try {
    const session = await askConsole('session.get', {}, { signal });
    enterSession(session);
    return session;
  } catch (error) {
    if (errorCode(error) === 'not_signed_in') return null;
    throw error;
  }
}

/** Returns who is signed in, with the workspaces. Only for pages behind the sign-in. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery);
  if (data === null) throw new Error('This page needs a session.');
  return data;
}

/** Something that a page keeps for the person who is signed in. */
export interface PersonalState {
  /** Finishes what the person began. Returns false if some of it failed. */
  finish?(): Promise<boolean>;
  clear(): void;
}

const kept = new Set<PersonalState>();
let lastPersonId: string | null = null;

/** Has something finished before the person signs out, and forgotten before another one sees the page. */
export function keepForPerson(state: PersonalState): void {
  kept.add(state);
}

/** Records who is signed in. Data kept for somebody else is discarded. */
export function enterSession({ person }: Session): void {
  if (lastPersonId !== null && lastPersonId !== person.id) clearKept();
  lastPersonId = person.id;
}

/** Returns the id of the person who is or was signed in last; null before the first one. */
export function lastPerson(): string | null {
  return lastPersonId;
}

function clearKept(): void {
  for (const state of kept) state.clear();
}

/**
 * Returns a function that finishes what the person began, and then ends the session on the server. The sign-in page follows.
 *
 * @throws UnfinishedError if something failed just now. Signing out again goes ahead.
 */
export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient();
  return useCallback(async () => {
    const finished = await Promise.all([...kept].map((state) => state.finish?.() ?? true));
    if (finished.includes(false)) throw new UnfinishedError();
    await askConsole('session.signOut', {});
    clearKept();
    queries.setQueryData(sessionKey, null);
  }, [queries]);
}
