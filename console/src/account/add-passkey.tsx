import { Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import type { consoleLimits } from '@postrider/contract/console';
import { accountText } from '#strings/account.ts';
import { passkeysText } from '#strings/passkeys.ts';
import { readFields } from '../lib/read-fields.ts';
import { FormActions } from '../parts/form-actions.tsx';
import { notify } from '../parts/notify.ts';
import { PasskeyProblem } from '../parts/passkey-problem.tsx';
import { useAddPasskey } from './passkey-queries.ts';

const text = passkeysText;
const nameCharactersMax: (typeof consoleLimits)['nameCharactersMax'] = 100;

/** The dialog that adds a passkey. The browser takes over after it. */
export function AddPasskey({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={text.addTitle}>
      <AddForm onClose={onClose} />
    </Modal>
  );
}

function AddForm({ onClose }: { onClose(): void }) {
  const { mutate, isPending, error } = useAddPasskey();
  return (
    <form
      onSubmit={(event) => {
        const field = readFields(event);
        const onSuccess = ({ name }: { name: string }) => {
          onClose();
          void notify({ message: text.added(name) });
        };
        mutate({ name: field('name'), password: field('current') }, { onSuccess });
      }}
    >
      <Stack gap="md">
        <Text>{text.addHelp}</Text>
        {error && <PasskeyProblem error={error} />}
        <TextInput
          name="name"
          label={text.name}
          description={text.nameHelp}
          placeholder={text.namePlaceholder}
          maxLength={nameCharactersMax}
          autoComplete="off"
          required
          withAsterisk={false}
          data-autofocus
        />
        <PasswordInput
          name="current"
          label={accountText.currentPassword}
          description={accountText.passwordWhy}
          autoComplete="current-password"
          required
          withAsterisk={false}
        />
        <FormActions submit={text.submit} isPending={isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}
