import type * as z from 'zod';
import { type ErrorCode, errors } from './errors.ts';

/** The fields that an error of this code has beside `error`, `message` and `request_id`; none may be given where there are none. */
export type ErrorExtra<Code extends ErrorCode> = z.infer<(typeof errors)[Code]['extra']>;

type ExtraShape<Code extends ErrorCode> = (typeof errors)[Code]['extra']['shape'];

/** The body of an error answer; a union by `error` when there are several codes. */
export type ErrorBody<Code extends ErrorCode = ErrorCode> = Code extends ErrorCode
  ? {
      error: Code;
      message: string;
      request_id: string;
    } & (keyof ExtraShape<Code> extends never ? unknown : ErrorExtra<Code>) // `ErrorExtra` of a code without fields would forbid the fields beside it.
  : never;

/** All error codes. */
export const errorCodes = Object.keys(errors) as ErrorCode[];

/** Whether a text is the code of an error. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errors, text);
}
