import { expect, it } from 'vitest';
import { environmentLines, keySnippets } from './key-snippets.ts';

it('names the address of the server only where it is not the default', () => {
  expect(environmentLines('http://127.0.0.1:4400/v1', 'pr_live_a')).toBe(
    'export POSTRIDER_API_KEY=pr_live_a',
  );
  expect(environmentLines('https://mail.example/v1', 'pr_live_a')).toBe(
    'export POSTRIDER_API_KEY=pr_live_a\nexport POSTRIDER_BASE_URL=https://mail.example/v1',
  );
});

it('shows how to create an inbox on this server', () => {
  const [curl, sdk] = keySnippets('https://mail.example/v1', 'pr_live_a');
  expect(curl?.code).toContain('curl https://mail.example/v1/inboxes');
  expect(curl?.code).toContain('Authorization: Bearer pr_live_a');
  expect(sdk?.code).toContain("apiKey: 'pr_live_a', baseURL: 'https://mail.example/v1'");
});
