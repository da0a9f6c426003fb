/*
 * The MCP server over HTTP. Each request is independent and has its own key: clients of the protocol of 2026 have no sessions,
 * and those of 2025 can do without. The tools call the API of this server as everybody else does, so that rates, plans and keys hold for
 * them too.
 */
import {
  hostHeaderValidation,
  type NodeIncomingMessageLike,
  originValidation,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  type McpHttpHandler,
  type McpRequestContext,
  type McpServer,
} from '@modelcontextprotocol/server';
import { pathPrefix } from '@postrider/contract';
import {
  createMcpServer,
  followChanges,
  readSettings,
  type ServerContext,
  type Settings,
  SettingsError,
  shareContext,
} from '@postrider/mcp';
import type { Request, RequestHandler, Response } from 'express';
import { Postrider } from 'postrider';
import { type Context, contextOf } from '../context.ts';
import type { Deps } from '../deps.ts';
import { mcpListenerSlots } from '../lib/admission/server-limits.ts';
import { Slots } from '../lib/admission/slots.ts';
import { ApiError, invalidField } from '../lib/api-error.ts';
import { whenClosed } from '../lib/concurrency/client-gone.ts';
import type { Tracing } from '../lib/tracing.ts';

/** The settings that a request has for its server of tools. */
interface Extra {
  settings: Settings;
  baseURL: string;
  fetch: typeof fetch | undefined;
}

/** Responds to `/mcp`. The caller is known, and the body is read. */
export function serveMcp({
  config,
  log,
  address,
  tracing,
}: Pick<Deps, 'config' | 'log' | 'address' | 'tracing'>): RequestHandler {
  const handler = createMcpHandler(serverFor, {
    onerror: (error) => log.debug({ err: error }, 'an MCP request was refused'),
  });
  const answer = toNodeHandler(handler);
  const listeners = new ResourceListeners();
  const fetch = tracing.isOn ? tracedFetch(tracing) : undefined;
  const listen = async (req: Request, res: Response, shared: ServerContext) => {
    const ctx = contextOf(res);
    const { handler: own, leave } = listeners.enter(
      ctx,
      JSON.stringify([ctx.actor, req.originalUrl]),
      shared,
    );
    whenClosed(res, leave);
    await toNodeHandler(own)(req as NodeIncomingMessageLike, res, req.body);
  };
  const isOriginAllowed = originValidation(config.corsOrigins.map((origin) => new URL(origin).hostname));
  const isHostAllowed = hostCheck(config);
  return async (req, res) => {
    if (Array.isArray(req.body)) throw invalidField('', 'is a list, and has to be one message');
    // A page in a browser has no business here, unless its origin may call the API.
    if (!isOriginAllowed(req, res) || !isHostAllowed(req, res)) return;
    const extra: Extra = { settings: readUrlSettings(req), baseURL: ownAddress(req, address), fetch };
    const token = /^bearer +(\S+)$/i.exec(req.headers.authorization ?? '')?.[1] ?? '';
    if (req.body?.method === 'subscriptions/listen') return listen(req, res, sharedFor(token, extra));
    const auth = { token, clientId: 'key', scopes: [], extra: { ...extra } };
    await answer(Object.assign(req, { auth }) as NodeIncomingMessageLike, res, req.body);
  };
}

/** A client of the 2025 protocol has no way to be told about changes here. */
function serverFor({ authInfo, era }: McpRequestContext): McpServer {
  const { token = '', extra } = authInfo ?? {};
  return createMcpServer(sharedFor(token, extra as unknown as Extra), { canWatch: era === 'modern' });
}

function sharedFor(token: string, { settings, baseURL, fetch }: Extra): ServerContext {
  const client = new Postrider({ apiKey: token, baseURL, fetch, logLevel: 'off' });
  return shareContext({ client, secret: token, settings });
}

/** Returns a `fetch` by which requests of tools belong to the trace of the request for the tool. */
function tracedFetch({ current }: Tracing): typeof fetch {
  return (url, init) => {
    const traceparent = current();
    const headers = { ...(init?.headers as Record<string, string>), ...(traceparent && { traceparent }) };
    return fetch(url, { ...init, headers });
  };
}

const localNames = ['localhost', '127.0.0.1', '[::1]'];

/** A server for this machine only does not respond to any other name, which a web page could have pointed at it. */
function hostCheck({ http, publicUrl }: Deps['config']) {
  const isLocal = publicUrl === null && [...localNames, '::1'].includes(http.host);
  return isLocal ? hostHeaderValidation(localNames) : () => true;
}

/** The person who sets up a client writes the settings into the URL, where the client's model cannot change them. */
function readUrlSettings({ originalUrl }: Request): Settings {
  try {
    return readSettings(new URL(originalUrl, 'http://localhost').searchParams);
  } catch (error) {
    if (error instanceof SettingsError) throw invalidField('', error.message);
    throw error;
  }
}

/** The address at which this request came in, and the port without TLS there, so it leads to this process. */
function ownAddress({ socket }: Request, { inside: { host, port } }: Deps['address']): string {
  const address = (host ?? socket.localAddress ?? '127.0.0.1').replace(/^::ffff:/, '');
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}${pathPrefix}`;
}

/** A client that waits for changes of resources. */
export interface Listener {
  handler: McpHttpHandler;
  /** Called once the client has disconnected. */
  leave(): void;
}

interface Shared {
  handler: McpHttpHandler;
  end: AbortController;
  count: number;
}

/**
 * The clients of 2026 that wait over HTTP for changes of resources. Those with the same key and settings share one follower of the event
 * log, which ends with the last of them.
 */
export class ResourceListeners {
  readonly #shared = new Map<string, Shared>();
  readonly #slots = new Slots(mcpListenerSlots, {
    refusal: () =>
      new ApiError(
        'limit_reached',
        { limit: mcpListenerSlots.ofOwner },
        { message: 'End another `subscriptions/listen` first: a workspace can have at most 20 at a time.' },
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
