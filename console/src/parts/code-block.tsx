import { Box, Text } from '@mantine/core';
import { brand } from '@postrider/contract/brand';
import { partsText } from '#strings/parts.ts';
import { CopyButton } from './copy-button.tsx';

/** A code example. */
export interface Snippet {
  /** The kind of code, such as `curl`. It is shown above the code. */
  label: string;
  code: string;
}

interface CodeBlockProps extends Snippet {
  /** The shown part of it, if that is not all. */
  shown?: string;
}

/** A piece of code or output, with a button to copy it. */
export function CodeBlock({ code, label, shown = code }: CodeBlockProps) {
  return (
    <figure className="console-code">
      <figcaption>
        <Text variant="detail" fw={500}>
          {label}
        </Text>
        <CopyButton value={code} label={`${partsText.copy}: ${label}`} />
      </figcaption>
      <Box component="pre" tabIndex={0} role="region" aria-label={label}>
        <code>{shown}</code>
      </Box>
    </figure>
  );
}

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
  return [
    { label: partsText.curl, code: curlCommand(apiUrl, { path, body }) },
    { label: partsText.sdk, code: sdkProgram(apiUrl, sdk) },
  ];
}

/** Returns a program in TypeScript with a client named `client`. */
export function sdkProgram(apiUrl: string, ...lines: string[]): string {
  return [
    `import { ${brand.product} } from '${brand.packages.sdk}';`,
    '',
    `const client = new ${brand.product}({ baseURL: '${apiUrl}' });`,
    ...lines,
  ].join('\n');
}

/** Returns a call by curl, with the key from the environment. */
export function curlCommand(apiUrl: string, { path, body }: Pick<ApiCall, 'path' | 'body'>): string {
  const lines = [`curl ${apiUrl}${path}`, `-H "Authorization: Bearer $${brand.env.apiKey}"`];
  if (body !== undefined) lines.push('-H "Content-Type: application/json"', `-d '${JSON.stringify(body)}'`);
  return lines.join(' \\\n  ');
}
