import { Alert, Radio, Stack, Text, TextInput } from '@mantine/core';
import type { consoleLimits, NewInvitation, Role } from '@postrider/contract/console';
import { peopleText } from '#strings/people.ts';
import { useChange } from '../lib/query.ts';
import { ApiForm, type DialogProps } from '../parts/form-dialog.tsx';
import { CreateOnce, ShownOnce } from '../parts/shown-once.tsx';

const text = peopleText.invite;
const emailCharactersMax: (typeof consoleLimits)['emailCharactersMax'] = 254;
const roles: Role[] = ['member', 'owner'];

/** The dialog that invites a person, and shows the link once. */
export function InvitePerson(dialog: DialogProps) {
  const { onClose } = dialog;
  const { mutateAsync } = useChange(['invitations'], ({ ask }, body: { email: string; role: Role }) =>
    ask('people.invite', { body }),
  );
  return (
    <CreateOnce<NewInvitation>
      {...dialog}
      title={text.title}
      doneTitle={text.doneTitle}
      form={(onDone) => (
        <ApiForm
          submit={text.submit}
          onSubmit={(field) => mutateAsync({ email: field('email'), role: field('role') as Role })}
          onDone={onDone}
          onCancel={onClose}
        >
          <InvitationFields />
        </ApiForm>
      )}
    >
      {(made) => <ShownLink {...{ made, onClose }} />}
    </CreateOnce>
  );
}

function InvitationFields() {
  return (
    <>
      <TextInput
        name="email"
        type="email"
        label={text.email}
        maxLength={emailCharactersMax}
        required
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
    </>
  );
}

function ShownLink({ made: { email, link, mailed }, onClose }: { made: NewInvitation; onClose(): void }) {
  const note = (
    <Alert color={mailed ? 'pine' : 'yellow'} role="status" style={{ overflowWrap: 'anywhere' }}>
      {mailed ? text.mailed(email) : text.notMailed(email)}
    </Alert>
  );
  return (
    <ShownOnce label={text.link} secret={link} note={note} onClose={onClose}>
      <Text c="dimmed">{text.once}</Text>
    </ShownOnce>
  );
}
