import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const guide = read('docs/guides/webhooks.md');
const { deliveries } = JSON.parse(read('contract/fixtures/signature-vectors.json')) as {
  deliveries: { name: string; secret: string; body: string; headers: Record<string, string> }[];
};

const snippet = (language: string): string =>
  new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms').exec(guide)?.[1] ?? '';

const isHere = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;

/** The Node snippet is a function of the page's program, which runs as a whole elsewhere. */
const nodeProgram = `import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
${/const isFromPostrider = .*?^};\n/ms.exec(guide)?.[0]}
process.exit(isFromPostrider(readFileSync(0), process.argv[1], process.env.POSTRIDER_WEBHOOK_SECRET) ? 0 : 1);`;

const verifiers = {
  Node: { command: [process.execPath, '--input-type=module', '-e', nodeProgram], missing: null },
  Python: {
    command: ['python3', '-c', snippet('python')],
    missing: isHere('python3', '--version') ? null : 'python3 is not here',
  },
  shell: {
    command: ['sh', '-c', snippet('bash'), 'sh'],
    missing: isHere('openssl', 'version') ? null : 'openssl is not here',
  },
};

describe.each(Object.entries(verifiers))('the verifier of the guide in %s', (_name, { command, missing }) => {
  const verify = (body: string, header: string, secret: string): number | null => {
    const [file = '', ...args] = command;
    const env = { PATH: process.env.PATH ?? '', POSTRIDER_WEBHOOK_SECRET: secret };
    return spawnSync(file, [...args, header], { input: body, env }).status;
  };

  test.skipIf(missing)(`accepts what is signed and nothing else${missing ? ` (${missing})` : ''}`, () => {
    expect(snippet('python').split('\n').length).toBeLessThanOrEqual(11);
    const { body = '', headers, secret = '' } = deliveries.find(({ name }) => name.includes('ASCII')) ?? {};
    const header = headers?.['x-postrider-signature'] ?? '';
    expect(verify(body, header, secret)).toBe(0);
    expect(verify(`${body} `, header, secret)).toBe(1);
    expect(verify(body, header, `${secret}x`)).toBe(1);
  });
});
