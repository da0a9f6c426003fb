import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import type { consoleLimits, Session } from '@postrider/contract/console';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { linksText } from '#strings/links.ts';
import { NewPasswordField } from '../account/new-password-field.tsx';
import { reviewPassword } from '../account/password-rules.ts';
import { askConsole } from '../lib/ask-console.ts';
import { ConsoleError, errorCode } from '../lib/problem.ts';
import { readFields } from '../lib/read-fields.ts';
import { ApiProblem } from '../parts/api-problem.tsx';

const text = linksText.invitation;
const nameCharactersMax: (typeof consoleLimits)['nameCharactersMax'] = 100;

interface AcceptFormProps {
  token: string;
  email: string;
  /** Whether the address has an account, whose password is needed. */
  hasAccount: boolean;
  onSession(session: Session): void;
}

interface Acceptance {
  name: string;
  password: string;
  code: string;
}

/** The form that accepts an invitation: with name and password for a new account, or with the password and code of an old one. */
export function AcceptForm({ token, email, hasAccount, onSession }: AcceptFormProps) {
  const [password, setPassword] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ name, code, password: sent }: Acceptance) =>
      askConsole('session.acceptInvitation', {
        body: {
          token,
          password: sent,
          ...(name !== '' && { name }),
          ...(code !== '' && { code }),
        },
      }),
    onSuccess: onSession,
    onError: (cause) => setNeedsCode((before) => before || errorCode(cause) === 'second_factor_required'),
  });
  const isFactorError = errorCode(error) === 'second_factor_required';
  const isCodeWrong = error instanceof ConsoleError && error.body.wrong === true;
  const canSend = hasAccount || reviewPassword(password, email).faults.length === 0;
  return (
    <form
      onSubmit={(event) => {
        const field = readFields(event);
        if (canSend) mutate({ name: field('name'), password: field('password'), code: field('code') });
      }}
    >
      <Stack gap="sm">
        {error && !isFactorError && <ApiProblem error={error} />}
        {hasAccount && <Text>{text.hasAccount}</Text>}
        {/* Password managers read the account from here. */}
        <TextInput
          label={linksText.email}
          type="email"
          autoComplete="username"
          value={email}
          readOnly
          styles={{ input: { color: 'var(--mantine-color-dimmed)' } }}
        />
        {hasAccount ? (
          <PasswordInput
            name="password"
            label={text.password}
            autoComplete="current-password"
            required
            withAsterisk={false}
          />
        ) : (
          <NewAccountFields email={email} password={password} onPassword={setPassword} />
        )}
        {needsCode && (
          <TextInput
            name="code"
            label={text.code}
            description={text.codeHelp}
            error={isCodeWrong ? text.codeWrong : undefined}
            autoComplete="one-time-code"
            maxLength={20}
            required
            withAsterisk={false}
            autoFocus
          />
        )}
        <Button type="submit" loading={isPending} disabled={!canSend} fullWidth mt={4}>
          {text.accept}
        </Button>
      </Stack>
    </form>
  );
}

function NewAccountFields(props: { email: string; password: string; onPassword(value: string): void }) {
  return (
    <>
      <TextInput
        name="name"
        label={text.name}
        autoComplete="name"
        maxLength={nameCharactersMax}
        required
        withAsterisk={false}
        autoFocus
      />
      <NewPasswordField
        label={text.newPassword}
        email={props.email}
        value={props.password}
        onChange={props.onPassword}
      />
    </>
  );
}
