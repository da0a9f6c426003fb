/*
 * Takes every mail and forgets it, as cheaply as possible, because the sender is measured. It prints its port, and speaks no more of the
 * protocol than its two clients do. It never answers RCPT for recipients of one domain, as a relay that waits for a dead server.
 */
import { type AddressInfo, createServer } from 'node:net';

/** How the relay behaves. */
export interface RelayLoad {
  silentDomain?: string;
}

const endOfData = '\r\n.\r\n';
const replies: Record<string, string> = {
  EHLO: '250-sink.example\r\n250-PIPELINING\r\n250 8BITMIME\r\n',
  DATA: '354 Go on\r\n',
  QUIT: '221 Bye\r\n',
};

const { silentDomain } = JSON.parse(process.argv[2] ?? '{}') as RelayLoad;
const isSilent = (command: string) => silentDomain !== undefined && command.includes(`@${silentDomain}>`);

const server = createServer({ noDelay: true }, (socket) => {
  let text = '';
  let inData = false;
  socket.setEncoding('latin1');
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: string) => {
    text += chunk;
    for (;;) {
      const mark = inData ? endOfData : '\r\n';
      const end = text.indexOf(mark);
      if (end < 0) return;
      const verb = text.slice(0, 4).toUpperCase();
      if (verb === 'RCPT' && isSilent(text.slice(0, end))) return socket.pause();
      text = text.slice(end + mark.length);
      const reply = inData ? undefined : replies[verb];
      inData = !inData && verb === 'DATA';
      socket.write(reply ?? '250 2.0.0 Ok\r\n');
      if (reply === replies.QUIT) socket.end();
    }
  });
  socket.write('220 sink.example ESMTP\r\n');
});
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }));
});
process.once('SIGTERM', () => process.exit(0));
