import { apiSnippets } from '../parts/api-snippets.ts';
import type { Snippet } from '../parts/empty-state.tsx';

const url = 'https://agent.example.com/hooks';

/** Returns how a program creates a webhook, by curl and by the SDK. */
export function webhookSnippets(apiUrl: string): Snippet[] {
  return apiSnippets(apiUrl, {
    path: '/webhooks',
    body: { url, events: ['message.received'] },
    sdk: `const { secret } = await client.webhooks.create({ url: '${url}', events: ['message.received'] });`,
  });
}
