import { PostriderError } from '../errors.ts';
import type { ErrorCode, ErrorExtras, ErrorStatuses } from '../generated/types.ts';

/** The code of an error whose response did not come from this API but, for example, from a proxy. */
export type UnexpectedCode = 'unexpected_answer';

type AnyCode = ErrorCode | UnexpectedCode;
type CodeOf<Status> = { [Code in ErrorCode]: ErrorStatuses[Code] extends Status ? Code : never }[ErrorCode];

/** A response with an error status, read completely. */
export interface ErrorAnswer {
  status: number;
  headers: Headers;
  /** The parsed body; text if it is not JSON, undefined if it is empty. */
  body: unknown;
}

class AnswerError extends PostriderError {
  override readonly name: string = 'APIError';
  /** The HTTP status of the response. */
  readonly status: number;
  /** The code of the error. Comparing it narrows the error to the fields of that code. */
  readonly code: string;
  /** The id of the request, to quote in problem reports; null if the response had none. */
  readonly requestId: string | null;
  /** The headers of the response. */
  readonly headers: Headers;
  /** The parsed body of the response. */
  readonly body: unknown;

  constructor(answer: ErrorAnswer) {
    const fields = readFields(answer.body);
    const code = typeof fields.error === 'string' ? fields.error : 'unexpected_answer';
    const requestId = answer.headers.get('x-request-id') ?? readText(fields.request_id);
    super(writeMessage(answer, code, fields, requestId));
    this.status = answer.status;
    this.code = code;
    this.requestId = requestId;
    this.headers = answer.headers;
    this.body = answer.body;
    // This keeps the whole response out of the output for an uncaught error.
    for (const key of ['headers', 'body']) Object.defineProperty(this, key, { enumerable: false });
    for (const [key, value] of Object.entries(fields)) {
      // A response must not replace the fields above, `stack` or a method.
      if (key !== 'error' && key !== 'request_id' && !(key in this)) {
        Object.defineProperty(this, key, { value, enumerable: true });
      }
    }
  }
}

// A minifier may rename the class, and an error is printed with the name of its class.
Object.defineProperty(AnswerError, 'name', { value: 'APIError' });

function readFields(body: unknown): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? { ...body } : {};
}

function readText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function writeMessage(
  { status, headers, body }: ErrorAnswer,
  code: string,
  { message, issues }: Record<string, unknown>,
  requestId: string | null,
): string {
  const sentences = [readText(message) ?? describeSurprise(status, headers, body)];
  if (Array.isArray(issues)) {
    for (const { path, message: problem } of issues.map(readFields)) {
      sentences.push(`${path === '' ? 'The request' : path} ${problem}.`);
    }
  }
  const suffix = requestId === null ? '' : ` (request ${requestId})`;
  return `${status} ${code}: ${sentences.join(' ')}${suffix}`;
}

/**
 * Returns the sentence about a response that did not come from this API but from something else at its
 * address.
 */
function describeSurprise(status: number, headers: Headers, body: unknown): string {
  const location = headers.get('location');
  if (status >= 300 && status < 400 && location !== null) {
    return `The server redirects to ${location}, but requests do not follow redirects. Set baseURL to the final address.`;
  }
  const excerpt = typeof body === 'string' ? ` It begins: ${JSON.stringify(body.slice(0, 80))}.` : '';
  return `The response does not come from this API. Is baseURL right?${excerpt}`;
}

/**
 * An error response, as a union by `code`. For example, if `error.code` equals `no_deliverable_recipients`,
 * the error has `blocked`. A newer server may send codes that are not in the union, so also handle others.
 */
export type APIError<Code extends AnyCode = AnyCode> = Code extends ErrorCode
  ? KnownError<Code>
  : UnexpectedError;

type KnownError<Code extends ErrorCode> = AnswerError & {
  readonly code: Code;
  readonly status: ErrorStatuses[Code];
} & Readonly<ErrorExtras[Code]>;
type UnexpectedError = AnswerError & { readonly code: UnexpectedCode };

interface ErrorClass<Code extends ErrorCode> {
  new (answer: ErrorAnswer): APIError<Code | UnexpectedCode>;
  readonly prototype: APIError<Code | UnexpectedCode>;
}

const classes = new Map<number, typeof AnswerError>();

/** Types the class with a union of instances, which a class declaration cannot express. */
function asUnion<Code extends ErrorCode>(value: typeof AnswerError): ErrorClass<Code> {
  return value as unknown as ErrorClass<Code>;
}

function errorClass<Status extends number>(name: string, ...statuses: Status[]): ErrorClass<CodeOf<Status>> {
  const value = class extends AnswerError {
    override readonly name = name;
  };
  Object.defineProperty(value, 'name', { value: name });
  for (const status of statuses) classes.set(status, value);
  return asUnion(value);
}

/** Any error response. `error instanceof APIError && error.code === …` narrows to the fields of the code. */
export const APIError = asUnion<ErrorCode>(AnswerError);
/** 400: a field is missing or malformed and named in `issues`, or the body is not JSON. */
export const BadRequestError = errorClass('BadRequestError', 400);
export type BadRequestError = InstanceType<typeof BadRequestError>;
/** 401: the API key is missing, unknown or revoked. */
export const AuthenticationError = errorClass('AuthenticationError', 401);
export type AuthenticationError = InstanceType<typeof AuthenticationError>;
/** 402: a limit of the plan is reached, or the plan does not include the requested feature. */
export const PaymentRequiredError = errorClass('PaymentRequiredError', 402);
export type PaymentRequiredError = InstanceType<typeof PaymentRequiredError>;
/** 403: people do not allow the key to do this, for example to send. A repeat gets the same error. */
export const PermissionDeniedError = errorClass('PermissionDeniedError', 403);
export type PermissionDeniedError = InstanceType<typeof PermissionDeniedError>;
/** 404: an id is unknown, or belongs to another workspace. */
export const NotFoundError = errorClass('NotFoundError', 404);
export type NotFoundError = InstanceType<typeof NotFoundError>;
/** 409: the request conflicts with the current state, for example because an address is taken. */
export const ConflictError = errorClass('ConflictError', 409);
export type ConflictError = InstanceType<typeof ConflictError>;
/** 410: `after` is older than the oldest event in the log. */
export const GoneError = errorClass('GoneError', 410);
export type GoneError = InstanceType<typeof GoneError>;
/** 413: the attachments or the whole request are too large. */
export const PayloadTooLargeError = errorClass('PayloadTooLargeError', 413);
export type PayloadTooLargeError = InstanceType<typeof PayloadTooLargeError>;
/** 422: no recipient is left to send to, or the provider refused the message. */
export const UnprocessableEntityError = errorClass('UnprocessableEntityError', 422);
export type UnprocessableEntityError = InstanceType<typeof UnprocessableEntityError>;
/** 429: too many requests. Thrown once the retries are used up, or if the wait would be too long. */
export const RateLimitError = errorClass('RateLimitError', 429);
export type RateLimitError = InstanceType<typeof RateLimitError>;
/** 5xx: the server failed or is busy. Thrown once the retries are used up, and for 501 at once. */
export const ServerError = errorClass('ServerError', 500, 501, 502, 503, 504);
export type ServerError = InstanceType<typeof ServerError>;

/** Returns the error for a response, as an instance of the class for its status. */
export function makeError(answer: ErrorAnswer): PostriderError {
  return new (classes.get(answer.status) ?? AnswerError)(answer);
}
