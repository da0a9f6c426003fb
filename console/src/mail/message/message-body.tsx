import { Box, Group, Tabs } from '@mantine/core';
import type { Message } from 'postrider';
import { lazy, type ReactNode, Suspense } from 'react';
import { messageText } from '#strings/message.ts';
import { HtmlBody } from './html-body.tsx';
import { useWholeMessage } from './message-queries.ts';
import { PlainBody } from './plain-body.tsx';

const text = messageText.body;
const HeadersBody = lazy(async () => ({ default: (await import('./source-body.tsx')).HeadersBody }));
const SourceBody = lazy(async () => ({ default: (await import('./source-body.tsx')).SourceBody }));

interface MessageBodyProps {
  message: Message;
  /** Marks about the message, at the beginning of the line that chooses its form. */
  marks?: ReactNode;
  /** Notes between that line and the body. */
  notes?: ReactNode;
}

/** The body of a message in each of its forms: formatted, plain, its header fields, and its source. */
export function MessageBody({ message, marks, notes }: MessageBodyProps) {
  const { data: whole = message } = useWholeMessage(message);
  const hasHtml = whole.body_html !== null;
  return (
    <Tabs
      defaultValue={hasHtml ? 'html' : 'text'}
      keepMounted={false}
      variant="pills"
      color="gray"
      className="message-tabs"
    >
      <Group justify="space-between" gap="xs" mb="sm">
        <Group gap={6}>{marks}</Group>
        <Tabs.List aria-label={text.label}>
          {hasHtml && <Tabs.Tab value="html">{text.html}</Tabs.Tab>}
          <Tabs.Tab value="text">{text.text}</Tabs.Tab>
          <Tabs.Tab value="headers">{text.headers}</Tabs.Tab>
          <Tabs.Tab value="raw">{text.raw}</Tabs.Tab>
        </Tabs.List>
      </Group>
      {notes}
      <Suspense fallback={<Box mih={120} />}>
        {hasHtml && (
          <Tabs.Panel value="html">
            <HtmlBody message={whole} />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="text">
          <PlainBody message={whole} />
        </Tabs.Panel>
        <Tabs.Panel value="headers">
          <HeadersBody messageId={message.id} />
        </Tabs.Panel>
        <Tabs.Panel value="raw">
          <SourceBody messageId={message.id} />
        </Tabs.Panel>
      </Suspense>
    </Tabs>
  );
}
