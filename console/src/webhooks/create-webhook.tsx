import type { CreateWebhook as NewWebhook, WebhookWithSecret } from 'postrider';
import { useNavigate } from 'react-router';
import { webhooksText } from '#strings/webhooks.ts';
import { CreateOnce } from '../parts/shown-once.tsx';
import { ShownSecret } from './shown-secret.tsx';
import { type WebhookFields, WebhookForm } from './webhook-form.tsx';
import { useWebhookChange } from './webhook-queries.ts';

const start: WebhookFields = { url: '', events: ['message.received'], inbox_ids: null };

/** The dialog that creates a webhook, and shows its signing secret once. The page of the webhook follows. */
export function CreateWebhook({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const navigate = useNavigate();
  return (
    <CreateOnce<WebhookWithSecret>
      {...{ isOpen, onClose }}
      title={webhooksText.newTitle}
      doneTitle={webhooksText.secret.title}
      form={(onCreated) => <NewWebhookForm {...{ onCreated, onClose }} />}
    >
      {(webhook) => (
        <ShownSecret webhook={webhook} onClose={() => void navigate(`/webhooks/${webhook.id}`)} />
      )}
    </CreateOnce>
  );
}

interface FormProps {
  onCreated(webhook: WebhookWithSecret): void;
  onClose(): void;
}

function NewWebhookForm({ onCreated, onClose }: FormProps) {
  const { mutate, isPending, error } = useWebhookChange((webhooks, input: NewWebhook) =>
    webhooks.create(input),
  );
  return (
    <WebhookForm
      start={start}
      submit={webhooksText.form.create}
      isPending={isPending}
      error={error}
      onSubmit={(fields) => mutate(fields, { onSuccess: onCreated })}
      onCancel={onClose}
    />
  );
}
