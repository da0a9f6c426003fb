import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Passkey } from '@postrider/contract/console';
import { IconFingerprint } from '@tabler/icons-react';
import { passkeysText } from '#strings/passkeys.ts';
import { passkeyObstacle } from '../lib/passkey-ceremony.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { notify } from '../parts/notify.ts';
import { Panel } from '../parts/panel.tsx';
import { Time } from '../parts/time.tsx';
import { AddPasskey } from './add-passkey.tsx';
import { usePasskeys, useRemovePasskey } from './passkey-queries.ts';
import { PasswordDialog } from './password-dialog.tsx';

const text = passkeysText;

/** The passkeys of the person, and the way to add one. */
export function Passkeys() {
  const { items, isLoading, error, retry } = usePasskeys();
  const [isAdding, { open, close }] = useDisclosure(false);
  const obstacle = passkeyObstacle();
  const add = (
    <Button size="xs" onClick={open} disabled={obstacle !== null}>
      {text.add}
    </Button>
  );
  return (
    <Panel title={text.title} about={text.about} actions={add}>
      {obstacle !== null && <Text>{text.unsupported[obstacle]}</Text>}
      {error !== null && <ApiProblem error={error} onRetry={retry} />}
      {isLoading && <Skeleton height={24} />}
      {!isLoading && error === null && items.length === 0 && <Text c="dimmed">{text.none}</Text>}
      {items.length > 0 && (
        <Stack component="ul" gap={0} m={0} p={0} className="console-rows" style={{ listStyle: 'none' }}>
          {items.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </Stack>
      )}
      <AddPasskey isOpen={isAdding} onClose={close} />
    </Panel>
  );
}

function PasskeyRow({ passkey: { id, name, created_at, last_used_at } }: { passkey: Passkey }) {
  const { mutateAsync } = useRemovePasskey();
  const [isRemoving, { open, close }] = useDisclosure(false);
  async function remove(password: string) {
    await mutateAsync({ id, password });
    void notify({ message: text.removed(name) });
  }
  return (
    <Group component="li" justify="space-between" wrap="nowrap" py={10}>
      <Group gap="sm" wrap="nowrap" style={{ minWidth: 0 }}>
        <IconFingerprint size={20} stroke={1.5} style={{ flex: 'none' }} aria-hidden />
        <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
          <Text fw={500}>{name}</Text>
          <Text size="sm" c="dimmed">
            {text.created} <Time value={created_at} /> ·{' '}
            {last_used_at === null ? (
              text.never
            ) : (
              <>
                {text.used} <Time value={last_used_at} />
              </>
            )}
          </Text>
        </div>
      </Group>
      <Button
        size="xs"
        variant="default"
        aria-label={text.removeLabel(name)}
        style={{ flex: 'none' }}
        onClick={open}
      >
        {text.remove}
      </Button>
      <PasswordDialog
        isOpen={isRemoving}
        onClose={close}
        title={text.removeTitle(name)}
        message={text.removeMessage}
        confirm={text.removeConfirm}
        isRemoval
        onPassword={remove}
      />
    </Group>
  );
}
