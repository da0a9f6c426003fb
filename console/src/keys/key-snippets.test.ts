import { expect, it } from 'vitest';
import { environmentLines, inboxSnippets, tryKeySnippets } from './key-snippets.ts';

it('names the address of the server only where it is not the default', () => {
  expect(environmentLines('http://127.0.0.1:4400/v1', 'pr_live_a')).toBe(
    'export POSTRIDER_API_KEY=pr_live_a',
  );
  expect(environmentLines('https://mail.example/v1', 'pr_live_a')).toBe(
    'export POSTRIDER_API_KEY=pr_live_a\nexport POSTRIDER_BASE_URL=https://mail.example/v1',
  );
});

it('takes the key from the environment, and creates nothing to try a key', () => {
  const [curl, sdk] = tryKeySnippets('https://mail.example/v1');
  expect(curl?.code).toBe(
    'curl https://mail.example/v1/inboxes \\\n  -H "Authorization: Bearer $POSTRIDER_API_KEY"',
  );
  expect(sdk?.code).toContain("new Postrider({ baseURL: 'https://mail.example/v1' })");
});

it('creates inboxes without a chosen address, so that the same call works again', () => {
  expect(inboxSnippets('https://mail.example/v1')[0]?.code).toContain("-d '{}'");
});
