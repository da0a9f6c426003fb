import { connect as connectTo, type Socket } from 'node:net';

/** Errors of this machine's own network, which say nothing about the server. */
const ownErrors = new Set(['ENETUNREACH', 'EADDRNOTAVAIL', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE', 'ENOBUFS']);

/** Thrown if there is no connection to an address. */
export class ConnectFailure extends Error {
  override readonly name = 'ConnectFailure';
  /** Whether the cause is this machine, which has no route for example. */
  readonly isOurs: boolean;

  constructor(message: string, isOurs: boolean) {
    super(message);
    this.isOurs = isOurs;
  }
}

/** Where to connect to, and for how long to try. */
export interface Connecting {
  address: string;
  port: number;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** Connects to an address. Rejects with a `ConnectFailure`. */
export function connect({ address, port, timeoutMs, signal }: Connecting): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTo({ host: address, port, noDelay: true });
    const end = (failure: ConnectFailure | null) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      socket.off('connect', onConnect);
      if (failure === null) {
        socket.off('error', onError);
        return resolve(socket);
      }
      socket.destroy();
      reject(failure);
    };
    const onConnect = () => end(null);
    // It stays after a failure: an error that comes later is of no interest.
    const onError = ({ code, message }: NodeJS.ErrnoException) =>
      end(new ConnectFailure(code ?? message, ownErrors.has(code ?? '')));
    const onAbort = () => end(new ConnectFailure('the attempt was cancelled', true));
    const timer = setTimeout(
      () => end(new ConnectFailure(`no connection within ${timeoutMs / 1000} s`, false)),
      timeoutMs,
    );
    signal?.addEventListener('abort', onAbort);
    socket.on('connect', onConnect);
    socket.on('error', onError);
    if (signal?.aborted) onAbort();
  });
}
