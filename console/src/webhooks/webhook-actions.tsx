import { Button, Group, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconSend } from '@tabler/icons-react';
import type { UpdateWebhook, Webhook, WebhookWithSecret } from 'postrider';
import { lazy, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { webhooksText } from '#strings/webhooks.ts';
import { useClients, useRefresh } from '../lib/query.ts';
import { ConfirmButton } from '../parts/confirm-dialog.tsx';
import { notify, notifyProblem } from '../parts/notify.ts';
import { OwnersOnly } from '../parts/owners-only.tsx';
import { describeEnd } from './delivery-state.tsx';
import { ShownSecret } from './shown-secret.tsx';
import { useTestWebhook, useWebhookChange } from './webhook-queries.ts';

const WebhookForm = lazy(async () => ({ default: (await import('./webhook-form.tsx')).WebhookForm }));
const text = webhooksText.actions;

/** The actions on a webhook: members test it, and owners change it. */
export function WebhookActions({ webhook }: { webhook: Webhook }) {
  return (
    <>
      <SendTest webhookId={webhook.id} />
      <OwnersOnly>
        <Group gap="xs">
          <EditWebhook webhook={webhook} />
          <Switch webhook={webhook} />
          <RotateSecret webhookId={webhook.id} />
          <DeleteWebhook webhookId={webhook.id} />
        </Group>
      </OwnersOnly>
    </>
  );
}

function SendTest({ webhookId }: { webhookId: string }) {
  const { mutate, isPending } = useTestWebhook(webhookId);
  function send() {
    mutate(undefined, {
      onSuccess: ({ status, attempts }) => {
        const last = attempts.at(-1);
        const isFine = status === 'succeeded';
        void notify({
          message: isFine
            ? text.testSucceeded(last?.status_code ?? null)
            : text.testFailed(describeEnd(last)),
          tone: isFine ? 'good' : 'bad',
        });
      },
      onError: notifyProblem,
    });
  }
  return (
    <Button size="xs" leftSection={<IconSend size={14} aria-hidden />} loading={isPending} onClick={send}>
      {text.test}
    </Button>
  );
}

function EditWebhook({ webhook }: { webhook: Webhook }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const { mutate, isPending, error, reset } = useUpdateWebhook(webhook.id);
  function done() {
    close();
    void notify({ message: webhooksText.saved });
  }
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {text.edit}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        size="lg"
        title={webhooksText.editTitle}
        onExitTransitionEnd={reset}
      >
        <Suspense>
          <WebhookForm
            start={webhook}
            submit={webhooksText.form.save}
            isPending={isPending}
            error={error}
            onSubmit={(fields) => mutate(fields, { onSuccess: done })}
            onCancel={close}
          />
        </Suspense>
      </Modal>
    </>
  );
}

function Switch({ webhook: { id, enabled } }: { webhook: Webhook }) {
  const { mutateAsync, mutate, isPending } = useUpdateWebhook(id);
  function enable() {
    mutate(
      { enabled: true },
      {
        onSuccess: () => void notify({ message: text.enabled }),
        onError: notifyProblem,
      },
    );
  }
  if (!enabled)
    return (
      <Button size="xs" variant="default" loading={isPending} onClick={enable}>
        {text.enable}
      </Button>
    );
  return (
    <ConfirmButton
      title={text.disableTitle}
      message={text.disableMessage}
      confirm={text.disableConfirm}
      onConfirm={async () => {
        await mutateAsync({ enabled: false });
        void notify({ message: text.disabled });
      }}
    >
      {text.disable}
    </ConfirmButton>
  );
}

function useUpdateWebhook(id: string) {
  return useWebhookChange((webhooks, input: UpdateWebhook) => webhooks.update(id, input));
}

function RotateSecret({ webhookId }: { webhookId: string }) {
  const [rotated, setRotated] = useState<WebhookWithSecret | null>(null);
  const [isShown, { open, close }] = useDisclosure(false);
  const { mutateAsync } = useWebhookChange((webhooks, _: undefined) => webhooks.rotateSecret(webhookId));
  async function rotate() {
    setRotated(await mutateAsync(undefined));
    open();
  }
  return (
    <>
      <ConfirmButton
        title={text.rotateTitle}
        message={text.rotateMessage}
        confirm={text.rotateConfirm}
        onConfirm={rotate}
      >
        {text.rotate}
      </ConfirmButton>
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
    void notify({ message: text.deleted });
  }
  return (
    <ConfirmButton
      title={text.deleteTitle}
      message={text.deleteMessage}
      confirm={text.deleteConfirm}
      onConfirm={remove}
    >
      {text.delete}
    </ConfirmButton>
  );
}
