import { apiSnippets } from '../parts/api-snippets.ts';

/** Returns how a program blocks a domain, by curl and by the SDK. */
export function ruleSnippets(apiUrl: string) {
  return apiSnippets(apiUrl, {
    path: '/lists',
    body: { kind: 'block', direction: 'inbound', pattern: 'spam.example' },
    sdk: "await client.rules.create({ kind: 'block', direction: 'inbound', pattern: 'spam.example' });",
  });
}
