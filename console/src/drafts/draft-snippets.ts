import { brand } from '@postrider/contract/brand';
import { partsText } from '#strings/parts.ts';
import type { Snippet } from '../parts/empty-state.tsx';

/** Returns how a program leaves a draft for a person to approve: by curl, and by the SDK. */
export function draftSnippets(apiUrl: string): Snippet[] {
  const curl = [
    `curl ${apiUrl}/drafts \\`,
    `  -H "Authorization: Bearer $${brand.env.apiKey}" \\`,
    '  -H "Content-Type: application/json" \\',
    `  -d '{"inbox_id": "inb_…", "to": "ada@example.com", "subject": "Your order", "text": "It has shipped."}'`,
  ];
  const sdk = [
    `import { ${brand.product} } from '${brand.packages.sdk}';`,
    '',
    `const client = new ${brand.product}({ baseURL: '${apiUrl}' });`,
    'await client.drafts.create({',
    "  inbox_id: 'inb_…',",
    "  to: 'ada@example.com',",
    "  subject: 'Your order',",
    "  text: 'It has shipped.',",
    '});',
  ];
  return [
    { label: partsText.curl, code: curl.join('\n') },
    { label: partsText.sdk, code: sdk.join('\n') },
  ];
}
