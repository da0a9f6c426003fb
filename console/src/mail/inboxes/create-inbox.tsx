import { Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { useId } from 'react';
import { inboxesText } from '#strings/inboxes.ts';
import { describeProblem } from '../../lib/problem.ts';
import { useSession } from '../../lib/session.ts';
import { ApiProblem } from '../../parts/api-problem.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { notify } from '../../parts/notify.ts';
import { useCreateInbox, useVerifiedDomains } from './inbox-queries.ts';

const text = inboxesText.form;
const localPartCharactersMax = 64;
const displayNameCharactersMax = 128;

/** The dialog that creates an inbox. */
export function CreateInbox({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const { mutateAsync, error, reset } = useCreateInbox();
  const issue = error && describeProblem(error).issues.find(({ path }) => path === 'local_part')?.message;
  function close() {
    reset();
    onClose();
  }
  async function create(field: (name: string) => string) {
    const { address } = await mutateAsync({
      local_part: field('local_part').trim(),
      display_name: field('display_name').trim() || null,
      domain_id: field('domain_id') || null,
    });
    void notify({ message: text.done(address) });
  }
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={close}
      title={text.title}
      submit={text.submit}
      onSubmit={create}
      showError={(cause) => !issue && <ApiProblem error={cause} />}
    >
      <AddressFields issue={issue} />
      <TextInput
        name="display_name"
        label={text.displayName}
        description={text.displayNameHelp}
        placeholder={text.displayNamePlaceholder}
        maxLength={displayNameCharactersMax}
        autoComplete="off"
      />
    </FormDialog>
  );
}

/** The two halves of the address. */
function AddressFields({ issue }: { issue: string | null | undefined }) {
  const { mail_domain } = useSession().server;
  const domains = useVerifiedDomains().data ?? [];
  const helpId = useId();
  return (
    <div>
      <Group align="flex-start" gap="xs" wrap="nowrap">
        <TextInput
          name="local_part"
          label={text.localPart}
          placeholder={text.localPartPlaceholder}
          maxLength={localPartCharactersMax}
          autoComplete="off"
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
      <Text id={helpId} size="xs" c="dimmed" mt={5}>
        {text.localPartHelp}
      </Text>
    </div>
  );
}
