import { connect as connectTo, type Socket } from 'node:net';
import { parseReply, RelayFailure, toFailure } from '../classify-reply.ts';
import { RelaySession } from '../relay-session.ts';
import type { RelayTiming } from '../run-step.ts';
import type { Deferred } from '../transport.ts';
import { findAddresses, type MailDns, withPort } from './dns-answers.ts';

/** Errors of this machine's own network, which say nothing about the server. */
const ownErrors = new Set(['ENETUNREACH', 'EADDRNOTAVAIL', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE', 'ENOBUFS']);

/** Thrown if there is no connection to an address. */
class ConnectFailure extends Error {
  override readonly name = 'ConnectFailure';
  /** Whether the cause is this machine, which has no route for example. */
  readonly isOurs: boolean;

  constructor(message: string, isOurs: boolean) {
    super(message);
    this.isOurs = isOurs;
  }
}

/** The address to connect to, and the time limit. */
interface Connecting {
  address: string;
  port: number;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** Connects to an address. Rejects with a `ConnectFailure`. */
function connect({ address, port, timeoutMs, signal }: Connecting): Promise<Socket> {
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

/** The settings that all connections of the transport have in common. */
export interface OpenSettings {
  dns: MailDns;
  /** The name that is sent with EHLO. */
  hostname: string;
  port: number;
  timing: RelayTiming;
  /** PEM of the authorities for certificates that MTA-STS requires; those of Node by default. */
  ca?: string | undefined;
  mayConnectTo(address: string): boolean;
  /** Whether this server is known to reach others. If so, a server that it cannot reach is down. */
  reach: { isKnown(): boolean; note(): void };
}

/** The servers to try, in order. */
export interface SessionPlan {
  hosts: string[];
  /** Whether TLS with a certificate that is valid for the host is required, as MTA-STS does. Otherwise TLS is used if it works. */
  isStrict: boolean;
}

/** Thrown if none of the servers of a destination currently accepts mail. */
export class DestinationFailure extends RelayFailure {
  readonly deferral: Deferred;

  constructor(deferral: Deferred) {
    super(deferral.detail);
    this.deferral = deferral;
  }
}

interface Problem {
  detail: string;
  /** Whether the cause is this server or its network, so that the recipient has no part in it. */
  isOurs: boolean;
  failure?: RelayFailure;
}

const hostsMax = 5;
const addressesMax = 40;
const addressesOfHostMax = 8;
const detailLengthMax = 500;

/**
 * Opens a session with the first server that takes mail: the next address is tried if one cannot be connected to, and the next server if
 * one refuses the session, also with 5xx. Rejects with a `DestinationFailure`.
 */
export async function openSession(
  settings: OpenSettings,
  plan: SessionPlan,
  signal: AbortSignal,
): Promise<RelaySession> {
  const problems: Problem[] = [];
  let [hosts, addresses] = [0, 0];
  for (const host of plan.hosts) {
    if (signal.aborted || hosts === hostsMax || addresses >= addressesMax) break;
    const found = await findAddresses(settings.dns, host, settings.mayConnectTo);
    if (found.problem !== null) problems.push({ detail: found.problem, isOurs: found.isOurs });
    else hosts += 1;
    for (const address of found.addresses.slice(0, addressesOfHostMax)) {
      if (signal.aborted || addresses++ === addressesMax) break;
      const opened = await tryAddress(settings, { host, address, isStrict: plan.isStrict, signal });
      if (opened instanceof RelaySession) return opened;
      problems.push(opened);
    }
  }
  throw new DestinationFailure(describeDeferral(problems, settings.reach.isKnown()));
}

interface Target {
  host: string;
  address: string;
  isStrict: boolean;
  signal: AbortSignal;
}

async function tryAddress(settings: OpenSettings, target: Target): Promise<RelaySession | Problem> {
  const where = `${target.host} (${withPort(target.address, settings.port)})`;
  try {
    const socket = await reachOut(settings, target);
    if (!(socket instanceof Error)) return await greet(settings, target, socket);
    return { detail: `${where}: ${socket.message}`, isOurs: socket.isOurs || !settings.reach.isKnown() };
  } catch (error) {
    const failure = toFailure(error);
    const isTls = failure.command === 'STARTTLS';
    const policy = isTls ? 'MTA-STS requires TLS with a valid certificate, which failed: ' : '';
    return { detail: `${where}: ${policy}${failure.message}`, isOurs: isTls, failure };
  }
}

/** Sends EHLO. If TLS was offered and failed, a new connection goes without it, unless it is required. */
async function greet(settings: OpenSettings, target: Target, socket: Socket): Promise<RelaySession> {
  const { hostname, port, timing, ca } = settings;
  const { host, isStrict, signal } = target;
  const open = (tls: 'required' | 'opportunistic' | 'never', connection: Socket) =>
    RelaySession.open({
      relay: { host, port, tls, verifyCertificate: isStrict, ...(ca && { ca }), auth: null },
      hostname,
      timing,
      socket: connection,
      signal,
    });
  try {
    return await open(isStrict ? 'required' : 'opportunistic', socket);
  } catch (error) {
    if (isStrict || signal.aborted || toFailure(error).command !== 'STARTTLS') throw error;
    const again = await reachOut(settings, target);
    if (again instanceof Error) throw error;
    return open('never', again);
  }
}

async function reachOut(settings: OpenSettings, target: Target): Promise<Socket | ConnectFailure> {
  const { port, timing, reach } = settings;
  const { address, signal } = target;
  try {
    const socket = await connect({ address, port, timeoutMs: timing.connectTimeoutMs, signal });
    reach.note();
    return socket;
  } catch (error) {
    return error as ConnectFailure;
  }
}

function describeDeferral(problems: Problem[], isReachKnown: boolean): Deferred {
  const theirs = problems.find(({ isOurs }) => !isOurs);
  const reply = problems.findLast(({ failure }) => failure?.reply)?.failure?.reply ?? '';
  const { code = null, enhanced = null } = parseReply(reply) ?? {};
  const details = problems.map(({ detail }) => detail.replace(/\.$/, ''));
  if (!isReachKnown)
    details.push('this server has not reached any other server yet: is outgoing port 25 open?');
  const text = `${details.join('; ') || 'No server was tried in time'}.`;
  const detail = text.length > detailLengthMax ? `${text.slice(0, detailLengthMax - 1)}…` : text;
  return { kind: 'deferred', cause: theirs ? 'recipient' : 'relay', code, enhanced, detail };
}
