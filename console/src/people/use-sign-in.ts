import type { Session } from '@postrider/contract/console';
import { useState } from 'react';
import { askConsole } from '../lib/ask-console.ts';
import { ConsoleError, errorCode } from '../lib/problem.ts';

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
