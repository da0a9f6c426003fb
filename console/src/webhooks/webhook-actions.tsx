import { Button, Group, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconSend } from '@tabler/icons-react';
import type { UpdateWebhook, Webhook, WebhookWithSecret } from 'postrider';
import { lazy, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { webhooksText } from '#strings/webhooks.ts';
import { useChange, useClients, useRefresh } from '../lib/query.ts';
import { ActionButton } from '../parts/buttons.tsx';
import { ConfirmButton } from '../parts/confirm-dialog.tsx';
import { notify } from '../parts/notify.ts';
import { OwnersOnly } from '../parts/owners-only.tsx';
import { ShownSecret } from './shown-secret.tsx';
import { useDeliver } from './webhook-state.tsx';

const WebhookForm = lazy(async () => ({ default: (await import('./webhook-form.tsx')).WebhookForm }));
const text = webhooksText.actions;

/** The actions on a webhook: members test it, and owners change it. */
export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const { id } = webhook;
  return (
    <>
      <ActionButton
        variant="filled"
        leftSection={<IconSend size={14} aria-hidden />}
        onAct={useDeliver(id, text.testResult)}
      >
        {text.test}
      </ActionButton>
      <OwnersOnly>
        <Group gap="xs">
          <EditWebhook webhook={webhook} />
          <Switch webhook={webhook} />
          <RotateSecret webhookId={id} />
          <DeleteWebhook webhookId={id} />
        </Group>
      </OwnersOnly>
    </>
  );
}

function useUpdateWebhook(id: string) {
  return useChange(['webhooks'], ({ api }, input: UpdateWebhook) => api.webhooks.update(id, input))
    .mutateAsync;
}

function EditWebhook({ webhook }: { webhook: Webhook }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const update = useUpdateWebhook(webhook.id);
  function done() {
    close();
    void notify({ message: webhooksText.saved });
  }
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {text.edit}
      </Button>
      <Modal opened={isOpen} onClose={close} size="lg" title={webhooksText.editTitle}>
        <Suspense>
          <WebhookForm
            start={webhook}
            submit={webhooksText.form.save}
            onSubmit={update}
            onDone={done}
            onCancel={close}
          />
        </Suspense>
      </Modal>
    </>
  );
}

function Switch({ webhook: { id, enabled } }: { webhook: Webhook }) {
  const update = useUpdateWebhook(id);
  async function enable() {
    await update({ enabled: true });
    return { message: text.enabled };
  }
  if (!enabled) return <ActionButton onAct={enable}>{text.enable}</ActionButton>;
  return <ConfirmButton {...text.disable} onConfirm={() => update({ enabled: false })} />;
}

function RotateSecret({ webhookId }: { webhookId: string }) {
  const [rotated, setRotated] = useState<WebhookWithSecret | null>(null);
  const [isShown, { open, close }] = useDisclosure(false);
  const { mutateAsync } = useChange(['webhooks'], ({ api }) => api.webhooks.rotateSecret(webhookId));
  async function rotate() {
    setRotated(await mutateAsync());
    open();
  }
  return (
    <>
      <ConfirmButton {...text.rotate} onConfirm={rotate} />
      <Modal
        opened={isShown}
        onClose={close}
        size="lg"
        title={webhooksText.secret.rotatedTitle}
        closeOnClickOutside={false}
        closeOnEscape={false}
        onExitTransitionEnd={() => setRotated(null)}
      >
        {rotated && <ShownSecret webhook={rotated} onClose={close} />}
      </Modal>
    </>
  );
}

function DeleteWebhook({ webhookId }: { webhookId: string }) {
  const { api } = useClients();
  const refresh = useRefresh(['webhooks']);
  const navigate = useNavigate();
  async function remove() {
    await api.webhooks.delete(webhookId);
    void navigate('/webhooks');
    void refresh();
  }
  return <ConfirmButton {...text.delete} onConfirm={remove} />;
}
