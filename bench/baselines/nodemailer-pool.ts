/*
 * The usual way to send many mails from Node: nodemailer with a pool of connections and DKIM signatures of RSA-2048. It stores nothing. It
 * sends for some time and prints how many mails a second the relay took.
 */
import { openSigningPool } from './signing-pool.ts';

/** The mails to send, and for how long. */
export interface PoolLoad {
  port: number;
  connections: number;
  seconds: number;
  text: string;
}

const { port, connections, seconds, text } = JSON.parse(process.argv[2] ?? '{}') as PoolLoad;
const transport = openSigningPool(port, connections);

let sent = 0;
const from = performance.now();
const deadline = from + seconds * 1_000;
async function sender() {
  while (performance.now() < deadline) {
    sent += 1;
    await transport.sendMail({
      from: 'Bench <bench@sender.example>',
      to: `person-${sent}@receiver.example`,
      subject: `Your order ${sent} has shipped`,
      text,
      html: `<p>${text}</p>`,
    });
  }
}
await Promise.all(Array.from({ length: connections }, sender));
console.log(JSON.stringify({ perSecond: (sent * 1_000) / (performance.now() - from) }));
transport.close();
