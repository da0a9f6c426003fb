/*
 * Describes errors for a model: the code, what happened and what to do next. Addresses and the words of other servers are fenced, because
 * they may come from outside.
 */
import { type ErrorCode, errors, fewerRecipients, type Retry } from '@postrider/contract';
import {
  AbortedError,
  APIError,
  ConnectionError,
  PostriderError,
  RateLimitError,
  TimeoutError,
} from 'postrider';
import * as z from 'zod';
import { isOfPeople, wordsOfPeople } from './reading/delivery-text.ts';
import { ToolError } from './tool-error.ts';
import type { Fence } from './untrusted/fence.ts';

/** An error as a tool returns it. */
export interface DescribedError {
  error: string;
  message: string;
  next: string;
  [detail: string]: unknown;
}

const nextSteps: Record<Retry, string> = {
  fix: 'Correct the arguments, then call again.',
  upgrade: 'Do not call again. A person has to change the plan of the workspace.',
  wait: 'Wait, then call again with the same arguments.',
  never: 'Do not call again. Tell the person who asked you.',
};
const unsure = 'It is unknown whether this was done. Check before you call again.';
const sameCall = 'Call again with the same arguments: nothing will be done or sent twice.';
const shownExtras = [
  'at',
  'issues',
  'limit',
  'limit_bytes',
  'upgrade',
  'reason',
  'inbox_id',
  'param',
  'retry_after_seconds',
];

/** Returns the description of an error for a model. `repeats` says whether the same call can be repeated without doing anything twice. */
export function describeError(error: unknown, fence: Fence, repeats: boolean): DescribedError {
  if (error instanceof ToolError)
    return { error: error.code, message: error.message, next: error.next, ...error.details };
  if (error instanceof z.ZodError) return describeArguments(error);
  if (error instanceof APIError) return describeAnswer(error as unknown as AnyAnswer, fence, repeats);
  const next = repeats ? sameCall : unsure;
  if (error instanceof TimeoutError)
    return { error: 'timeout', message: 'The server did not respond in time.', next };
  if (error instanceof ConnectionError)
    return {
      error: 'no_connection',
      message: 'The server could not be reached, or the connection broke.',
      next,
    };
  if (error instanceof AbortedError) return { error: 'cancelled', message: 'The call was cancelled.', next };
  if (error instanceof PostriderError)
    return { error: 'invalid_request', message: error.message, next: nextSteps.fix };
  return { error: 'internal_error', message: 'The tool failed.', next };
}

interface AnyAnswer {
  code: string;
  status: number;
  requestId: string | null;
  body: unknown;
}

function describeAnswer(error: AnyAnswer, fence: Fence, repeats: boolean): DescribedError {
  const body = (typeof error.body === 'object' && error.body !== null ? error.body : {}) as Record<
    string,
    unknown
  >;
  const next = nextStepFor(error, body, repeats);
  const extras = Object.fromEntries(
    shownExtras.flatMap((name) => (name in body ? [[name, body[name]]] : [])),
  );
  return {
    error: error.code,
    message: isRefusedByPeople(body) ? notApproved : writeMessage(error.code, body.message, fence),
    next,
    ...extras,
    ...(error.code === 'message_rejected' && { reason: findReason(body, fence) }),
    ...(Array.isArray(body.blocked) && {
      not_sent_to: body.blocked.map((one) => describeBlocked(one, fence)),
    }),
    ...(error.requestId !== null && { request_id: error.requestId }),
  };
}

const notApproved = 'People did not approve this mail, so it was not sent.';

function nextStepFor(error: AnyAnswer, body: Record<string, unknown>, repeats: boolean): string {
  if (error.status >= 500 && !repeats) return unsure;
  if (isRefusedByPeople(body)) return 'Do not call again unless people ask for it.';
  const { retry_after_seconds: seconds, blocked } = body;
  if (error instanceof RateLimitError && typeof seconds === 'number') {
    if (body.reason === 'policy')
      return String(body.message).includes(fewerRecipients) ? neverSoLarge : afterCap(seconds);
    return `Wait ${seconds} seconds, then call again with the same arguments.`;
  }
  if (Array.isArray(blocked) && blocked.every((one) => Object(one).reason === 'policy'))
    return 'Do not call again, and do not try another way: people do not allow mail to these addresses. Ask the person.';
  const entry = errors[error.code as ErrorCode] as (typeof errors)[ErrorCode] | undefined;
  return nextSteps[entry?.retry ?? (error.status >= 500 ? 'wait' : 'never')];
}

const neverSoLarge =
  'Do not call again with these recipients. Waiting does not help, because one message cannot have so many recipients. Send it ' +
  'to fewer, or ask the person.';

/** People set the cap to stop the agent, whatever it wants to send. */
function afterCap(seconds: number): string {
  const at = new Date(Date.now() + seconds * 1_000).toISOString().slice(0, 16);
  return (
    `Stop: people have set this limit. Do not call again with these arguments before ${at}Z (in ${writeDuration(seconds)}), and do not try another way. ` +
    'Tell the person what could not be sent.'
  );
}

function writeDuration(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

function isRefusedByPeople({ error, reason }: Record<string, unknown>): boolean {
  return error === 'message_rejected' && isOfPeople('rejected', String(reason));
}

/** The text comes from people, the recipient's server, or a provider. */
function findReason(body: Record<string, unknown>, fence: Fence): string {
  const reason = String(body.reason ?? '');
  return isRefusedByPeople(body) ? wordsOfPeople(reason) : fence.line(reason);
}

const address = /[^\s<>"'(),;:]+@[^\s<>"'(),;:]*[^\s<>"'(),;:.]/g;

/** A message that is not from the catalogue may contain addresses or text from another server. */
function writeMessage(code: string, message: unknown, fence: Fence): string {
  if (typeof message !== 'string') return 'The response does not come from this API.';
  if (message === errors[code as ErrorCode]?.message) return message;
  return code === 'message_rejected'
    ? fence.line(message)
    : message.replace(address, (one) => fence.line(one));
}

function describeBlocked(one: unknown, fence: Fence): unknown {
  if (typeof one === 'string') return fence.line(one);
  const { address, reason } = one as { address?: unknown; reason?: unknown };
  return { address: fence.line(String(address)), reason };
}

function describeArguments(error: z.ZodError): DescribedError {
  const issues = error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  return {
    error: 'invalid_request',
    message: issues.map(({ path, message }) => `${path || 'The arguments'}: ${message}`).join('; '),
    next: nextSteps.fix,
    issues,
  };
}
