import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readAll } from 'node:stream/consumers';

/** A request for embeddings, as it came. */
export interface EmbeddingsRequest {
  path: string;
  authorization: string | undefined;
  body: { model: string; input: string[]; dimensions?: number; encoding_format?: string };
}

/** Answers a request, of which `number` counts from 1. */
export type EmbeddingsAnswer = (
  request: EmbeddingsRequest,
  response: ServerResponse,
  number: number,
) => unknown;

/** A service with an OpenAI-compatible `/embeddings`, which does as a test says. */
export interface EmbeddingsServer {
  /** Its address, without a path. */
  origin: string;
  requests: EmbeddingsRequest[];
  close(): void;
}

/** Starts the service on this machine. */
export async function startEmbeddingsServer(answer: EmbeddingsAnswer): Promise<EmbeddingsServer> {
  const requests: EmbeddingsRequest[] = [];
  const server = createServer(async (request, response) => {
    const { authorization } = request.headers;
    const body = JSON.parse(await readAll(request)) as EmbeddingsRequest['body'];
    const asked = { path: request.url ?? '', authorization, body };
    answer(asked, response, requests.push(asked));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Sends an answer with a body of JSON, or of a text as it is. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(typeof body === 'string' ? body : JSON.stringify(body));
}
