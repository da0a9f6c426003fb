import { Modal, Stack, TextInput } from '@mantine/core';
import type { Inbox } from 'postrider';
import type { FormEvent } from 'react';
import { inboxesText } from '#strings/inboxes.ts';
import { ApiProblem } from '../../parts/api-problem.tsx';
import { FormActions } from '../../parts/form-actions.tsx';
import { notify } from '../../parts/notify.ts';
import { useRenameInbox } from './inbox-queries.ts';

const text = inboxesText.renaming;

interface RenameInboxProps {
  inbox: Pick<Inbox, 'id' | 'address' | 'display_name'>;
  isOpen: boolean;
  onClose(): void;
}

/** The dialog that changes the display name of an inbox. */
export function RenameInbox({ inbox, isOpen, onClose }: RenameInboxProps) {
  const { mutate, isPending, error } = useRenameInbox();
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name') ?? '').trim() || null;
    const onSuccess = () => {
      void notify({ message: text.done });
      onClose();
    };
    mutate({ id: inbox.id, name }, { onSuccess });
  }
  return (
    <Modal opened={isOpen} onClose={onClose} title={text.title(inbox.address)}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {error && <ApiProblem error={error} />}
          <TextInput
            name="name"
            label={inboxesText.form.displayName}
            description={inboxesText.form.displayNameHelp}
            defaultValue={inbox.display_name ?? ''}
            maxLength={128}
            autoComplete="off"
            data-autofocus
          />
          <FormActions submit={text.submit} isPending={isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
