import { connect, type Socket } from 'node:net';

/** A reply of the server: its code, and the text of its last line. */
export interface Reply {
  code: number;
  text: string;
}

/** One SMTP connection that sends a command and waits for its reply, as cheaply as possible. */
export interface SmtpSession {
  socket: Socket;
  reply(): Promise<Reply>;
  command(line: string): Promise<Reply>;
}

/** Connects. The greeting is the first reply. */
export function openSession(port: number): SmtpSession {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  const ready: Reply[] = [];
  let waiting: PromiseWithResolvers<Reply> | null = null;
  let failure: Error | null = null;
  let text = '';
  const fail = (error: Error) => {
    failure ??= error;
    waiting?.reject(failure);
    waiting = null;
  };
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    text += chunk;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      const line = text.slice(0, end).trimEnd();
      text = text.slice(end + 1);
      if (line.charAt(3) === '-') continue;
      const reply = { code: Number(line.slice(0, 3)), text: line };
      if (waiting) waiting.resolve(reply);
      else ready.push(reply);
      waiting = null;
    }
  });
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('The server closed the connection.')));
  const reply = (): Promise<Reply> => {
    const first = ready.shift();
    if (first) return Promise.resolve(first);
    if (failure) return Promise.reject(failure);
    waiting = Promise.withResolvers<Reply>();
    return waiting.promise;
  };
  return {
    socket,
    reply,
    command: (line) => {
      socket.write(`${line}\r\n`);
      return reply();
    },
  };
}
