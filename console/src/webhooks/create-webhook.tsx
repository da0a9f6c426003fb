import { Modal } from '@mantine/core';
import type { CreateWebhook as NewWebhook, WebhookWithSecret } from 'postrider';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { webhooksText } from '#strings/webhooks.ts';
import { ShownSecret } from './shown-secret.tsx';
import { type WebhookFields, WebhookForm } from './webhook-form.tsx';
import { useWebhookChange } from './webhook-queries.ts';

const start: WebhookFields = { url: '', events: ['message.received'], inbox_ids: null };

/** The dialog that creates a webhook, and shows its signing secret once. The page of the webhook follows. */
export function CreateWebhook({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const [created, setCreated] = useState<WebhookWithSecret | null>(null);
  const { mutate, isPending, error, reset } = useWebhookChange((webhooks, input: NewWebhook) =>
    webhooks.create(input),
  );
  const navigate = useNavigate();
  function forget() {
    setCreated(null);
    reset();
  }
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      size="lg"
      title={created ? webhooksText.secret.title : webhooksText.newTitle}
      // A click next to the dialog, or Escape, must not lose the secret.
      closeOnClickOutside={created === null}
      closeOnEscape={created === null}
      onExitTransitionEnd={forget}
    >
      {created ? (
        <ShownSecret webhook={created} onClose={() => void navigate(`/webhooks/${created.id}`)} />
      ) : (
        <WebhookForm
          start={start}
          submit={webhooksText.form.create}
          isPending={isPending}
          error={error}
          onSubmit={(fields) => mutate(fields, { onSuccess: setCreated })}
          onCancel={onClose}
        />
      )}
    </Modal>
  );
}
