import type { WebhookWithSecret } from 'postrider';
import { useNavigate } from 'react-router';
import { webhooksText } from '#strings/webhooks.ts';
import { useChange } from '../lib/query.ts';
import { CreateOnce } from '../parts/shown-once.tsx';
import { ShownSecret } from './shown-secret.tsx';
import { type WebhookFields, WebhookForm } from './webhook-form.tsx';

const start: WebhookFields = { url: '', events: ['message.received'], inbox_ids: null };

/** The dialog that creates a webhook, and shows its signing secret once. The page of the webhook follows. */
export function CreateWebhook({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const navigate = useNavigate();
  const { mutateAsync } = useChange(
    ({ api }, fields: WebhookFields) => api.webhooks.create(fields),
    ['webhooks'],
  );
  return (
    <CreateOnce<WebhookWithSecret>
      {...{ isOpen, onClose }}
      title={webhooksText.newTitle}
      doneTitle={webhooksText.secret.title}
      form={(onDone) => (
        <WebhookForm
          {...{ start, onDone }}
          submit={webhooksText.form.create}
          onSubmit={mutateAsync}
          onCancel={onClose}
        />
      )}
    >
      {(webhook) => (
        <ShownSecret webhook={webhook} onClose={() => void navigate(`/webhooks/${webhook.id}`)} />
      )}
    </CreateOnce>
  );
}
