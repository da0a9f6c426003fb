import { Group, NativeSelect, Text, TextInput } from '@mantine/core';
import type { Inbox, CreateInbox as NewInbox } from 'postrider';
import { useId } from 'react';
import { inboxesText } from '#strings/inboxes.ts';
import { describeProblem } from '../../lib/problem.ts';
import { useChange, useRead } from '../../lib/query.ts';
import { useSession } from '../../lib/session.ts';
import { inboxLists } from '../../lib/shared-queries.ts';
import { ApiProblem } from '../../parts/api-problem.tsx';
import { type DialogProps, FormDialog } from '../../parts/form-dialog.tsx';

const { form: text, renaming } = inboxesText;
const localPartCharactersMax = 64;
const displayNameCharactersMax = 128;

/** The dialog that creates an inbox. */
export function CreateInbox({ isOpen, onClose }: DialogProps) {
  const { mutateAsync, error, reset } = useChange(inboxLists, ({ api }, inbox: NewInbox) =>
    api.inboxes.create(inbox),
  );
  const issue = error && describeProblem(error).issues.find(({ path }) => path === 'local_part')?.message;
  function close() {
    reset();
    onClose();
  }
  function create(field: (name: string) => string) {
    return mutateAsync({
      local_part: field('local_part').trim(),
      display_name: field('display_name').trim() || null,
      domain_id: field('domain_id') || null,
    });
  }
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={close}
      title={text.title}
      submit={text.submit}
      onSubmit={create}
      done={({ address }) => text.done(address)}
      showError={(cause) => !issue && <ApiProblem error={cause} />}
    >
      <AddressFields issue={issue} />
      <TextInput
        name="display_name"
        label={text.displayName}
        description={text.displayNameHelp}
        placeholder={text.displayNamePlaceholder}
        maxLength={displayNameCharactersMax}
      />
    </FormDialog>
  );
}

/** The two halves of the address. Inboxes can be created on the shared domain and on those that are verified. */
function AddressFields({ issue }: { issue: string | null | undefined }) {
  const { mail_domain } = useSession().server;
  const { data: domains = [] } = useRead(['domains', 'verified'], async ({ api, signal }) => {
    const page = await api.domains.list({ limit: 100 }, { signal });
    return page.domains.filter(({ status }) => status === 'verified');
  });
  const helpId = useId();
  return (
    <div>
      <Group align="flex-start" gap="xs" wrap="nowrap">
        <TextInput
          name="local_part"
          label={text.localPart}
          placeholder={text.localPartPlaceholder}
          maxLength={localPartCharactersMax}
          autoCapitalize="none"
          spellCheck={false}
          required
          error={issue}
          aria-describedby={helpId}
          data-autofocus
          flex={1}
        />
        <NativeSelect
          name="domain_id"
          label={text.domain}
          data={[
            { value: '', label: `@${mail_domain}` },
            ...domains.map(({ id, hostname }) => ({ value: id, label: `@${hostname}` })),
          ]}
          flex={1}
          miw={0}
        />
      </Group>
      <Text id={helpId} variant="detail" mt={5}>
        {text.localPartHelp}
      </Text>
    </div>
  );
}

interface RenameInboxProps extends DialogProps {
  inbox: Pick<Inbox, 'id' | 'address' | 'display_name'>;
}

/** The dialog that changes the display name of an inbox. */
export function RenameInbox({ inbox: { id, address, display_name }, ...dialog }: RenameInboxProps) {
  const { mutateAsync } = useChange(inboxLists, ({ api }, name: string) =>
    api.inboxes.update(id, { display_name: name || null }),
  );
  return (
    <FormDialog
      {...dialog}
      title={renaming.title(address)}
      submit={renaming.submit}
      onSubmit={(field) => mutateAsync(field('name').trim())}
      done={() => renaming.done}
    >
      <TextInput
        name="name"
        label={text.displayName}
        description={text.displayNameHelp}
        defaultValue={display_name ?? ''}
        maxLength={displayNameCharactersMax}
        data-autofocus
      />
    </FormDialog>
  );
}
