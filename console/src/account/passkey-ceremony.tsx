import { Alert } from '@mantine/core';
import { passkeysText } from '#strings/account.ts';
import { ApiProblem } from '../parts/api-problem.tsx';

/** The reason why a browser did not use or create a passkey. */
export type PasskeyFault = 'cancelled' | 'known' | 'failed';

class PasskeyError extends Error {
  readonly fault: PasskeyFault;

  constructor(cause: unknown) {
    super('The browser did not complete the ceremony.', { cause });
    this.fault = readFault(cause);
  }
}

/** Returns the reason why passkeys cannot be used on this page; null if they can. */
export type PasskeyObstacle = 'browser' | 'address';

/** Returns why passkeys cannot be used on this page: browsers have them over HTTPS and on localhost, and never for an IP address. */
export function passkeyObstacle(
  { hostname }: Pick<Location, 'hostname'> = location,
  isSupported = isSecureContext && 'PublicKeyCredential' in globalThis,
): PasskeyObstacle | null {
  if (isIpAddress(hostname)) return 'address';
  return isSupported ? null : 'browser';
}

/** Options of WebAuthn as the server sends them. The library knows their fields. */
type Options = Record<string, unknown>;

/** Has the browser create a passkey, and returns what proves it. Throws a `PasskeyError`. */
export async function createPasskey(options: Options): Promise<Record<string, unknown>> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  type Creation = Parameters<typeof startRegistration>[0]['optionsJSON'];
  return run(() => startRegistration({ optionsJSON: options as unknown as Creation }));
}

/** Has the person choose a passkey, and returns what proves that it was used. Throws a `PasskeyError`. */
export async function choosePasskey(options: Options): Promise<Record<string, unknown>> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  type Request = Parameters<typeof startAuthentication>[0]['optionsJSON'];
  return run(() => startAuthentication({ optionsJSON: options as unknown as Request }));
}

async function run(ceremony: () => Promise<object>): Promise<Record<string, unknown>> {
  try {
    return { ...(await ceremony()) };
  } catch (cause) {
    throw new PasskeyError(cause);
  }
}

/** Returns what an error of the browser means. Its names are those of WebAuthn, level 3, sections 5.1.3 and 5.1.4. */
export function readFault(error: unknown): PasskeyFault {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError') return 'cancelled';
  return name === 'InvalidStateError' ? 'known' : 'failed';
}

function isIpAddress(hostname: string): boolean {
  return /^[\d.]+$/.test(hostname) || hostname.startsWith('[');
}

/** Why a passkey was not used: because of the browser and the person, or because of the server. */
export function PasskeyProblem({ error }: { error: unknown }) {
  if (!(error instanceof PasskeyError)) return <ApiProblem error={error} />;
  return (
    <Alert role="alert" color="yellow">
      {passkeysText.faults[error.fault]}
    </Alert>
  );
}
