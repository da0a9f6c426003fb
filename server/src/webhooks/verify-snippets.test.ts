import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { sampleEvent, signDelivery, testSecret } from 'postrider/testing';
import { describe, expect, test } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const guide = read('docs/guides/webhooks.md');
const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
const body = JSON.stringify(sampleEvent('message.rejected', { reason: '554 “No” 😀' }));
/** Signed so many seconds ago. */
const signedAgo = async (seconds: number, secret?: string): Promise<string[]> => {
  const timestamp = new Date(Date.now() - seconds * 1_000);
  const { headers } = await signDelivery(body, secret, { timestamp });
  return names.map((name) => headers[name] ?? '');
};

const snippet = (language: string): string =>
  new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms').exec(guide)?.[1] ?? '';

const isHere = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;

/** The Node snippet is a function of the page's program, which runs as a whole elsewhere. */
const nodeProgram = `import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
${/const isFromPostrider = .*?^};\n/ms.exec(guide)?.[0]}
const [, id, time, signature] = process.argv;
const headers = { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature };
process.exit(isFromPostrider(readFileSync(0), headers, process.env.POSTRIDER_WEBHOOK_SECRET) ? 0 : 1);`;

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
  const verify = (text: string, headers: string[], secret = testSecret): number | null => {
    const [file = '', ...args] = command;
    const env = { PATH: process.env.PATH ?? '', POSTRIDER_WEBHOOK_SECRET: secret };
    return spawnSync(file, [...args, ...headers], { input: text, env }).status;
  };
  const otherSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

  test.skipIf(missing)(
    `accepts what is signed and nothing else${missing ? ` (${missing})` : ''}`,
    async () => {
      const [id = '', time = '', signature = ''] = await signedAgo(10);
      expect(verify(body, [id, time, signature])).toBe(0);
      const rotated = [(await signedAgo(10, otherSecret))[2], signature].join(' ');
      expect(verify(body, [id, time, rotated])).toBe(0);
      expect(verify(`${body} `, [id, time, signature])).toBe(1);
      expect(verify(body, [id, time, signature], otherSecret)).toBe(1);
      expect(verify(body, [id, String(Number(time) - 1), signature])).toBe(1);
      expect(verify(body, [`${id}x`, time, signature])).toBe(1);
    },
  );

  test.skipIf(missing)(
    `refuses what was signed long ago or ahead${missing ? ` (${missing})` : ''}`,
    async () => {
      expect(verify(body, await signedAgo(330))).toBe(1);
      expect(verify(body, await signedAgo(-330))).toBe(1);
    },
  );
});
