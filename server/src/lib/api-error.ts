import { type ErrorBody, type ErrorCode, type ErrorExtra, errors } from '@postrider/contract';

/** The optional parts of an error, in addition to its code and extra fields. */
export interface ApiErrorOptions {
  /** One sentence that says what to do, if it can be more exact than the catalogue's. */
  message?: string;
  /** Headers of the response in lower case, such as `allow` or `retry-after`. */
  headers?: Record<string, string>;
  /** The underlying failure, for the log only. */
  cause?: unknown;
}

/** The arguments after the code. The extra fields are required exactly if the catalogue has some for the code. */
export type ApiErrorArguments<Code extends ErrorCode> =
  Record<never, never> extends ErrorExtra<Code>
    ? [extra?: ErrorExtra<Code>, options?: ApiErrorOptions]
    : [extra: ErrorExtra<Code>, options?: ApiErrorOptions];

/**
 * An error of the contract's catalogue. It is thrown anywhere, and the HTTP edge responds with its status, body and headers. The extra
 * fields are type-checked by code, as in `new ApiError('inbox_limit_reached', { upgrade: true, limit: 5 })`.
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

  /** Returns the JSON body of the response. */
  body(requestId: string): ErrorBody<Code> {
    const { code, message, extra } = this;
    return { error: code, message, request_id: requestId, ...extra } as ErrorBody<Code>;
  }
}

/** Returns whether a thrown value is the contract error with this code, so that its extra fields can be read. */
export function isApiError<Code extends ErrorCode>(error: unknown, code: Code): error is ApiError<Code> {
  return error instanceof ApiError && error.code === code;
}

/**
 * Returns the error for an unknown, malformed or foreign id, which is always the same. `param` is the path parameter or field that has the
 * id, or null if the path itself is unknown.
 */
export function notFound(param: string | null): ApiError<'not_found'> {
  if (param === null) return new ApiError('not_found', { param });
  const message = `Check \`${param}\`: it names nothing that this key can see.`;
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
