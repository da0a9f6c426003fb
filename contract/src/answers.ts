import type { AppRoute } from '@ts-rest/core';
import * as z from 'zod';
import { type ErrorBody, errorCodes, isErrorCode } from './errors/error-body.ts';
import { type ErrorCode, errors } from './errors/errors.ts';
import { about, exampleIds } from './fields/scalars.ts';

/** The errors that every route may respond with. */
export const commonErrorCodes = [
  'invalid_request',
  'malformed_json',
  'invalid_token',
  'sending_not_allowed',
  'not_found',
  'method_not_allowed',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'internal_error',
  'unavailable',
] as const satisfies ErrorCode[];

type CommonErrorCode = (typeof commonErrorCodes)[number];
type StatusOf<Code extends ErrorCode> = (typeof errors)[Code]['status'];
type CodeOf<Code extends ErrorCode, Status> = Code extends ErrorCode
  ? StatusOf<Code> extends Status
    ? Code
    : never
  : never;

/** The error responses of a route by status, in the form that its `responses` take. */
export type ErrorAnswers<Code extends ErrorCode> = {
  [Status in StatusOf<Code>]: z.ZodType<ErrorBody<CodeOf<Code, Status>>, ErrorBody<CodeOf<Code, Status>>>;
};

/** Returns the name of the schema of an error, such as `AddressTakenError` for `address_taken`. */
export function errorSchemaName(code: ErrorCode): string {
  const words = code.replace(/_error$/, '').split('_');
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Error`;
}

function errorBody(code: ErrorCode) {
  const { extra, meaning, message } = errors[code];
  return z
    .object({
      error: z.literal(code).meta(about('The error code.', code)),
      message: z.string().meta(about('A sentence that says what to do.', message)),
      request_id: z.string().meta(about('The `x-request-id` of the response.', exampleIds.request)),
      ...extra.shape,
    })
    .meta({ id: errorSchemaName(code), description: meaning });
}

/** The schema of each error's body. */
export const errorBodies = Object.fromEntries(errorCodes.map((code) => [code, errorBody(code)])) as {
  [Code in ErrorCode]: ReturnType<typeof errorBody>;
};

/** Returns the error responses of a route, one schema for each status. They have the given codes and those that every route has. */
export function answers<Code extends ErrorCode = never>(
  ...codes: Code[]
): ErrorAnswers<Code | CommonErrorCode> {
  const all = errorCodes.filter(
    (code) =>
      (codes as ErrorCode[]).includes(code) || (commonErrorCodes as readonly ErrorCode[]).includes(code),
  );
  const statuses = [...new Set(all.map((code) => errors[code].status))];
  const schemas = statuses.map((status) => [
    status,
    errorSchema(all.filter((code) => errors[code].status === status)),
  ]);
  return Object.fromEntries(schemas) as ErrorAnswers<Code | CommonErrorCode>;
}

function errorSchema([first, ...others]: ErrorCode[]) {
  if (first === undefined) throw new Error('a status without codes');
  if (others.length === 0) return errorBodies[first];
  return z.discriminatedUnion('error', [errorBodies[first], ...others.map((code) => errorBodies[code])]);
}

/** Returns the error codes that a route may respond with, in the order of the catalogue. */
export function listErrorCodes(route: Pick<AppRoute, 'responses'>): ErrorCode[] {
  const declared = Object.values(route.responses).flatMap(codesIn);
  return errorCodes.filter((code) => declared.includes(code));
}

function codesIn(schema: unknown): string[] {
  if (schema instanceof z.ZodDiscriminatedUnion) return schema.options.flatMap(codesIn);
  if (!(schema instanceof z.ZodObject)) return [];
  const code: unknown = schema.shape.error;
  if (!(code instanceof z.ZodLiteral)) return [];
  return [...code.values].filter((value) => typeof value === 'string' && isErrorCode(value)).map(String);
}
