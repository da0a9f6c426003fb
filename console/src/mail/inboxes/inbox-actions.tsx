import { Group } from '@mantine/core';
import type { InboxSummary } from '@postrider/contract/console';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { inboxesText } from '#strings/inboxes.ts';
import { lazyPart, useLazyDialog } from '../../lib/lazy-part.ts';
import { useChange } from '../../lib/query.ts';
import { inboxLists } from '../../lib/shared-queries.ts';
import { useIsOwner } from '../../lib/workspace.ts';
import { IconButton } from '../../parts/buttons.tsx';
import { notify } from '../../parts/notify.ts';

const RenameInbox = lazy(async () => ({ default: (await import('./inbox-dialogs.tsx')).RenameInbox }));
const ConfirmDialog = lazy(async () => ({
  default: (await import('../../parts/confirm-dialog.tsx')).ConfirmDialog,
}));
const PauseToggle = lazyPart(async () => (await import('../../control/pausing.tsx')).PauseToggle);
const text = inboxesText.deletion;

/** The actions on an inbox. Only owners delete one. */
export function InboxActions({ inbox }: { inbox: InboxSummary }) {
  const isOwner = useIsOwner();
  const { mutateAsync } = useChange(inboxLists, ({ api }, id: string) => api.inboxes.delete(id));
  const renaming = useLazyDialog();
  const deletion = useLazyDialog();
  async function remove() {
    await mutateAsync(inbox.id);
    void notify({ message: text.done(inbox.address) });
  }
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <Suspense>
        <PauseToggle place={{ level: 'inbox', subjectId: inbox.id, name: inbox.address }} />
      </Suspense>
      <IconButton
        icon={IconPencil}
        label={`${inboxesText.rename}: ${inbox.address}`}
        title={inboxesText.rename}
        onClick={renaming.open}
      />
      {isOwner && (
        <IconButton
          icon={IconTrash}
          label={`${inboxesText.remove}: ${inbox.address}`}
          title={inboxesText.remove}
          onClick={deletion.open}
        />
      )}
      <Suspense>
        {deletion.isOpen && (
          <ConfirmDialog
            isOpen
            onClose={deletion.close}
            title={text.title(inbox.address)}
            message={text.message}
            confirm={text.confirm}
            onConfirm={remove}
          />
        )}
        {renaming.isOpen && <RenameInbox inbox={inbox} isOpen onClose={renaming.close} />}
      </Suspense>
    </Group>
  );
}
