import { once } from 'node:events';
import {
  type ClientRequest,
  type IncomingMessage,
  Agent as PlainAgent,
  request as plainRequest,
} from 'node:http';
import { request as secureRequest, Agent as TlsAgent } from 'node:https';
import type { Socket } from 'node:net';
import type { SendEmailCommandInput } from '@aws-sdk/client-sesv2';
import type { SesConnection } from './ses-client.ts';

/** Thrown if a message was not accepted, or may not have been. */
export class SendEmailFailed extends Error {
  override name = 'SendEmailFailed' as const;
  /** The progress of the request. */
  readonly phase: SendPhase;
  /** The HTTP status of the response; null without one. */
  readonly status: number | null;

  constructor(cause: unknown, phase: SendPhase, status: number | null) {
    super('Amazon SES did not accept a message.', { cause });
    this.phase = phase;
    this.status = status;
  }
}

/**
 * Calls `SendEmail` once and returns the id of the message at SES. The SDK makes and signs the request and reads the response, and
 * `sendOnce` sends it.
 *
 * @throws SendEmailFailed, or the error with which `onHandover` rejected; then nothing was sent.
 */
export async function sendEmail(
  { sdk, client }: SesConnection,
  input: SendEmailCommandInput,
  steps: Omit<SendSteps, 'onPhase'>,
): Promise<string | null> {
  let phase: SendPhase = 'open';
  let status: number | null = null;
  let handover: Promise<void> = Promise.resolve();
  const command = new sdk.SendEmailCommand(input);
  const send = async (request: SignedRequest) => {
    const response = await sendOnce(request, {
      ...steps,
      onHandover: () => {
        handover = steps.onHandover();
        return handover;
      },
      onPhase: (next) => {
        phase = next;
      },
    });
    status = response.statusCode;
    return { response };
  };
  command.middlewareStack.add(() => (call) => send(call.request as SignedRequest), {
    name: 'sendOnce',
    step: 'deserialize',
    priority: 'low',
  });
  try {
    const { MessageId } = await client.send(command);
    return MessageId ?? null;
  } catch (error) {
    await handover;
    throw new SendEmailFailed(error, phase, status);
  }
}

/*
 * Sends one HTTP request, once, and tracks how far it got. The handler of the AWS SDK cannot say whether a request had been sent when a
 * connection broke. Each request has its own connection: the peer may close a reused one just when a request is written, and then nobody
 * knows whether it arrived.
 */

/** The progress of a request. `open`: none of it has been sent. `content`: a part of it. `complete`: all of it may have arrived. */
type SendPhase = 'open' | 'content' | 'complete';

/** A request in the shape of the AWS SDK, signed and with its Content-Length. */
interface SignedRequest {
  protocol: string;
  hostname: string;
  port?: number;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: unknown;
}

/** The limits of a request, and the functions that report its progress. */
interface SendSteps {
  connectTimeoutMs: number;
  /** How long the peer may be silent, while the request is sent or until the response has come. */
  silentMs: number;
  signal: AbortSignal;
  /** Awaited once the connection is open, before the first byte is written. If it rejects, nothing is sent. */
  onHandover(): Promise<void>;
  onPhase(phase: SendPhase): void;
}

/** A response, in the shape of the AWS SDK. */
interface ReceivedResponse {
  statusCode: number;
  headers: Record<string, string>;
  body: Uint8Array;
}

const chunkBytes = 64 * 1024;
const responseBytesMax = 65_536;
/** TLS sessions are resumed, connections are not used again. */
const agents = {
  'http:': new PlainAgent({ keepAlive: false }),
  'https:': new TlsAgent({ keepAlive: false }),
};

/** Sends a request and returns the response. Rejects for a broken connection, a silent peer, and an aborted signal. */
async function sendOnce(signed: SignedRequest, steps: SendSteps): Promise<ReceivedResponse> {
  const request = open(signed, steps.signal);
  const failed = new Promise<never>((_resolve, reject) => request.on('error', reject));
  failed.catch(() => {});
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  answered.catch(() => {});
  try {
    await Promise.race([connected(request, steps.connectTimeoutMs), failed]);
    await steps.onHandover();
    // The connection may have been lost in the meantime, and nothing has left yet.
    if (request.destroyed) await failed;
    request.setTimeout(steps.silentMs, () => request.destroy(new Error('There was no response in time.')));
    await Promise.race([write(request, countBytes(signed.body), steps.onPhase), failed]);
    const [response] = await answered;
    return await readResponse(response);
  } finally {
    request.destroy();
  }
}

function open({ protocol, hostname, port, method, path, headers }: SignedRequest, signal: AbortSignal) {
  const isPlain = protocol === 'http:';
  return (isPlain ? plainRequest : secureRequest)({
    protocol,
    host: hostname,
    ...(port !== undefined && { port }),
    method,
    path,
    headers,
    agent: agents[isPlain ? 'http:' : 'https:'],
    signal,
  });
}

async function connected(request: ClientRequest, timeoutMs: number): Promise<void> {
  const timer = setTimeout(
    () => request.destroy(new Error('The connection was not established in time.')),
    timeoutMs,
  );
  try {
    const [socket] = (await once(request, 'socket')) as [Socket & { encrypted?: boolean }];
    if (socket.encrypted) await once(socket, 'secureConnect');
    else if (socket.connecting) await once(socket, 'connect');
  } finally {
    clearTimeout(timer);
  }
}

/** The last piece decides: without it the peer has no whole request, and with it the peer may act on it. */
async function write(request: ClientRequest, body: Buffer, onPhase: SendSteps['onPhase']): Promise<void> {
  let position = 0;
  for (; body.length - position > chunkBytes; position += chunkBytes) {
    onPhase('content');
    if (!request.write(body.subarray(position, position + chunkBytes))) await once(request, 'drain');
  }
  onPhase('complete');
  request.end(body.subarray(position));
}

function countBytes(body: unknown): Buffer {
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.length);
  return Buffer.from(typeof body === 'string' ? body : '');
}

async function readResponse(response: IncomingMessage): Promise<ReceivedResponse> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > responseBytesMax) break;
    chunks.push(chunk);
  }
  const fields = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
  return {
    statusCode: response.statusCode ?? 0,
    headers: Object.fromEntries(fields),
    body: Buffer.concat(chunks),
  };
}
