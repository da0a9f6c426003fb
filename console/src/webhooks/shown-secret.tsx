import { Tabs } from '@mantine/core';
import type { WebhookWithSecret } from 'postrider';
import { webhooksText } from '#strings/webhooks.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { receiverSnippets, secretLine } from './receiver-snippets.ts';

const text = webhooksText.secret;

interface ShownSecretProps {
  webhook: WebhookWithSecret;
  onClose(): void;
}

/** A signing secret, shown only once, with an example of a receiver. */
export function ShownSecret({ webhook: { secret, url }, onClose }: ShownSecretProps) {
  return (
    <ShownOnce label={text.label} secret={secret} onClose={onClose}>
      <CodeBlock label={text.environment} code={secretLine(secret)} />
      <ReceiverCode url={url} />
    </ShownOnce>
  );
}

/** The code of a receiver, by framework. */
export function ReceiverCode({ url }: { url: string }) {
  const snippets = receiverSnippets(url);
  return (
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
  );
}
