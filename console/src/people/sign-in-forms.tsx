import { Anchor, Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core';
import type { Session } from '@postrider/contract/console';
import { IconFingerprint } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { passkeysText } from '#strings/account.ts';
import { signInText } from '#strings/sign-in.ts';
import { choosePasskey, PasskeyProblem, passkeyObstacle } from '../account/passkey-ceremony.tsx';
import { askConsole } from '../lib/ask-console.ts';
import { readFields } from '../lib/browser.ts';
import { ConsoleError, errorCode } from '../lib/problem.ts';

interface Credentials {
  email: string;
  password: string;
}

/** The form with email address and password. */
export function PasswordForm(props: { isRunning: boolean; onSubmit(credentials: Credentials): void }) {
  const { isRunning, onSubmit } = props;
  return (
    <form
      onSubmit={(event) => {
        const fields = readFields(event);
        onSubmit({ email: fields('email'), password: fields('password') });
      }}
    >
      <Stack gap="sm">
        <TextInput
          name="email"
          type="email"
          label={signInText.email}
          autoComplete="username webauthn"
          required
          autoFocus
        />
        <PasswordInput name="password" label={signInText.password} autoComplete="current-password" required />
        <Button type="submit" loading={isRunning} fullWidth mt={4}>
          {signInText.submit}
        </Button>
        <Anchor component={Link} to="/forgot-password" size="sm">
          {signInText.forgot}
        </Anchor>
      </Stack>
    </form>
  );
}

interface CodeFormProps {
  isWrong: boolean;
  isRunning: boolean;
  onSubmit(code: string): void;
  onBack(): void;
}

/** The form with the second factor. */
export function CodeForm({ isWrong, isRunning, onSubmit, onBack }: CodeFormProps) {
  return (
    <form onSubmit={(event) => onSubmit(readFields(event)('code'))}>
      <Stack gap="sm">
        <TextInput
          name="code"
          label={signInText.code}
          error={isWrong ? signInText.codeWrong : undefined}
          autoComplete="one-time-code"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={20}
          required
          autoFocus
        />
        <Button type="submit" loading={isRunning} fullWidth mt={4}>
          {signInText.verify}
        </Button>
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          {signInText.back}
        </Anchor>
      </Stack>
    </form>
  );
}

/** The button that signs in by a passkey. It is left out where browsers have none. */
export function PasskeySignIn({ onSession }: { onSession(session: Session): void }) {
  const { mutate, isPending, error } = useMutation({ mutationFn: signInByPasskey, onSuccess: onSession });
  if (passkeyObstacle() !== null) return null;
  return (
    <>
      <Divider label={passkeysText.or} />
      {error && <PasskeyProblem error={error} />}
      <Button
        variant="default"
        fullWidth
        leftSection={<IconFingerprint size={18} aria-hidden />}
        loading={isPending}
        onClick={() => mutate()}
      >
        {passkeysText.signIn}
      </Button>
    </>
  );
}

async function signInByPasskey(): Promise<Session> {
  const { ticket, options } = await askConsole('passkeys.signInOptions', {});
  const response = await choosePasskey(options);
  return askConsole('passkeys.signIn', { body: { ticket, response } });
}

/** Returns the state of signing in, and its steps. `onSession` is called with the session at the end. */
export function useSignIn(onSession: (session: Session) => void) {
  // The address and password were right, and the server waits for a code.
  const [step, setStep] = useState<{ checked: Credentials; isCodeWrong: boolean } | null>(null);
  const { mutate, status, error, reset } = useMutation({
    mutationFn: (body: Credentials & { code?: string }) => askConsole('session.signIn', { body }),
    // The password is forgotten with the form.
    gcTime: 0,
    onSuccess: onSession,
    onError: (cause, { email, password }) => {
      const isCodeWrong = cause instanceof ConsoleError && cause.body.wrong === true;
      if (isAskedForCode(cause)) setStep({ checked: { email, password }, isCodeWrong });
    },
  });
  return {
    // The next page is still to come after a success.
    isRunning: status === 'pending' || status === 'success',
    error: isAskedForCode(error) ? null : error,
    needsCode: step !== null,
    isCodeWrong: step?.isCodeWrong === true,
    sendPassword: (credentials: Credentials) => mutate(credentials),
    sendCode: (code: string) => step && mutate({ ...step.checked, code }),
    startAgain: () => {
      setStep(null);
      reset();
    },
  };
}

function isAskedForCode(error: unknown): boolean {
  return errorCode(error) === 'second_factor_required';
}

/** Returns the page to show after signing in. Only a path of the console counts, so that no link leads to another site. */
export function nextPath(asked: string | null): string {
  return asked !== null && /^\/(?![/\\])/.test(asked) && !/[\p{Cc}\\]/u.test(asked) ? asked : '/';
}
