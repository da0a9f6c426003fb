import { Tabs } from '@mantine/core';
import { brand } from '@postrider/contract/brand';
import type { WebhookWithSecret } from 'postrider';
import { webhooksText } from '#strings/webhooks.ts';
import { CodeBlock, type Snippet } from '../parts/code-block.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';

const text = webhooksText.secret;
const proxiedPort = '3000';

/** A signing secret, shown only once, with the code of a receiver by framework. */
export function ShownSecret(props: { webhook: WebhookWithSecret; onClose(): void }) {
  const {
    webhook: { secret, url },
    onClose,
  } = props;
  const snippets = receiverSnippets(url);
  return (
    <ShownOnce label={text.label} secret={secret} onClose={onClose}>
      <CodeBlock label={text.environment} code={`export ${brand.env.webhookSecret}=${secret}`} />
      <Tabs defaultValue={snippets[0]?.label ?? null}>
        <Tabs.List aria-label={text.receiver}>
          {snippets.map(({ label }) => (
            <Tabs.Tab key={label} value={label}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippets.map(({ label, code }) => (
          <Tabs.Panel key={label} value={label} pt="xs">
            <CodeBlock label={text.receiver} code={code} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </ShownOnce>
  );
}

/** Returns how a receiver of this URL verifies and takes events, in three frameworks. It reads the secret from the environment. */
export function receiverSnippets(url: string): Snippet[] {
  const { path, port } = urlParts(url);
  const from = `'${brand.packages.sdk}/webhooks'`;
  const express = [
    "import express from 'express';",
    `import { expressWebhook } from ${from};`,
    '',
    'const app = express();',
    '// Before express.json(), because the signature covers the bytes of the body.',
    `app.post('${path}', expressWebhook(async (event) => console.log(event.event, event.message?.subject)));`,
    `app.listen(${port});`,
  ];
  const fetch = [
    `import { fetchWebhook } from ${from};`,
    '',
    '// Workers, Deno and Bun. For Next.js and Hono there are nextWebhook and honoWebhook.',
    'export default { fetch: fetchWebhook(async (event) => console.log(event.event, event.message?.subject)) };',
  ];
  const fastify = [
    "import Fastify from 'fastify';",
    `import { fastifyWebhook } from ${from};`,
    '',
    'const app = Fastify();',
    'const receive = fastifyWebhook(async (event) => console.log(event.event, event.message?.subject));',
    `app.register(receive, { prefix: '${path}' });`,
    `await app.listen({ port: ${port} });`,
  ];
  return [
    { label: 'Express', code: express.join('\n') },
    { label: 'fetch', code: fetch.join('\n') },
    { label: 'Fastify', code: fastify.join('\n') },
  ];
}

/** Returns the path of a URL, escaped for a JavaScript string, and its port. A receiver behind a proxy listens on its own port. */
function urlParts(url: string): { path: string; port: string } {
  if (!URL.canParse(url)) return { path: '/', port: proxiedPort };
  const { pathname, port } = new URL(url);
  return { path: pathname.replace(/['\\]/g, (character) => `\\${character}`), port: port || proxiedPort };
}
