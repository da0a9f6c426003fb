import { APIError, ConnectionError, TimeoutError } from 'postrider';
import { problemText } from '#strings/problem.ts';

/** A field of a request that the server refused, and why. */
export interface FieldIssue {
  path: string;
  message: string;
}

/** An error of the console's own API, read completely. */
export class ConsoleError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly body: Record<string, unknown>;

  constructor(status: number, requestId: string | null, body: Record<string, unknown>) {
    super(readText(body.message) ?? problemText.unexpected(status));
    this.name = 'ConsoleError';
    this.status = status;
    this.code = readText(body.error) ?? 'unexpected_answer';
    this.requestId = requestId ?? readText(body.request_id);
    this.body = body;
  }
}

/** No response came, or it was interrupted. */
export class NoAnswerError extends Error {}

/** The code of a page could not be loaded. */
export class NotLoadedError extends Error {}

/** Something that the person began has failed, so that signing out now would lose it. */
export class UnfinishedError extends Error {}

/** The words of a page about a failure. */
export interface Problem {
  /** The code of the error, or `connection` if no response came. */
  code: string;
  status: number | null;
  title: string;
  message: string;
  requestId: string | null;
  issues: FieldIssue[];
  /** Whether the same request may succeed later. */
  mayRetry: boolean;
}

/** Returns the text for any error that a query or a mutation threw. */
export function describeProblem(error: unknown): Problem {
  if (error instanceof ConsoleError || error instanceof APIError) return answered(error);
  const isLost =
    error instanceof NoAnswerError || error instanceof ConnectionError || error instanceof TimeoutError;
  const { title, message } = isLost ? problemText.connection : unansweredText(error);
  return {
    code: isLost ? 'connection' : 'unknown',
    status: null,
    title,
    message,
    requestId: null,
    issues: [],
    mayRetry: isLost,
  };
}

function unansweredText(error: unknown) {
  if (error instanceof UnfinishedError) return problemText.unfinished;
  return error instanceof NotLoadedError ? problemText.notLoaded : problemText.unknown;
}

/** Returns the code of the error of a response; null for other errors. */
export function errorCode(error: unknown): string | null {
  return error instanceof ConsoleError || error instanceof APIError ? error.code : null;
}

function answered({ status, code, requestId, body, message }: ConsoleError | APIError): Problem {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  return {
    code,
    status,
    title: problemText.titleOf(status, code),
    message: problemText.messageOf(code, readText(fields.message) ?? message),
    requestId,
    issues: readIssues(fields.issues),
    mayRetry: status === 429 || status >= 500,
  };
}

function readIssues(value: unknown): FieldIssue[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((issue: unknown) => {
    if (typeof issue !== 'object' || issue === null) return [];
    const { path, message } = issue as Record<string, unknown>;
    return [{ path: readText(path) ?? '', message: readText(message) ?? '' }];
  });
}

function readText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
