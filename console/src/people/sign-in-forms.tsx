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

interface PasswordFormProps {
  isRunning: boolean;
  onSubmit(credentials: { email: string; password: string }): void;
}

/** The form with email address and password. */
export function PasswordForm({ isRunning, onSubmit }: PasswordFormProps) {
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

interface Credentials {
  email: string;
  password: string;
}

interface SignInState {
  isRunning: boolean;
  error: unknown;
  /** The address and password that were right, while the server waits for a code. */
  checked: Credentials | null;
  isCodeWrong: boolean;
}

const fresh: SignInState = { isRunning: false, error: null, checked: null, isCodeWrong: false };

/** Returns the state of signing in, and its steps. `onSession` is called with the session at the end. */
export function useSignIn(onSession: (session: Session) => void) {
  const [state, setState] = useState(fresh);

  async function send(credentials: Credentials, code?: string) {
    setState((before) => ({ ...before, isRunning: true, error: null }));
    try {
      const body = code === undefined ? credentials : { ...credentials, code };
      onSession(await askConsole('session.signIn', { body }));
    } catch (error) {
      const needsCode = errorCode(error) === 'second_factor_required';
      const isCodeWrong = error instanceof ConsoleError && error.body.wrong === true;
      setState(
        needsCode
          ? { isRunning: false, error: null, checked: credentials, isCodeWrong }
          : (before) => ({ ...before, isRunning: false, error }),
      );
    }
  }

  return {
    isRunning: state.isRunning,
    error: state.error,
    needsCode: state.checked !== null,
    isCodeWrong: state.isCodeWrong,
    sendPassword: (credentials: Credentials) => void send(credentials),
    sendCode: (code: string) => void (state.checked && send(state.checked, code)),
    startAgain: () => setState(fresh),
  };
}

/** Returns the page to show after signing in. Only a path of the console counts, so that no link leads to another site. */
export function nextPath(asked: string | null): string {
  return asked !== null && /^\/(?![/\\])/.test(asked) && !/[\p{Cc}\\]/u.test(asked) ? asked : '/';
}
