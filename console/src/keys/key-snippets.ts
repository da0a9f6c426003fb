import { brand } from '@postrider/contract/brand';
import type { Snippet } from '../parts/code-block.tsx';
import { apiSnippets } from '../parts/code-block.tsx';

/** The placeholder of a key in examples. */
export const keyPlaceholder = `${brand.keyPrefix.live}…`;

/** Returns the lines that put a key, and the address of the server unless it is the default, into the environment. */
export function environmentLines(apiUrl: string, key: string): string {
  const lines = [`export ${brand.env.apiKey}=${key}`];
  if (apiUrl !== brand.defaults.baseUrl) lines.push(`export ${brand.env.baseUrl}=${apiUrl}`);
  return lines.join('\n');
}

/** Returns how a program tries a new key, as often as it likes: it lists the inboxes. The key comes from the environment. */
export function tryKeySnippets(apiUrl: string): Snippet[] {
  return apiSnippets(apiUrl, {
    path: '/inboxes',
    sdk: 'for await (const inbox of client.inboxes.list()) console.log(inbox.address);',
  });
}

/** Returns how a program creates an inbox, whose address the server chooses. The key comes from the environment. */
export function inboxSnippets(apiUrl: string): Snippet[] {
  return apiSnippets(apiUrl, {
    path: '/inboxes',
    body: {},
    sdk: 'const inbox = await client.inboxes.create({});\nconsole.log(inbox.address);',
  });
}
