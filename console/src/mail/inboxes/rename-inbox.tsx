import { TextInput } from '@mantine/core';
import type { Inbox } from 'postrider';
import { inboxesText } from '#strings/inboxes.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
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
  const { mutateAsync } = useRenameInbox();
  async function rename(name: string) {
    await mutateAsync({ id: inbox.id, name: name || null });
    void notify({ message: text.done });
  }
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={text.title(inbox.address)}
      submit={text.submit}
      onSubmit={(field) => rename(field('name').trim())}
    >
      <TextInput
        name="name"
        label={inboxesText.form.displayName}
        description={inboxesText.form.displayNameHelp}
        defaultValue={inbox.display_name ?? ''}
        maxLength={128}
        autoComplete="off"
        data-autofocus
      />
    </FormDialog>
  );
}
