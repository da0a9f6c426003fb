import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';

const server = createServer((socket) => socket.end());
let port = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as { port: number }).port;
});
afterAll(() => {
  server.close();
});

/** Runs code in a program that may first close its network. Returns what it printed. */
async function run(code: string, isClosed: boolean): Promise<string> {
  const closing = `import { closeNetwork } from '${new URL('./close-network.ts', import.meta.url)}'; closeNetwork();`;
  const program = `${isClosed ? closing : ''}
    const told = (work) => Promise.resolve().then(work).then(() => 'works', () => 'refused');
    console.log(await told(async () => { ${code} }));
    process.exit();`;
  const options = { encoding: 'utf8', timeout: 600_000 } as const;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', program], options).stdout.trim();
}

test.each([
  [
    'a connection',
    (at: number) => `const { connect } = await import('node:net'); connect(${at}, '127.0.0.1');`,
  ],
  ['a server', () => `const { createServer } = await import('node:http'); createServer().listen(0);`],
  [
    'a datagram',
    (at: number) =>
      `const { createSocket } = await import('node:dgram'); createSocket('udp4').send('x', ${at}, '127.0.0.1');`,
  ],
  ['a name', () => `const { lookup } = await import('node:dns/promises'); await lookup('localhost');`],
])('%s works in a usual program, and not where the network is closed', async (_, code) => {
  expect(await run(code(port), false)).toBe('works');
  expect(await run(code(port), true)).toBe('refused');
});

test('a request leaves no program whose network is closed', async () => {
  const code = (at: number) => `await fetch('http://127.0.0.1:${at}/');`;
  expect(await run(code(port), true)).toBe('refused');
});
