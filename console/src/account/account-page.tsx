import { PasswordInput, Stack, Switch, Text, TextInput } from '@mantine/core';
import type { consoleLimits, Membership } from '@postrider/contract/console';
import { useState } from 'react';
import { accountText, passwordText } from '#strings/account.ts';
import { useChange } from '../lib/query.ts';
import { useSession } from '../lib/session.ts';
import { ApiForm } from '../parts/form-dialog.tsx';
import { notifyProblem } from '../parts/notify.ts';
import { PageHeader } from '../parts/page-header.tsx';
import { Panel } from '../parts/panel.tsx';
import { NewPasswordField, reviewPassword } from './new-password-field.tsx';
import { OwnSessions } from './own-sessions.tsx';
import { Passkeys } from './passkeys.tsx';
import { SecondFactor } from './second-factor.tsx';

/** Everything that people change about their own accounts. */
export function AccountPage() {
  return (
    <>
      <PageHeader title={accountText.title} about={accountText.about} />
      <Stack gap="lg" maw={760}>
        <Profile />
        <ChangePassword />
        <SecondFactor />
        <Passkeys />
        <ApprovalMail />
        <OwnSessions />
      </Stack>
    </>
  );
}

const profileText = accountText.profile;
const nameCharactersMax: (typeof consoleLimits)['nameCharactersMax'] = 100;

function Profile() {
  const { name, email } = useSession().person;
  const { mutateAsync } = useChange(['session'], ({ ask }, body: { name: string }) =>
    ask('me.update', { body }),
  );
  return (
    <Panel title={profileText.title}>
      <ApiForm
        submit={accountText.save}
        onSubmit={(field) => mutateAsync({ name: field('name') })}
        done={() => profileText.done}
        maw={420}
      >
        <TextInput
          key={name}
          name="name"
          label={profileText.name}
          defaultValue={name}
          autoComplete="name"
          maxLength={nameCharactersMax}
          required
        />
        <div>
          <Text size="sm" fw={500}>
            {profileText.email}
          </Text>
          <Text style={{ overflowWrap: 'anywhere' }}>{email}</Text>
          <Text variant="detail">{profileText.emailHelp}</Text>
        </div>
      </ApiForm>
    </Panel>
  );
}

const mailText = accountText.approvalMail;

/** Which workspaces mail the person when messages wait for approval. It is left out on a server that sends no mail. */
function ApprovalMail() {
  const { workspaces, server } = useSession();
  if (!server.sends_mail) return null;
  return (
    <Panel title={mailText.title} about={mailText.about}>
      <Stack gap="xs">
        {workspaces.map((membership) => (
          <WorkspaceSwitch key={membership.workspace_id} membership={membership} />
        ))}
      </Stack>
    </Panel>
  );
}

function WorkspaceSwitch({ membership: { workspace_id, title, approval_mail } }: { membership: Membership }) {
  const { mutate, isPending, variables } = useChange(['session'], ({ ask }, isWanted: boolean) =>
    ask('me.updateMembership', { params: { id: workspace_id }, body: { approval_mail: isWanted } }),
  );
  return (
    <Switch
      label={mailText.label(title)}
      checked={isPending ? variables : approval_mail}
      onChange={({ currentTarget }) => mutate(currentTarget.checked, { onError: notifyProblem })}
    />
  );
}

const text = accountText.password;

function ChangePassword() {
  const { has_password } = useSession().person;
  return (
    <Panel title={text.title} about={text.about}>
      {has_password ? <PasswordForm /> : <Text>{text.none}</Text>}
    </Panel>
  );
}

function PasswordForm() {
  const { email } = useSession().person;
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const { mutateAsync } = useChange(
    ['session', 'own-sessions'],
    ({ ask }, body: { current: string; password: string }) => ask('me.changePassword', { body }),
  );
  function clear() {
    setCurrent('');
    setPassword('');
  }
  return (
    <ApiForm
      submit={text.submit}
      isDisabled={current === '' || reviewPassword(password, email).faults.length > 0}
      onSubmit={() => mutateAsync({ current, password })}
      onDone={clear}
      done={() => text.done}
      maw={420}
    >
      {/* Password managers need the account that the passwords are for. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        label={accountText.currentPassword}
        autoComplete="current-password"
        value={current}
        onChange={(event) => setCurrent(event.currentTarget.value)}
        required
      />
      <NewPasswordField
        label={passwordText.newPassword}
        email={email}
        value={password}
        onChange={setPassword}
      />
    </ApiForm>
  );
}
