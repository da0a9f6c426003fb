/*
 * The one way in which pages read and change things. Both clients of the current workspace are at hand: the SDK for what keys can do, too,
 * and `ask` for the console's own routes.
 */
import { type UseQueryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Postrider } from 'postrider';
import { apiFor } from './api.ts';
import { type Answer, type Asked, askConsole, type RouteName } from './ask-console.ts';
import { type ItemPage, type ListOptions, type PagedList, useBegun, usePagedList } from './paging.ts';
import { sessionKey } from './session.ts';
import { useQueryKey, useWorkspace } from './workspace.ts';

/** The clients of the current workspace. */
export interface Clients {
  api: Postrider;
  ask<Name extends RouteName>(name: Name, asked?: Asked<Name>): Promise<Answer<Name>>;
}

/** The clients while something is read. `ask` uses the signal; calls of the API take it as an option. */
export interface Reader extends Clients {
  signal: AbortSignal;
}

/** The name of a list or a thing, and its parameters. Changes and the stream of changes refer to it by the name. */
type Key = readonly [name: string, ...rest: unknown[]];

type ReadOptions<Response, Shown> = Omit<UseQueryOptions<Response, Error, Shown>, 'queryKey' | 'queryFn'>;

// The types of the compiler grow beyond measure where it compares the inputs of all routes with each other.
const askAny = askConsole as unknown as (name: string, asked: unknown, options: object) => Promise<never>;

function clientsFor(workspace: string, signal?: AbortSignal): Clients {
  const ask = (name: string, asked: unknown) => askAny(name, asked ?? {}, { workspace, signal });
  return { api: apiFor(workspace), ask: ask as Clients['ask'] };
}

/** Returns the clients of the current workspace, for code without its own hook. */
export function useClients(): Clients {
  return clientsFor(useWorkspace().workspace_id);
}

/** Reads something of the current workspace. */
export function useRead<Response, Shown = Response>(
  key: Key,
  read: (reader: Reader) => PromiseLike<Response>,
  options: ReadOptions<Response, Shown> = {},
) {
  const { workspace_id } = useWorkspace();
  const queryKey = useQueryKey(...key);
  const queryFn = async ({ signal }: { signal: AbortSignal }) =>
    read({ ...clientsFor(workspace_id, signal), signal });
  useBegun(queryKey, (options.enabled ?? true) === true, (queries) => queries.query({ queryKey, queryFn }));
  return useQuery<Response, Error, Shown>({ ...options, queryKey, queryFn });
}

/** Reads a list of the current workspace page by page: the first page without a cursor. */
export function useList<Page extends ItemPage<unknown>>(
  key: Key,
  read: (reader: Reader, cursor: string | undefined) => PromiseLike<Page>,
  options: ListOptions<Page['items'][number]> = {},
) {
  const { workspace_id } = useWorkspace();
  return usePagedList(
    useQueryKey(...key),
    (cursor, signal) => read({ ...clientsFor(workspace_id, signal), signal }, cursor),
    options,
  );
}

/** Reads a list of the current workspace that comes in one response. */
export function useShortList<Item>(key: Key, read: (reader: Reader) => PromiseLike<Item[]>): PagedList<Item> {
  const { data: items = [], isPending, error, refetch } = useRead(key, read);
  return {
    items,
    isLoading: isPending,
    error,
    retry: () => void refetch(),
    hasMore: false,
    isLoadingMore: false,
    loadMore: () => undefined,
  };
}

/** Returns the page of a response, whose items are in the field of this name. */
export async function itemsIn<Name extends string, Item>(
  name: Name,
  response: PromiseLike<{ [Field in Name]: Item[] } & { next_cursor: string | null }>,
): Promise<ItemPage<Item>> {
  const page = await response;
  return { items: page[name], next_cursor: page.next_cursor };
}

/** Changes something of the current workspace. Everything that was read under the names of `refreshes` is read again. */
export function useChange<Input = void, Result = unknown>(
  refreshes: readonly string[],
  change: (clients: Clients, input: Input) => PromiseLike<Result>,
) {
  const clients = useClients();
  const refresh = useRefresh(refreshes);
  return useMutation({ mutationFn: async (input: Input) => change(clients, input), onSuccess: refresh });
}

/** Returns a function that has everything read again that was read under some names. Under `session` it is who is signed in. */
export function useRefresh(names: readonly string[]): () => Promise<unknown> {
  const queries = useQueryClient();
  const { workspace_id } = useWorkspace();
  return () =>
    Promise.all(
      names.map((name) =>
        queries.invalidateQueries({ queryKey: name === 'session' ? sessionKey : [workspace_id, name] }),
      ),
    );
}
