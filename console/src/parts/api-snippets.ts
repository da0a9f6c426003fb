import { brand } from '@postrider/contract/brand';
import { partsText } from '#strings/parts.ts';
import type { Snippet } from './empty-state.tsx';

interface ApiCall {
  /** The path below `/v1`. */
  path: string;
  /** The JSON that is posted; left out for a GET. */
  body?: unknown;
  /** The call in TypeScript, with a client named `client`. */
  sdk: string;
}

/** Returns how a program makes a call, with curl and with the SDK. The key comes from the environment. */
export function apiSnippets(apiUrl: string, { path, body, sdk }: ApiCall): Snippet[] {
  const lines = [
    `import { ${brand.product} } from '${brand.packages.sdk}';`,
    '',
    `const client = new ${brand.product}({ baseURL: '${apiUrl}' });`,
    sdk,
  ];
  return [
    { label: partsText.curl, code: curlCommand(apiUrl, { path, body }) },
    { label: partsText.sdk, code: lines.join('\n') },
  ];
}

/** Returns a call by curl, with the key from the environment. */
export function curlCommand(apiUrl: string, { path, body }: Pick<ApiCall, 'path' | 'body'>): string {
  const lines = [`curl ${apiUrl}${path}`, `-H "Authorization: Bearer $${brand.env.apiKey}"`];
  if (body !== undefined) lines.push('-H "Content-Type: application/json"', `-d '${JSON.stringify(body)}'`);
  return lines.join(' \\\n  ');
}
