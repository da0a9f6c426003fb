import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const here = fileURLToPath(new URL('.', import.meta.url));

test('the conversation goes over real SMTP both ways and stays in one thread', async () => {
  const { stdout, stderr } = await run(process.execPath, ['conversation.ts'], {
    cwd: here,
    timeout: 300_000,
  });
  expect(stdout).toMatch(/answered \d+ ms after the 250/);
  expect(stdout).toContain('Ada got "Re: The plan", in reply to her mail.');
  expect(stdout.trimEnd().split('\n').slice(-3)).toEqual([
    '  ada@engine.example: Dear Agent, is the plan sound? Ada',
    '  agent@postrider.test: It is, but for one wheel.',
    '  ada@engine.example: Which one?',
  ]);
  expect(stderr).toBe('');
});
