import { Checkbox, Stack, TextInput } from '@mantine/core';
import type { PostriderEvent, Webhook, WebhookWithSecret } from 'postrider';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { eventKindText } from '#strings/events.ts';
import { webhooksText } from '#strings/webhooks.ts';
import { useChange } from '../lib/query.ts';
import { ApiForm, type DialogProps, type FormProps } from '../parts/form-dialog.tsx';
import { InboxSelect } from '../parts/inbox-filter.tsx';
import { CreateOnce } from '../parts/shown-once.tsx';
import { ShownSecret } from './shown-secret.tsx';

const text = webhooksText.form;
const kinds = Object.keys(eventKindText) as PostriderEvent['event'][];

type WebhookFields = Pick<Webhook, 'url' | 'events' | 'inbox_ids'>;

interface WebhookFormProps<Result> extends Pick<FormProps<Result>, 'submit' | 'onDone' | 'onCancel'> {
  start: WebhookFields;
  onSubmit(fields: WebhookFields): Promise<Result>;
}

/** The fields of a webhook, for a new one and for one that is changed. */
export function WebhookForm<Result>({ start, onSubmit, ...form }: WebhookFormProps<Result>) {
  const [events, setEvents] = useState<string[]>(start.events);
  const [inboxIds, setInboxIds] = useState(start.inbox_ids ?? []);
  const [wasTried, setTried] = useState(false);
  const hasEvents = events.length > 0;
  function canSubmit() {
    setTried(true);
    return hasEvents;
  }
  function send(field: (name: string) => string) {
    const chosen = kinds.filter((kind) => events.includes(kind));
    const inbox_ids = inboxIds.length === 0 ? null : inboxIds;
    return onSubmit({ url: field('url').trim(), events: chosen, inbox_ids });
  }
  return (
    <ApiForm {...form} onSubmit={send} canSubmit={canSubmit}>
      <TextInput
        name="url"
        label={text.url}
        description={text.urlHelp}
        placeholder="https://agent.example.com/hooks"
        type="url"
        inputMode="url"
        autoComplete="on"
        maxLength={2_048}
        required
        data-autofocus
        defaultValue={start.url}
      />
      <Checkbox.Group
        label={text.events}
        value={events}
        onChange={setEvents}
        error={wasTried && !hasEvents ? text.noEvents : null}
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
    </ApiForm>
  );
}

const start: WebhookFields = { url: '', events: ['message.received'], inbox_ids: null };

/** The dialog that creates a webhook, and shows its signing secret once. The page of the webhook follows. */
export function CreateWebhook(dialog: DialogProps) {
  const navigate = useNavigate();
  const { mutateAsync } = useChange(['webhooks'], ({ api }, fields: WebhookFields) =>
    api.webhooks.create(fields),
  );
  return (
    <CreateOnce<WebhookWithSecret>
      {...dialog}
      title={webhooksText.newTitle}
      doneTitle={webhooksText.secret.title}
      form={(onDone) => (
        <WebhookForm
          {...{ start, onDone }}
          submit={webhooksText.form.create}
          onSubmit={mutateAsync}
          onCancel={dialog.onClose}
        />
      )}
    >
      {(webhook) => (
        <ShownSecret webhook={webhook} onClose={() => void navigate(`/webhooks/${webhook.id}`)} />
      )}
    </CreateOnce>
  );
}
