import { Modal, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { suppressionsText } from '#strings/suppressions.ts';
import { useChange } from '../lib/query.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { FormActions } from '../parts/form-actions.tsx';
import { notify } from '../parts/notify.ts';

const text = suppressionsText.form;

/** The dialog that suppresses an address. */
export function CreateSuppression({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={text.title}>
      <AddressForm onClose={onClose} />
    </Modal>
  );
}

function AddressForm({ onClose }: { onClose(): void }) {
  const [address, setAddress] = useState('');
  const { mutate, isPending, error } = useChange(
    async ({ api }, wanted: string) => {
      const { data, response } = await api.suppressions.create({ address: wanted }).withResponse();
      return { address: data.address, isNew: response.status === 201 };
    },
    ['suppressions'],
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    mutate(address.trim(), {
      onSuccess: (entry) => {
        void notify({ message: entry.isNew ? text.added(entry.address) : text.existing(entry.address) });
        onClose();
      },
    });
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {error && <ApiProblem error={error} />}
        <TextInput
          label={text.address}
          description={text.help}
          placeholder={text.placeholder}
          inputMode="email"
          maxLength={320}
          autoComplete="off"
          spellCheck={false}
          required
          withAsterisk={false}
          data-autofocus
          value={address}
          onChange={({ currentTarget }) => setAddress(currentTarget.value)}
        />
        <FormActions submit={text.submit} isPending={isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}
