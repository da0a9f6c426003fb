import { Postrider } from 'postrider';
import { headers } from './ask-console.ts';
import { useWorkspace } from './workspace.ts';

const clients = new Map<string, Postrider>();

/** Returns the client of the API for a workspace: the SDK, with the cookie of the session in place of a key. */
export function apiFor(workspaceId: string): Postrider {
  const known = clients.get(workspaceId);
  if (known) return known;
  const client = new Postrider({
    // The SDK asks for a key. It never leaves the page, because `fetch` below drops the header.
    apiKey: 'session',
    baseURL: `${location.origin}/console/api/v1`,
    dangerouslyAllowBrowser: true,
    // A deletion continues after the page is left.
    fetch: (input, init) =>
      fetch(asWorkspace(new Request(input, { ...init, keepalive: init?.method === 'DELETE' }), workspaceId)),
  });
  clients.set(workspaceId, client);
  return client;
}

/** Returns the client of the API for the current workspace. */
export function useApi(): Postrider {
  return apiFor(useWorkspace().workspace_id);
}

function asWorkspace(request: Request, workspaceId: string): Request {
  request.headers.delete('authorization');
  request.headers.set(headers.console, '1');
  request.headers.set(headers.workspace, workspaceId);
  return request;
}
