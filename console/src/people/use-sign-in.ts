import type { Session } from '@postrider/contract/console';
import { useState } from 'react';
import { askConsole } from '../lib/ask-console.ts';
import { ConsoleError, codeOf } from '../lib/problem.ts';

interface SignInOptions {
  onSession(session: Session): void;
  /** Called when the person or the browser gave no passkey. */
  onPasskeyFailure(): void;
}

interface Credentials {
  email: string;
  password: string;
}

interface SignInState {
  isRunning: boolean;
  error: unknown;
  /** What was right, while the server waits for a code. */
  checked: Credentials | null;
  isCodeWrong: boolean;
}

const fresh: SignInState = { isRunning: false, error: null, checked: null, isCodeWrong: false };

/** Returns the state of signing in, and its steps. */
export function useSignIn({ onSession, onPasskeyFailure }: SignInOptions) {
  const [state, setState] = useState(fresh);

  async function send(credentials: Credentials, code?: string) {
    setState((before) => ({ ...before, isRunning: true, error: null }));
    try {
      const body = code === undefined ? credentials : { ...credentials, code };
      onSession(await askConsole('session.signIn', { body }));
    } catch (error) {
      const needsCode = codeOf(error) === 'second_factor_required';
      const isCodeWrong = error instanceof ConsoleError && error.body.wrong === true;
      setState(
        needsCode
          ? { isRunning: false, error: null, checked: credentials, isCodeWrong }
          : (before) => ({ ...before, isRunning: false, error }),
      );
    }
  }

  async function usePasskey() {
    setState({ ...fresh, isRunning: true });
    try {
      const session = await signInByPasskey();
      if (session) return onSession(session);
      onPasskeyFailure();
      setState(fresh);
    } catch (error) {
      setState({ ...fresh, error });
    }
  }

  return {
    isRunning: state.isRunning,
    error: state.error,
    needsCode: state.checked !== null,
    isCodeWrong: state.isCodeWrong,
    sendPassword: (credentials: Credentials) => void send(credentials),
    sendCode: (code: string) => void (state.checked && send(state.checked, code)),
    usePasskey: () => void usePasskey(),
    startAgain: () => setState(fresh),
  };
}

/** Returns whether the browser has passkeys on this page, which needs HTTPS or this machine. */
export function canUsePasskeys(): boolean {
  return isSecureContext && typeof PublicKeyCredential === 'function';
}

/** Returns the session, or null if the person or the browser gave no passkey. */
async function signInByPasskey(): Promise<Session | null> {
  const { ticket, options } = await askConsole('session.passkeyOptions', {});
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const optionsJSON = options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON'];
  const response = await startAuthentication({ optionsJSON }).catch(() => null);
  if (response === null) return null;
  return askConsole('session.signInByPasskey', { body: { ticket, response: { ...response } } });
}
