import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createPlainServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from './listen.ts';

const host = '127.0.0.1';

const open = async (port = 0) => {
  const server = createServer((req, res) => void res.end(req.url));
  const more = await listen(server, { host, port }, { allowHalfOpen: true });
  const close = () => Promise.all([once(server.close(), 'close'), more.close()]);
  return { server, port: (server.address() as AddressInfo).port, close };
};

test('every connection of a burst is answered, whichever socket takes it, until the server is closed', async () => {
  const { port, close } = await open();
  const answers = await Promise.all(
    Array.from({ length: 100 }, async (_, number) => {
      const answer = await fetch(`http://${host}:${port}/${number}`, { headers: { connection: 'close' } });
      return answer.text();
    }),
  );
  expect(answers).toEqual(answers.map((_, number) => `/${number}`));
  await close();
  await expect(once(connect(port, host), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('a port where anybody listens is refused, also where that would share it', async () => {
  const { port, close } = await open();
  onTestFinished(async () => void (await close()));
  await expect(open(port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  const plain = createPlainServer();
  await once(plain.listen(0, host), 'listening');
  onTestFinished(() => void plain.close());
  const taken = (plain.address() as AddressInfo).port;
  await expect(open(taken)).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
