/*
 * Tells a client that an inbox, a thread or a message has changed. The event log is followed only once the client subscribes to something,
 * because most clients never do.
 */
import type { McpServer } from '@modelcontextprotocol/server';
import type { ServerContext } from './context.ts';
import { resourceUri } from './resources.ts';

/** Follows the event log for one connection. */
export interface ResourceWatch {
  /** Reports changes through this server from now on. */
  use(server: McpServer): void;
  /** A client of the 2026 protocol subscribes to changes. Its transport leaves out what it did not ask for. */
  listen(): void;
  stop(): void;
}

/** Returns the object that tells one connection about changes. */
export function watchResources(shared: ServerContext): ResourceWatch {
  const end = new AbortController();
  const subscribed = new Set<string>();
  let server: McpServer | null = null;
  let listens = false;
  let isFollowing = false;
  const tell = (uri: string) => {
    if (listens || subscribed.has(uri)) server?.server.sendResourceUpdated({ uri }).catch(() => {});
  };
  const follow = () => {
    if (isFollowing) return;
    isFollowing = true;
    followChanges(shared, end.signal, tell).catch(() => {
      isFollowing = false;
    });
  };
  return {
    use: (mcp) => {
      server = mcp;
      mcp.server.setRequestHandler('resources/subscribe', ({ params }) => {
        subscribed.add(params.uri);
        follow();
        return {};
      });
      mcp.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
        subscribed.delete(params.uri);
        return {};
      });
    },
    listen: () => {
      listens = true;
      follow();
    },
    stop: () => end.abort(),
  };
}

/** Calls `tell` with the URI of each resource that changes from now on. Rejects once the log can no longer be followed. */
export async function followChanges(
  { client, scope }: ServerContext,
  signal: AbortSignal,
  tell: (uri: string) => void,
): Promise<void> {
  for await (const { inbox_id, thread_id, message_ref } of client.events.stream({ signal })) {
    if (!(await scope.has(inbox_id))) continue;
    tell(resourceUri('inbox', inbox_id));
    if (thread_id !== null) tell(resourceUri('thread', thread_id));
    if (message_ref !== null) tell(resourceUri('message', message_ref));
  }
}
