import { Tabs } from '@mantine/core';
import type { Message } from 'postrider';
import { lazy, Suspense } from 'react';
import { messageText } from '#strings/message.ts';
import { HtmlBody } from './html-body.tsx';
import { useWholeMessage } from './message-queries.ts';
import { PlainBody } from './plain-body.tsx';

const text = messageText.body;
const HeadersBody = lazy(async () => ({ default: (await import('./source-body.tsx')).HeadersBody }));
const SourceBody = lazy(async () => ({ default: (await import('./source-body.tsx')).SourceBody }));

/** The body of a message in each of its forms: formatted, plain, its header fields, and its source. */
export function MessageBody({ message }: { message: Message }) {
  const { data: whole = message } = useWholeMessage(message);
  const hasHtml = whole.body_html !== null;
  return (
    <Tabs defaultValue={hasHtml ? 'html' : 'text'} keepMounted={false} className="message-tabs">
      <Tabs.List aria-label={text.label}>
        {hasHtml && <Tabs.Tab value="html">{text.html}</Tabs.Tab>}
        <Tabs.Tab value="text">{text.text}</Tabs.Tab>
        <Tabs.Tab value="headers">{text.headers}</Tabs.Tab>
        <Tabs.Tab value="raw">{text.raw}</Tabs.Tab>
      </Tabs.List>
      <Suspense fallback={<div className="message-panel" />}>
        {hasHtml && (
          <Tabs.Panel value="html" className="message-panel">
            <HtmlBody message={whole} />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="text" className="message-panel">
          <PlainBody message={whole} />
        </Tabs.Panel>
        <Tabs.Panel value="headers" className="message-panel">
          <HeadersBody messageId={message.id} />
        </Tabs.Panel>
        <Tabs.Panel value="raw" className="message-panel">
          <SourceBody messageId={message.id} />
        </Tabs.Panel>
      </Suspense>
    </Tabs>
  );
}
