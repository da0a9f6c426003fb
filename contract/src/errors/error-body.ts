import type * as z from 'zod';
import { type ErrorCode, errors } from './errors.ts';

/** The fields of an error with this code in addition to `error`, `message` and `request_id`. If it has none, none can be given. */
export type ErrorExtra<Code extends ErrorCode> = z.infer<(typeof errors)[Code]['extra']>;

type ExtraShape<Code extends ErrorCode> = (typeof errors)[Code]['extra']['shape'];

/** The body of an error response, as a union by `error` if there are several codes. */
export type ErrorBody<Code extends ErrorCode = ErrorCode> = Code extends ErrorCode
  ? {
      error: Code;
      message: string;
      request_id: string;
    } & (keyof ExtraShape<Code> extends never ? unknown : ErrorExtra<Code>) // `ErrorExtra` of a code without fields would forbid all other fields.
  : never;

/** All error codes. */
export const errorCodes = Object.keys(errors) as ErrorCode[];

/** Returns whether a text is the code of an error. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errors, text);
}
