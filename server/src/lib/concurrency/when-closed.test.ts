import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { clientGone, whenClosed } from './client-gone.ts';

test('is called back at the end of an answer, and at once where the client was gone before', async () => {
  const answers: ServerResponse[] = [];
  const server = createServer((_req, res) => void answers.push(res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const open = async () => {
    const before = answers.length;
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await expect.poll(() => answers.length).toBe(before + 1);
    return { socket, answer: answers[before] as ServerResponse };
  };
  const told: string[] = [];
  const answered = await open();
  whenClosed(answered.answer, () => told.push('answered'));
  expect(told).toEqual([]);
  answered.answer.end();
  await expect.poll(() => told).toEqual(['answered']);
  const left = await open();
  left.socket.destroy();
  await expect.poll(() => left.answer.closed).toBe(true);
  whenClosed(left.answer, () => told.push('left'));
  expect(told).toEqual(['answered', 'left']);
  expect(clientGone(left.answer).aborted).toBe(true);
  answered.socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});
