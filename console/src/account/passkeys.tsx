import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { consoleLimits, Passkey } from '@postrider/contract/console';
import { IconFingerprint } from '@tabler/icons-react';
import { passkeysText } from '#strings/account.ts';
import { type Clients, useChange, useShortList } from '../lib/query.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { FormDialog, NameField } from '../parts/form-dialog.tsx';
import { notify } from '../parts/notify.ts';
import { Panel } from '../parts/panel.tsx';
import { Time } from '../parts/time.tsx';
import { createPasskey, passkeyObstacle } from './passkey-ceremony.ts';
import { PasskeyProblem } from './passkey-problem.tsx';
import { PasswordDialog, PasswordField } from './password-dialog.tsx';

const text = passkeysText;

/** The passkeys of the person, and the way to add one. */
export function Passkeys() {
  const { items, isLoading, error, retry } = useShortList(
    ['passkeys'],
    async ({ ask }) => (await ask('passkeys.list')).passkeys,
  );
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
  const { mutateAsync } = useChange(
    ({ ask }, password: string) => ask('passkeys.remove', { params: { id }, body: { password } }),
    ['passkeys', 'own-sessions'],
  );
  const [isRemoving, { open, close }] = useDisclosure(false);
  async function remove(password: string) {
    await mutateAsync(password);
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

const nameCharactersMax: (typeof consoleLimits)['nameCharactersMax'] = 100;

/** The server creates the options, the browser creates the passkey, and the server checks it. */
async function addPasskey({ ask }: Clients, { name, password }: { name: string; password: string }) {
  const { ticket, options } = await ask('passkeys.addOptions', { body: { password } });
  return ask('passkeys.add', { body: { ticket, name, response: await createPasskey(options) } });
}

/** The dialog that adds a passkey. The browser takes over after it. */
function AddPasskey({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const { mutateAsync } = useChange(addPasskey, ['passkeys', 'own-sessions']);
  async function add(field: (name: string) => string) {
    const { name } = await mutateAsync({ name: field('name'), password: field('current') });
    void notify({ message: text.added(name) });
  }
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={text.addTitle}
      submit={text.submit}
      onSubmit={add}
      showError={(error) => <PasskeyProblem error={error} />}
    >
      <Text>{text.addHelp}</Text>
      <NameField
        label={text.name}
        description={text.nameHelp}
        placeholder={text.namePlaceholder}
        maxLength={nameCharactersMax}
      />
      <PasswordField />
    </FormDialog>
  );
}
