import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BodyDrain, drainLimits } from './body-drain.ts';

// Each test has its own, since the timer of a false clock never comes again.
let drain: BodyDrain;
const usual = { ...drainLimits };
const bodyBytes = 8 * 2 ** 20;
const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${bodyBytes}\r\n\r\n`;
let server: Server;
const sockets: Socket[] = [];

beforeEach(() => {
  drain = new BodyDrain();
});

afterEach(async () => {
  vi.useRealTimers();
  Object.assign(drainLimits, usual);
  for (const socket of sockets.splice(0)) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

const listen = async (handle: (req: IncomingMessage, res: ServerResponse) => void): Promise<number> => {
  server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

const open = (port: number) => {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  const received: string[] = [];
  socket.on('data', (part) => received.push(part.toString('latin1')));
  const answers = () => received.join('').match(/^HTTP\/1\.1 \d+/gm)?.length ?? 0;
  return { socket, answers };
};

test('a refused body is read slowly after the answer, and then the next request of the connection', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  Object.assign(drainLimits, { everyMs: 50, partsAtOnce: 1 });
  const accepted = new Set<Socket>();
  const port = await listen((req, res) => {
    res.once('prefinish', () => drain.drain(req));
    accepted.add(req.socket);
    res.writeHead(429).end('no');
  });
  const clients = [open(port), open(port)];
  for (const { socket } of clients) {
    socket.write(head);
    socket.write(Buffer.alloc(bodyBytes, 'x'));
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  }
  await eventually('the first answers', async () => clients.every(({ answers }) => answers() === 1));
  for (let part = 0; part < 6; part += 1) {
    vi.advanceTimersByTime(50);
    await pause(20);
  }
  for (const socket of accepted) expect(socket.bytesRead).toBeLessThan(bodyBytes / 2);
  Object.assign(drainLimits, { partsAtOnce: 64 });
  await eventually('the second ones', async () => {
    for (let part = 0; part < 16; part += 1) {
      vi.advanceTimersByTime(50);
      await pause(2);
    }
    return clients.every(({ answers }) => answers() === 2);
  });
});

test('a body of which a part was read is drained as well, and a client that goes away ends it', async () => {
  let request: IncomingMessage | undefined;
  const port = await listen((req, res) => {
    request = req;
    req.once('data', () => {
      drain.drain(req);
      drain.drain(req);
      res.writeHead(400).end('no');
    });
  });
  const { socket, answers } = open(port);
  socket.write(head);
  socket.write(Buffer.alloc(bodyBytes / 2, 'x'));
  await eventually('the answer', async () => answers() === 1);
  await eventually('what was sent', async () => (request?.socket.bytesRead ?? 0) >= bodyBytes / 2);
  socket.destroy();
  await eventually('the end', async () => request?.socket.destroyed);
});
