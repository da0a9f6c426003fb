import {
  type AnyErrorCode,
  errorCatalogue as catalogue,
  type ErrorBody,
  type ErrorCode,
  type ErrorExtra,
} from '@postrider/contract';
import type * as z from 'zod';

type ExtraOf<Code extends AnyErrorCode> = Code extends ErrorCode
  ? ErrorExtra<Code>
  : z.infer<(typeof catalogue)[Code]['extra']>;

/** The optional parts of an error, in addition to its code and extra fields. */
interface ApiErrorOptions {
  /** One sentence that says what to do, if it can be more exact than the catalogue's. */
  message?: string;
  /** Headers of the response in lower case, such as `allow` or `retry-after`. */
  headers?: Record<string, string>;
  /** The underlying failure, for the log only. */
  cause?: unknown;
}

/** The arguments after the code. The extra fields are required exactly if the catalogue has some for the code. */
type ApiErrorArguments<Code extends AnyErrorCode> =
  Record<never, never> extends ExtraOf<Code>
    ? [extra?: ExtraOf<Code>, options?: ApiErrorOptions]
    : [extra: ExtraOf<Code>, options?: ApiErrorOptions];

/**
 * An error of the contract's catalogue. It is thrown anywhere, and the HTTP edge responds with its status, body and headers. The extra
 * fields are type-checked by code, as in `new ApiError('inbox_limit_reached', { upgrade: true, limit: 5 })`.
 */
export class ApiError<Code extends AnyErrorCode = AnyErrorCode> extends Error {
  override readonly name = 'ApiError';
  readonly code: Code;
  readonly status: (typeof catalogue)[Code]['status'];
  readonly extra: ExtraOf<Code>;
  readonly headers: Record<string, string>;

  constructor(code: Code, ...[extra, options = {}]: ApiErrorArguments<Code>) {
    const { message = catalogue[code].message, cause } = options;
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
    this.status = catalogue[code].status;
    this.extra = extra ?? ({} as ExtraOf<Code>);
    this.headers = options.headers ?? {};
  }

  /** Returns the JSON body of the response. */
  body(requestId: string): Code extends ErrorCode ? ErrorBody<Code> : Record<string, unknown> {
    const { code, message, extra } = this;
    return { error: code, message, request_id: requestId, ...extra } as never;
  }
}

/** Returns whether a thrown value is the contract error with this code, so that its extra fields can be read. */
export function isApiError<Code extends AnyErrorCode>(error: unknown, code: Code): error is ApiError<Code> {
  return error instanceof ApiError && error.code === code;
}

/**
 * Returns the error for an unknown, malformed or foreign id, which is always the same. `param` is the path parameter or field that has the
 * id, or null if the path itself is unknown.
 */
export function notFound(param: string | null): ApiError<'not_found'> {
  if (param === null) return new ApiError('not_found', { param });
  const message = `Check \`${param}\`: there is nothing with this id that the caller can see.`;
  return new ApiError('not_found', { param }, { message });
}

/** Returns the error for a server that cannot work now. It tells the caller to try again after `seconds`. */
export function unavailable(cause?: unknown, seconds = 2): ApiError<'unavailable'> {
  return new ApiError('unavailable', {}, { cause, headers: { 'retry-after': String(seconds) } });
}

/**
 * Returns the error for one field that is wrong in a way that only the server can detect. An example of `path` is `attachments.2.filename`.
 */
export function invalidField(path: string, message: string): ApiError<'invalid_request'> {
  return new ApiError('invalid_request', { issues: [{ path, message }] });
}

/** The longest wait that is reported, a day, also for a wait without an end. */
const secondsMax = 86_400;

/** Returns a wait in whole seconds, as headers have it. */
export function wholeSeconds(waitMs: number): number {
  return Number.isFinite(waitMs) ? Math.min(secondsMax, Math.ceil(waitMs / 1_000)) : secondsMax;
}

/** Returns the error for one request too many, which says when to send it again. */
export function tooManyRequests(waitMs: number): ApiError {
  return rateLimited('requests', waitMs);
}

/** Returns the error for one answer too many in a conversation, which says when the next one may be sent. */
export function tooManyAnswers(waitMs: number, message: string): ApiError {
  return rateLimited('loop', waitMs, message);
}

/** Returns the error for a message over a cap of the sending policy, which says when it may be sent. */
export function overCap(waitMs: number, message: string): ApiError {
  return rateLimited('policy', waitMs, message);
}

function rateLimited(reason: 'requests' | 'loop' | 'policy', waitMs: number, message?: string): ApiError {
  const seconds = wholeSeconds(waitMs);
  return new ApiError(
    'rate_limited',
    { retry_after_seconds: seconds, reason },
    { headers: { 'retry-after': String(seconds) }, ...(message === undefined ? {} : { message }) },
  );
}
