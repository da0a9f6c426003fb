import { type ErrorBody, type ErrorCode, type ErrorExtra, errors } from '@postrider/contract';

/** What an error may say beyond its code and extra fields. */
export interface ApiErrorOptions {
  /** One sentence that says what to do, where the catalogue's own could be more exact. */
  message?: string;
  /** Headers of the answer, lower case, such as `allow` or `retry-after`. */
  headers?: Record<string, string>;
  /** The failure behind it, for the log only. */
  cause?: unknown;
}

/** The arguments after the code: the extra fields are required exactly when the catalogue has some for the code. */
export type ApiErrorArguments<Code extends ErrorCode> =
  Record<never, never> extends ErrorExtra<Code>
    ? [extra?: ErrorExtra<Code>, options?: ApiErrorOptions]
    : [extra: ErrorExtra<Code>, options?: ApiErrorOptions];

/**
 * An error of the contract's catalogue; thrown anywhere, answered by the HTTP edge with its status, its body and its
 * headers. `new ApiError('inbox_limit_reached', { upgrade: true, limit: 5 })` is checked by code.
 */
export class ApiError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'ApiError';
  readonly code: Code;
  readonly status: (typeof errors)[Code]['status'];
  readonly extra: ErrorExtra<Code>;
  readonly headers: Record<string, string>;

  constructor(code: Code, ...[extra, options = {}]: ApiErrorArguments<Code>) {
    const { message = errors[code].message, cause } = options;
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
    this.status = errors[code].status;
    this.extra = extra ?? ({} as ErrorExtra<Code>);
    this.headers = options.headers ?? {};
  }

  /** The JSON body of the answer. */
  body(requestId: string): ErrorBody<Code> {
    const { code, message, extra } = this;
    return { error: code, message, request_id: requestId, ...extra } as ErrorBody<Code>;
  }
}

/** Whether something that was thrown is the contract error with this code, so that its extra fields can be read. */
export function isApiError<Code extends ErrorCode>(error: unknown, code: Code): error is ApiError<Code> {
  return error instanceof ApiError && error.code === code;
}

/**
 * The answer for an unknown, malformed or foreign id, always the same; `param` is the path parameter or field that has the id, null
 * where the path itself is unknown.
 */
export function notFound(param: string | null): ApiError<'not_found'> {
  if (param === null) return new ApiError('not_found', { param });
  const message = `Check \`${param}\`: it names nothing that this key can see.`;
  return new ApiError('not_found', { param }, { message });
}

/** The answer while the server cannot work: the caller is told to try again after so many seconds. */
export function unavailable(cause?: unknown, seconds = 2): ApiError<'unavailable'> {
  return new ApiError('unavailable', {}, { cause, headers: { 'retry-after': String(seconds) } });
}

/** The answer for one field that is wrong in a way only the server can see; `path` as in `attachments.2.filename`. */
export function invalidField(path: string, message: string): ApiError<'invalid_request'> {
  return new ApiError('invalid_request', { issues: [{ path, message }] });
}
