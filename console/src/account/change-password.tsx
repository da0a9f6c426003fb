import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { accountText, passwordText } from '#strings/account.ts';
import { useSession } from '../lib/session.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { notify } from '../parts/notify.ts';
import { Panel } from '../parts/panel.tsx';
import { useChangePassword } from './account-queries.ts';
import { NewPasswordField } from './new-password-field.tsx';
import { reviewPassword } from './password-rules.ts';

const text = accountText.password;

/** The form that changes the password. */
export function ChangePassword() {
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
  const { mutate, isPending, error } = useChangePassword();
  const canSend = current !== '' && reviewPassword(password, email).faults.length === 0;
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!canSend) return;
    const onSuccess = () => {
      setCurrent('');
      setPassword('');
      void notify({ message: text.done });
    };
    mutate({ current, password }, { onSuccess });
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" maw={420}>
        {error && <ApiProblem error={error} />}
        {/* Password managers need the account that the passwords are for. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          label={accountText.currentPassword}
          autoComplete="current-password"
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
          required
          withAsterisk={false}
        />
        <NewPasswordField
          label={passwordText.newPassword}
          email={email}
          value={password}
          onChange={setPassword}
        />
        <div>
          <Button type="submit" loading={isPending} disabled={!canSend}>
            {text.submit}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
