/*
 * Plays all servers of the internet to a browser, as a SOCKS proxy. A browser names the host of each connection to such a proxy before it
 * sends anything, so that connections count which never carry a request.
 */
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A request that arrived, of any host. */
export interface ArrivedRequest {
  host: string;
  method: string;
  path: string;
  referrer: string | undefined;
  cookie: string | undefined;
}

/** The servers, and everything that reached them. */
export interface HostileServers {
  /** Arguments for a browser that sends everything here, except for requests to this machine. */
  browserArgs: string[];
  /** The host of each connection. */
  connections: string[];
  requests: ArrivedRequest[];
  close(): Promise<void>;
}

const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
/** Tells whether the page can reach the page that opened it. */
const openedPage =
  '<!doctype html><script>new Image().src = "/opener-" + Boolean(window.opener) + ".gif"</script>';

/** Starts the servers on one free port. Each answers every request with an image, a style sheet, a script or a page. */
export async function startHostileServers(): Promise<HostileServers> {
  const connections: string[] = [];
  const requests: ArrivedRequest[] = [];
  const http = createHttpServer((request, response) => {
    requests.push(describeRequest(request));
    answer(request.url ?? '/', response);
  });
  const open = new Set<Socket>();
  const proxy = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => undefined);
    greet(socket, (host) => {
      connections.push(host);
      http.emit('connection', socket);
    });
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    browserArgs: [`--proxy-server=socks5://127.0.0.1:${(proxy.address() as AddressInfo).port}`],
    connections,
    requests,
    close: async () => {
      proxy.close();
      for (const socket of open) socket.destroy();
      await once(proxy, 'close');
    },
  };
}

/** Speaks SOCKS 5 (RFC 1928) until the host is known, and agrees to everything. */
function greet(socket: Socket, connected: (host: string) => void): void {
  let received = Buffer.alloc(0);
  let greeted = false;
  const take = (data: Buffer) => {
    received = Buffer.concat([received, data]);
    if (!greeted && received.length >= 2 && received.length >= 2 + (received[1] ?? 0)) {
      received = received.subarray(2 + (received[1] ?? 0));
      greeted = true;
      socket.write(Buffer.from([5, 0]));
    }
    const nameLength = received[4] ?? 0;
    if (!greeted || received.length < 5 || received.length < 7 + nameLength) return;
    socket.off('data', take);
    socket.pause();
    socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
    connected(received.subarray(5, 5 + nameLength).toString('latin1'));
  };
  socket.on('data', take);
}

function describeRequest({ headers, method, url }: IncomingMessage): ArrivedRequest {
  return {
    host: headers.host ?? '',
    method: method ?? '',
    path: url ?? '/',
    referrer: headers.referer,
    cookie: headers.cookie,
  };
}

function answer(path: string, response: ServerResponse): void {
  const [type, body] = /\.(?:gif|png|ico)$/.test(path)
    ? ['image/gif', pixel]
    : /\.css$/.test(path)
      ? ['text/css', 'body{color:red}']
      : /\.js$/.test(path)
        ? ['text/javascript', 'new Image().src = "/script-ran.gif"']
        : ['text/html', openedPage];
  response.writeHead(200, { 'content-type': type as string, connection: 'close' }).end(body);
}
