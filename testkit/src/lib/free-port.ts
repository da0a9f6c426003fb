import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Programs that ask for any port get one from 32768 on (Linux) or 49152 on (macOS). */
const firstOfAny = 32_768;
const first = 20_000;

/** Returns a free port that no program gets which asks for any port, for servers that end and come back at the same port. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(first, firstOfAny);
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    probe.close();
    if (isFree) return port;
  }
}
