import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of pages on a free port of 127.0.0.1. */
export interface PageServer {
  /** Its origin, without a slash at the end. */
  url: string;
  port: number;
  close(): Promise<void>;
}

/** Starts a server that hands each request to `respond`. */
export async function startPageServer(respond: RequestListener): Promise<PageServer> {
  const server = createServer(respond).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
