import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The errors of a proxy between senders and server. */
export interface Meddling {
  /** Replies 250 to the end of a message before the server does, and drops the server's own reply. */
  acknowledgeEarly?: boolean;
  /** Whether to close the connection of the sender instead of passing on this reply to the end of a message. */
  dropFinal?: () => boolean;
  /** Changes a reply of the server. */
  reply?: (line: string) => string;
  /** Changes the bytes that the sender writes. */
  bytes?: (chunk: Buffer) => Buffer;
}

/** An SMTP proxy on a free port of 127.0.0.1. */
export interface SmtpProxy {
  port: number;
  close(): Promise<void>;
}

const endOfData = '\r\n.\r\n';
const early = '250 2.0.0 Ok: taken by the proxy\r\n';

/** Starts a proxy in front of a server. `port` is called for each connection. */
export async function startSmtpProxy(port: () => number, meddling: Meddling): Promise<SmtpProxy> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (sender) => {
    const upstream = connect({ port: port(), host: '127.0.0.1', noDelay: true });
    for (const socket of [sender, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => {
        sockets.delete(socket);
        sender.destroy();
        upstream.destroy();
      });
    }
    relay(sender, upstream, meddling);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Follows one session far enough to recognise the reply to the end of a message. */
function relay(sender: Socket, upstream: Socket, meddling: Meddling): void {
  let phase: 'commands' | 'content' | 'final' = 'commands';
  let swallow = 0;
  let tail = '';
  let rest = '';
  sender.on('data', (chunk: Buffer) => {
    upstream.write(meddling.bytes?.(chunk) ?? chunk);
    if (phase !== 'content') return;
    const text = tail + chunk.toString('latin1');
    tail = text.slice(-endOfData.length + 1);
    if (!text.includes(endOfData)) return;
    phase = 'final';
    if (!meddling.acknowledgeEarly) return;
    phase = 'commands';
    swallow++;
    sender.write(early);
  });
  const pass = (line: string) => {
    if (swallow > 0) {
      swallow--;
      return;
    }
    if (phase === 'final') {
      phase = 'commands';
      if (meddling.dropFinal?.()) return void sender.destroy();
    } else if (line.startsWith('354')) {
      phase = 'content';
      tail = '\r\n';
    }
    sender.write(meddling.reply?.(line) ?? line);
  };
  upstream.setEncoding('latin1').on('data', (chunk: string) => {
    const replies = /(?:\d{3}-[^\n]*\n)*\d{3}(?: [^\n]*)?\n/y;
    rest += chunk;
    let used = 0;
    for (let match = replies.exec(rest); match; match = replies.exec(rest)) {
      used = replies.lastIndex;
      pass(match[0]);
    }
    rest = rest.slice(used);
  });
}
