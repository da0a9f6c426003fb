import { Anchor, Button, Code } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { PostriderEvent } from 'postrider';
import { Link } from 'react-router';
import { eventKindText, eventsText } from '#strings/events.ts';
import { partsText } from '#strings/parts.ts';
import { threadPath } from '../lib/mail-paths.ts';
import { useInboxAddress } from '../lib/shared-queries.ts';
import { fullTime } from '../lib/times.ts';
import { useCopied } from '../parts/copy-button.tsx';
import { type Fact, FactList } from '../parts/fact-list.tsx';

const text = eventsText.facts;

/** An event with the name of each of its fields. `json` is the event as programs get it, to be copied. */
export function EventFacts({ event, json }: { event: PostriderEvent; json: string }) {
  const address = useInboxAddress()(event.inbox_id);
  const { copied, copy } = useCopied(json);
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <div>
      <FactList facts={listFacts(event, address)} />
      <Button mt="xs" size="xs" variant="default" leftSection={<Icon size={14} aria-hidden />} onClick={copy}>
        {copied ? partsText.copied : text.copy}
      </Button>
    </div>
  );
}

function listFacts(event: PostriderEvent, inbox: string): Fact[] {
  const { id, event: kind, created_at, message } = event;
  const { name, about } = eventKindText[kind];
  const reason = readReason(event);
  const draft = 'draft_id' in event ? event.draft_id : null;
  return [
    {
      name: text.kind,
      value: (
        <>
          {name}: {about} <Code>{kind}</Code>
        </>
      ),
    },
    { name: text.time, value: <time dateTime={created_at}>{fullTime(created_at)}</time> },
    { name: text.inbox, value: inbox },
    // A sample is about a message that does not exist, in an inbox that does not exist.
    { name: text.message, value: <MessageLink event={event} isThere={inbox !== event.inbox_id} /> },
    ...(message === null
      ? []
      : [
          { name: text.from, value: message.from_addr },
          { name: text.to, value: message.to_addrs.join(partsText.listSeparator) },
        ]),
    ...('recipient' in event && event.recipient !== null
      ? [{ name: text.recipient, value: event.recipient }]
      : []),
    ...(reason === '' ? [] : [{ name: text.reason, value: reason }]),
    ...(draft === null ? [] : [{ name: text.draft, value: draft, copy: draft }]),
    { name: text.id, value: id, copy: id },
  ];
}

function MessageLink({ event, isThere }: { event: PostriderEvent; isThere: boolean }) {
  const { message, message_ref, thread_id } = event;
  if (message === null) return message_ref === null ? text.noMessage : eventsText.gone;
  const subject = message.subject || eventsText.noSubject;
  if (thread_id === null || !isThere) return subject;
  return (
    <Anchor component={Link} to={threadPath(thread_id, message.id)}>
      {subject}
    </Anchor>
  );
}

/** Returns why something happened, or what changed; empty for an event without a reason. */
export function readReason(event: PostriderEvent): string {
  if (event.event === 'message.bounced') return event.bounce.diagnostic ?? event.bounce.code ?? '';
  if (event.event === 'message.complained') return event.complaint.feedback_type ?? '';
  if (event.event === 'message.deferred') return event.detail ?? '';
  if (event.event === 'message.updated') return event.changed.join(partsText.listSeparator);
  if (event.event === 'draft.failed') return event.failure;
  return event.event === 'message.rejected' ? event.reason : '';
}
