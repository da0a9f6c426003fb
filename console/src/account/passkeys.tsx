import { Button, Skeleton, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Passkey } from '@postrider/contract/console';
import { IconFingerprint } from '@tabler/icons-react';
import { passkeysText } from '#strings/account.ts';
import { type Clients, useChange, useShortList } from '../lib/query.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { type DialogProps, FormDialog, NameField } from '../parts/form-dialog.tsx';
import { Panel } from '../parts/panel.tsx';
import { Time } from '../parts/time.tsx';
import { AccountRow, AccountRows, PasswordButton, PasswordField } from './account-parts.tsx';
import { createPasskey, PasskeyProblem, passkeyObstacle } from './passkey-ceremony.tsx';

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
        <AccountRows>
          {items.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </AccountRows>
      )}
      <AddPasskey isOpen={isAdding} onClose={close} />
    </Panel>
  );
}

function PasskeyRow({ passkey: { id, name, created_at, last_used_at } }: { passkey: Passkey }) {
  const { mutateAsync } = useChange(['passkeys', 'own-sessions'], ({ ask }, password: string) =>
    ask('passkeys.remove', { params: { id }, body: { password } }),
  );
  return (
    <AccountRow
      icon={IconFingerprint}
      name={<Text fw={500}>{name}</Text>}
      about={
        <>
          {text.created} <Time value={created_at} /> · {last_used_at === null ? text.never : text.used}{' '}
          {last_used_at !== null && <Time value={last_used_at} />}
        </>
      }
      action={<PasswordButton {...text.remove(name)} onPassword={mutateAsync} />}
    />
  );
}

/** The server creates the options, the browser creates the passkey, and the server checks it. */
async function addPasskey({ ask }: Clients, { name, password }: { name: string; password: string }) {
  const { ticket, options } = await ask('passkeys.addOptions', { body: { password } });
  return ask('passkeys.add', { body: { ticket, name, response: await createPasskey(options) } });
}

/** The dialog that adds a passkey. The browser takes over after it. */
function AddPasskey(dialog: DialogProps) {
  const { mutateAsync } = useChange(['passkeys', 'own-sessions'], addPasskey);
  return (
    <FormDialog
      {...dialog}
      title={text.addTitle}
      submit={text.submit}
      onSubmit={(field) => mutateAsync({ name: field('name'), password: field('current') })}
      done={({ name }) => text.added(name)}
      showError={(error) => <PasskeyProblem error={error} />}
    >
      <Text>{text.addHelp}</Text>
      <NameField label={text.name} description={text.nameHelp} placeholder={text.namePlaceholder} />
      <PasswordField />
    </FormDialog>
  );
}
