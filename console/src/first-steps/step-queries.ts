import type { Inbox } from 'postrider';
import { useRead } from '../lib/query.ts';
import { useIsOwner } from '../lib/workspace.ts';

/** A step on the way to an agent with mail. */
export type StepName = 'key' | 'inbox' | 'received' | 'sent' | 'webhook';

/** Which steps are done, and what the next ones need. */
export interface Progress {
  /** The steps in their order. Keys are for owners, so members do not have that step. */
  steps: { name: StepName; isDone: boolean }[];
  /** The newest inbox, if there is one. */
  inbox: Inbox | null;
}

/** No change tells of a new key, inbox or webhook, so they are asked for again while the step is to be done. */
const askAgainMs = 5_000;

/** Reads how far the workspace is; undefined until all is known, and if something cannot be read. `isWanted` is false for not reading. */
export function useProgress(isWanted: boolean): Progress | undefined {
  const isOwner = useIsOwner();
  const key = useHasKey(isWanted && isOwner);
  const inboxes = useFirstInbox(isWanted);
  const received = useHasMail('inbound', isWanted);
  const sent = useHasMail('outbound', isWanted);
  const webhook = useHasWebhook(isWanted);
  if (inboxes === undefined || received === undefined || sent === undefined || webhook === undefined)
    return undefined;
  if (isOwner && key === undefined) return undefined;
  const inbox = inboxes[0] ?? null;
  const steps = [
    { name: 'inbox' as const, isDone: inbox !== null },
    { name: 'received' as const, isDone: received },
    { name: 'sent' as const, isDone: sent },
    { name: 'webhook' as const, isDone: webhook },
  ];
  return { inbox, steps: key === undefined ? steps : [{ name: 'key', isDone: key }, ...steps] };
}

function useHasKey(enabled: boolean): boolean | undefined {
  const { data } = useRead(['first-steps', 'key'], ({ ask }) => ask('keys.list', { query: { limit: 100 } }), {
    select: ({ keys }) => keys.some(({ revoked_at }) => revoked_at === null),
    refetchInterval: ({ state }) => (state.data?.keys.length ? false : askAgainMs),
    enabled,
  });
  return data;
}

function useFirstInbox(enabled: boolean): Inbox[] | undefined {
  const { data } = useRead(
    ['inboxes', 'first-steps'],
    async ({ api, signal }) => (await api.inboxes.list({ limit: 1 }, { signal })).inboxes,
    { refetchInterval: ({ state }) => (state.data?.length ? false : askAgainMs), enabled },
  );
  return data;
}

function useHasMail(direction: 'inbound' | 'outbound', enabled: boolean): boolean | undefined {
  const { data } = useRead(
    ['messages', 'first-steps', direction],
    async ({ api, signal }) =>
      (await api.messages.list({ direction, limit: 1 }, { signal })).messages.length > 0,
    { enabled },
  );
  return data;
}

function useHasWebhook(enabled: boolean): boolean | undefined {
  const { data } = useRead(
    ['first-steps', 'webhook'],
    async ({ api, signal }) => (await api.webhooks.list({ limit: 1 }, { signal })).webhooks.length > 0,
    { refetchInterval: ({ state }) => (state.data ? false : askAgainMs), enabled },
  );
  return data;
}
