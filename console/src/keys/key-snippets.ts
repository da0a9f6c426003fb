import { brand } from '@postrider/contract/brand';
import { partsText } from '#strings/parts.ts';
import type { Snippet } from '../parts/empty-state.tsx';

/** What stands for a key in examples. */
export const keyPlaceholder = `${brand.keyPrefix.live}…`;

/** Returns the lines that put a key, and the address of the server unless it is the default, into the environment. */
export function environmentLines(apiUrl: string, key: string): string {
  const lines = [`export ${brand.env.apiKey}=${key}`];
  if (apiUrl !== brand.defaults.baseUrl) lines.push(`export ${brand.env.baseUrl}=${apiUrl}`);
  return lines.join('\n');
}

/** Returns how a program creates an inbox with a key: by curl, and by the SDK. */
export function keySnippets(apiUrl: string, key: string): Snippet[] {
  const curl = [
    `curl ${apiUrl}/inboxes \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    '  -H "Content-Type: application/json" \\',
    `  -d '{"local_part": "support"}'`,
  ];
  const sdk = [
    `import { ${brand.product} } from '${brand.packages.sdk}';`,
    '',
    `const client = new ${brand.product}({ apiKey: '${key}', baseURL: '${apiUrl}' });`,
    "const inbox = await client.inboxes.create({ local_part: 'support' });",
    'console.log(inbox.address);',
  ];
  return [
    { label: partsText.curl, code: curl.join('\n') },
    { label: partsText.sdk, code: sdk.join('\n') },
  ];
}
