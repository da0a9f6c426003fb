import { Group, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useId } from 'react';
import { inboxesText } from '#strings/inboxes.ts';
import { describeProblem } from '../../lib/problem.ts';
import { useSession } from '../../lib/session.ts';
import { ApiProblem } from '../../parts/api-problem.tsx';
import { FormActions } from '../../parts/form-actions.tsx';
import { notify } from '../../parts/notify.ts';
import { useCreateInbox, useVerifiedDomains } from './inbox-queries.ts';

const text = inboxesText.form;
const localPartCharactersMax = 64;
const displayNameCharactersMax = 128;

/** The dialog that creates an inbox. */
export function CreateInbox({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={text.title}>
      <InboxForm onClose={onClose} />
    </Modal>
  );
}

function InboxForm({ onClose }: { onClose(): void }) {
  const { mail_domain } = useSession().server;
  const domains = useVerifiedDomains().data ?? [];
  const { mutate, isPending, error } = useCreateInbox();
  const helpId = useId();
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const field = (name: string) => String(fields.get(name) ?? '').trim();
    mutate(
      {
        local_part: field('local_part'),
        display_name: field('display_name') || null,
        domain_id: field('domain_id') || null,
      },
      {
        onSuccess: ({ address }) => {
          void notify({ message: text.done(address) });
          onClose();
        },
      },
    );
  }
  const issue = error && describeProblem(error).issues.find(({ path }) => path === 'local_part')?.message;
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {error && !issue && <ApiProblem error={error} />}
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
              withAsterisk={false}
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
        <TextInput
          name="display_name"
          label={text.displayName}
          description={text.displayNameHelp}
          placeholder={text.displayNamePlaceholder}
          maxLength={displayNameCharactersMax}
          autoComplete="off"
        />
        <FormActions submit={text.submit} isPending={isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}
