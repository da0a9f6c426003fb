/*
 * Takes every post and forgets its body, as cheaply as possible, because the sender is measured. It records the time of each post, does not
 * respond to those whose path has `hang`, and speaks no more of the protocol than its clients do. Its parent gets the records with `GET
 * /noted?<path>` or `GET /count?<path>`, and has it begin again with `GET /forget`.
 */
import { type AddressInfo, createServer, type Socket } from 'node:net';

const endOfHead = '\r\n\r\n';
const taken = 'HTTP/1.1 204 No Content\r\n\r\n';
/** The times of posts, in milliseconds of the machine's clock, with their events, by path. */
const noted = new Map<string, [eventId: string, at: number][]>();

function now() {
  return performance.timeOrigin + performance.now();
}

function answerParent(socket: Socket, target: string): void {
  if (target === '/forget') noted.clear();
  const [, path = ''] = target.split('?');
  const posts = noted.get(path) ?? [];
  const body = JSON.stringify(target.startsWith('/count') ? posts.length : posts);
  socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
}

function take(socket: Socket, head: string): void {
  const [verb = '', target = ''] = head.slice(0, head.indexOf('\r\n')).split(' ');
  if (verb === 'GET') {
    answerParent(socket, target);
    return;
  }
  const id = /\r\nwebhook-id: (\S+)/i.exec(head)?.[1] ?? '';
  const before = noted.get(target);
  if (before) before.push([id, now()]);
  else noted.set(target, [[id, now()]]);
  if (!target.includes('hang')) socket.write(taken);
}

const server = createServer({ noDelay: true }, (socket) => {
  let text = '';
  socket.setEncoding('latin1');
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: string) => {
    text += chunk;
    for (;;) {
      const end = text.indexOf(endOfHead);
      if (end < 0) return;
      const head = text.slice(0, end);
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (text.length < end + endOfHead.length + length) return;
      text = text.slice(end + endOfHead.length + length);
      take(socket, head);
    }
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }));
});
process.once('SIGTERM', () => process.exit(0));
