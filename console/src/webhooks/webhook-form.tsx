import { Checkbox, Stack, TextInput } from '@mantine/core';
import type { PostriderEvent, Webhook } from 'postrider';
import { type FormEvent, useState } from 'react';
import { eventKindText } from '#strings/events.ts';
import { webhooksText } from '#strings/webhooks.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { FormActions } from '../parts/form-dialog.tsx';
import { InboxSelect } from '../parts/inbox-filter.tsx';

const text = webhooksText.form;
const kinds = Object.keys(eventKindText) as PostriderEvent['event'][];

/** The fields of a webhook that people fill in. */
export type WebhookFields = Pick<Webhook, 'url' | 'events' | 'inbox_ids'>;

interface WebhookFormProps {
  start: WebhookFields;
  submit: string;
  isPending: boolean;
  error: unknown;
  onSubmit(fields: WebhookFields): void;
  onCancel(): void;
}

/** The fields of a webhook, for a new one and for one that is changed. */
export function WebhookForm({ start, submit, isPending, error, onSubmit, onCancel }: WebhookFormProps) {
  const [url, setUrl] = useState(start.url);
  const [events, setEvents] = useState<string[]>(start.events);
  const [inboxIds, setInboxIds] = useState(start.inbox_ids ?? []);
  const [wasTried, setTried] = useState(false);
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setTried(true);
    if (events.length === 0) return;
    const chosen = kinds.filter((kind) => events.includes(kind));
    onSubmit({ url: url.trim(), events: chosen, inbox_ids: inboxIds.length === 0 ? null : inboxIds });
  }
  return (
    <form onSubmit={send}>
      <Stack gap="md">
        {error ? <ApiProblem error={error} /> : null}
        <TextInput
          label={text.url}
          description={text.urlHelp}
          placeholder="https://agent.example.com/hooks"
          type="url"
          inputMode="url"
          maxLength={2_048}
          required
          data-autofocus
          value={url}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
        />
        <Checkbox.Group
          label={text.events}
          value={events}
          onChange={setEvents}
          error={wasTried && events.length === 0 ? text.noEvents : null}
        >
          <Stack gap={8} mt={6}>
            {kinds.map((kind) => (
              <Checkbox key={kind} value={kind} label={kind} description={eventKindText[kind].about} />
            ))}
          </Stack>
        </Checkbox.Group>
        <InboxSelect
          label={text.inboxes}
          description={text.inboxesHelp}
          placeholder={text.inboxesPlaceholder}
          value={inboxIds}
          onChange={setInboxIds}
        />
        <FormActions {...{ submit, isPending, onCancel }} />
      </Stack>
    </form>
  );
}
