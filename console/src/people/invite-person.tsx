import { Alert, Button, Group, Modal, Radio, Stack, Text, TextInput } from '@mantine/core';
import type { consoleLimits, NewInvitation, Role } from '@postrider/contract/console';
import { useState } from 'react';
import { peopleText } from '#strings/people.ts';
import { useChange } from '../lib/query.ts';
import { readFields } from '../lib/read-fields.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { FormActions } from '../parts/form-actions.tsx';

const text = peopleText.invite;
const emailCharactersMax: (typeof consoleLimits)['emailCharactersMax'] = 254;
const roles: Role[] = ['member', 'owner'];

/** The dialog that invites a person, and shows the link once. */
export function InvitePerson({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const [made, setMade] = useState<NewInvitation | null>(null);
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      size={made ? 'lg' : 'md'}
      title={made ? text.doneTitle : text.title}
      // A click next to the dialog must not lose the link.
      closeOnClickOutside={made === null}
      onExitTransitionEnd={() => setMade(null)}
    >
      {made ? <ShownLink made={made} onClose={onClose} /> : <InviteForm onMade={setMade} onClose={onClose} />}
    </Modal>
  );
}

function InviteForm({ onMade, onClose }: { onMade(made: NewInvitation): void; onClose(): void }) {
  const { mutate, isPending, error } = useChange(
    ({ ask }, body: { email: string; role: Role }) => ask('people.invite', { body }),
    ['invitations'],
  );
  return (
    <form
      onSubmit={(event) => {
        const field = readFields(event);
        mutate({ email: field('email'), role: field('role') as Role }, { onSuccess: onMade });
      }}
    >
      <Stack gap="md">
        {error && <ApiProblem error={error} />}
        <TextInput
          name="email"
          type="email"
          label={text.email}
          maxLength={emailCharactersMax}
          autoComplete="off"
          required
          withAsterisk={false}
          data-autofocus
        />
        <Radio.Group name="role" label={text.role} defaultValue="member">
          <Stack gap="xs" mt={6}>
            {roles.map((role) => (
              <Radio
                key={role}
                value={role}
                label={peopleText.roles[role]}
                description={peopleText.roleHelp[role]}
              />
            ))}
          </Stack>
        </Radio.Group>
        <FormActions submit={text.submit} isPending={isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}

function ShownLink({ made: { email, link, mailed }, onClose }: { made: NewInvitation; onClose(): void }) {
  return (
    <Stack gap="md">
      <Alert color={mailed ? 'pine' : 'yellow'} role="status">
        <Text style={{ overflowWrap: 'anywhere' }}>
          {mailed ? text.mailed(email) : text.notMailed(email)}
        </Text>
      </Alert>
      <CodeBlock label={text.link} code={link} />
      <Text c="dimmed">{text.once}</Text>
      <Group justify="flex-end">
        <Button onClick={onClose}>{text.done}</Button>
      </Group>
    </Stack>
  );
}
