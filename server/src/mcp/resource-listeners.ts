/*
 * Clients of 2026 wait over HTTP for changes of resources. Who waits with the same key and settings shares one follower of the event log,
 * which ends with the last of them.
 */
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import { createMcpServer, followChanges, type ServerContext } from '@postrider/mcp';
import type { Context } from '../context.ts';
import { mcpListenerSlots } from '../lib/admission/server-limits.ts';
import { Slots } from '../lib/admission/slots.ts';
import { ApiError } from '../lib/api-error.ts';

/** A client that waits. */
export interface Listener {
  handler: McpHttpHandler;
  /** Is called once the client is gone. */
  leave(): void;
}

interface Shared {
  handler: McpHttpHandler;
  end: AbortController;
  count: number;
}

/** Keeps those who wait. */
export class ResourceListeners {
  readonly #shared = new Map<string, Shared>();
  readonly #slots = new Slots(mcpListenerSlots, {
    refusal: () =>
      new ApiError(
        'limit_reached',
        { limit: mcpListenerSlots.ofOwner },
        { message: 'End another `subscriptions/listen` first: a workspace has at most 20 at a time.' },
      ),
  });

  /**
   * Lets a client wait. `name` is the same for the same key and settings.
   *
   * @throws ApiError `limit_reached` if the workspace has too many.
   */
  enter({ workspaceId, stopping }: Context, name: string, context: ServerContext): Listener {
    const release = this.#slots.takeNow(workspaceId);
    const shared = this.#shared.get(name) ?? this.#begin(name, context, stopping);
    shared.count += 1;
    const leave = () => {
      release();
      shared.count -= 1;
      if (shared.count === 0) this.#end(name, shared);
    };
    return { handler: shared.handler, leave };
  }

  #begin(name: string, context: ServerContext, stopping: AbortSignal): Shared {
    const end = new AbortController();
    const handler = createMcpHandler(() => createMcpServer(context, { canWatch: true }), {
      legacy: 'reject',
    });
    const shared: Shared = { handler, end, count: 0 };
    this.#shared.set(name, shared);
    const signal = AbortSignal.any([end.signal, stopping]);
    // A key that is revoked ends the log, and with it all that wait with it.
    followChanges(context, signal, (uri) => handler.notify.resourceUpdated(uri))
      .catch(() => {})
      .finally(() => this.#end(name, shared));
    return shared;
  }

  #end(name: string, shared: Shared): void {
    if (this.#shared.get(name) === shared) this.#shared.delete(name);
    shared.end.abort();
    shared.handler.close().catch(() => {});
  }
}
