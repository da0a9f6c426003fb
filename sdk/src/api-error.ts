import { PostriderError } from './errors.ts';
import type { ErrorCode, ErrorExtras, ErrorStatuses } from './generated/types.ts';

/** The code of an answer with an error status that is not one of this API, such as one of a proxy. */
export type UnexpectedCode = 'unexpected_answer';

type AnyCode = ErrorCode | UnexpectedCode;
type CodeOf<Status> = { [Code in ErrorCode]: ErrorStatuses[Code] extends Status ? Code : never }[ErrorCode];

/** An answer with an error status, read whole. */
export interface ErrorAnswer {
  status: number;
  headers: Headers;
  /** The parsed body; text when it was no JSON, undefined when it was empty. */
  body: unknown;
}

class AnswerError extends PostriderError {
  override readonly name: string = 'APIError';
  /** The status of the answer. */
  readonly status: number;
  /** The code of the error; comparing it narrows the error to the fields that come with the code. */
  readonly code: string;
  /** The id of the request, to be named when a problem is reported; null when the answer had none. */
  readonly requestId: string | null;
  /** The headers of the answer. */
  readonly headers: Headers;
  /** The body of the answer as it was parsed. */
  readonly body: unknown;

  constructor(answer: ErrorAnswer) {
    const fields = fieldsOf(answer.body);
    const code = typeof fields.error === 'string' ? fields.error : 'unexpected_answer';
    const requestId = answer.headers.get('x-request-id') ?? textOf(fields.request_id);
    super(messageOf(answer, code, fields, requestId));
    this.status = answer.status;
    this.code = code;
    this.requestId = requestId;
    this.headers = answer.headers;
    this.body = answer.body;
    // What is printed of an uncaught error is its message and its code, and not all that the server answered.
    for (const key of ['headers', 'body']) Object.defineProperty(this, key, { enumerable: false });
    for (const [key, value] of Object.entries(fields)) {
      // An answer must not be able to replace the fields above, nor `stack` or a method.
      if (key !== 'error' && key !== 'request_id' && !(key in this)) {
        Object.defineProperty(this, key, { value, enumerable: true });
      }
    }
  }
}

// A minifier may rename the class, and what is printed of an error is the name of its class.
Object.defineProperty(AnswerError, 'name', { value: 'APIError' });

function fieldsOf(body: unknown): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? { ...body } : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function messageOf(
  { status, headers, body }: ErrorAnswer,
  code: string,
  { message, issues }: Record<string, unknown>,
  requestId: string | null,
): string {
  const sentences = [textOf(message) ?? surpriseOf(status, headers, body)];
  if (Array.isArray(issues)) {
    for (const { path, message: problem } of issues.map(fieldsOf)) {
      sentences.push(`${path === '' ? 'The request' : path} ${problem}.`);
    }
  }
  const suffix = requestId === null ? '' : ` (request ${requestId})`;
  return `${status} ${code}: ${sentences.join(' ')}${suffix}`;
}

/** What to say of an answer that this API does not give: something else has answered. */
function surpriseOf(status: number, headers: Headers, body: unknown): string {
  const location = headers.get('location');
  if (status >= 300 && status < 400 && location !== null) {
    return `The server redirects to ${location}; requests are not redirected, so set baseURL to the final address.`;
  }
  const excerpt = typeof body === 'string' ? ` It begins: ${JSON.stringify(body.slice(0, 80))}.` : '';
  return `The answer is not one of this API; is baseURL right?${excerpt}`;
}

/**
 * An answer with an error status, as a union by `code`: once `error.code` is compared with `no_deliverable_recipients`, the
 * error has `blocked`. A newer server may answer codes that are not in the union, so leave a way for those.
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

/** TypeScript has no classes whose instances are a union, so the one class is given that type here. */
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

/** Any answer with an error status; `error instanceof APIError && error.code === …` narrows to the fields of the code. */
export const APIError = asUnion<ErrorCode>(AnswerError);
/** 400: a field is missing or malformed; `issues` names them. */
export const BadRequestError = errorClass('BadRequestError', 400);
export type BadRequestError = InstanceType<typeof BadRequestError>;
/** 401: the API key is missing, unknown or revoked. */
export const AuthenticationError = errorClass('AuthenticationError', 401);
export type AuthenticationError = InstanceType<typeof AuthenticationError>;
/** 402: a limit of the plan is reached. */
export const PaymentRequiredError = errorClass('PaymentRequiredError', 402);
export type PaymentRequiredError = InstanceType<typeof PaymentRequiredError>;
/** 404: an id is unknown, or belongs to another workspace. */
export const NotFoundError = errorClass('NotFoundError', 404);
export type NotFoundError = InstanceType<typeof NotFoundError>;
/** 409: the request does not fit what is there, such as an address that is taken. */
export const ConflictError = errorClass('ConflictError', 409);
export type ConflictError = InstanceType<typeof ConflictError>;
/** 410: the events after the given one are not kept any more. */
export const GoneError = errorClass('GoneError', 410);
export type GoneError = InstanceType<typeof GoneError>;
/** 413: the attachments or the whole request are too large. */
export const PayloadTooLargeError = errorClass('PayloadTooLargeError', 413);
export type PayloadTooLargeError = InstanceType<typeof PayloadTooLargeError>;
/** 422: nobody can be sent to, or the provider refused the message. */
export const UnprocessableEntityError = errorClass('UnprocessableEntityError', 422);
export type UnprocessableEntityError = InstanceType<typeof UnprocessableEntityError>;
/** 429: too many requests; thrown when the retries are used up or the wait would be too long. */
export const RateLimitError = errorClass('RateLimitError', 429);
export type RateLimitError = InstanceType<typeof RateLimitError>;
/** 5xx: something is wrong or busy in the server; thrown when the retries are used up. */
export const ServerError = errorClass('ServerError', 500, 501, 502, 503, 504);
export type ServerError = InstanceType<typeof ServerError>;

/** The error for an answer, of the class of its status. */
export function errorOf(answer: ErrorAnswer): PostriderError {
  return new (classes.get(answer.status) ?? AnswerError)(answer);
}
