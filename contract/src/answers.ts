import type { AppRoute } from '@ts-rest/core';
import * as z from 'zod';
import { type ConsoleErrorCode, consoleErrors } from './console/errors.ts';
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

/** All errors by their codes: those of the API, and those that only the console and the management API respond with. */
export const errorCatalogue = { ...errors, ...consoleErrors };

/** The code of any error. */
export type AnyErrorCode = ErrorCode | ConsoleErrorCode;

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
export function errorSchemaName(code: AnyErrorCode): string {
  const words = code.replace(/_error$/, '').split('_');
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Error`;
}

function errorBody(code: AnyErrorCode) {
  const { extra, meaning, message } = errorCatalogue[code];
  return z
    .object({
      error: z.literal(code).meta(about('The error code.', code)),
      message: z.string().meta(about('A sentence that says what to do.', message)),
      request_id: z.string().meta(about('The `x-request-id` of the response.', exampleIds.request)),
      ...extra.shape,
    })
    .meta({ id: errorSchemaName(code), description: meaning });
}

const anyErrorCodes = Object.keys(errorCatalogue) as AnyErrorCode[];

/** The schema of each error's body. */
export const errorBodies = Object.fromEntries(anyErrorCodes.map((code) => [code, errorBody(code)])) as {
  [Code in AnyErrorCode]: ReturnType<typeof errorBody>;
};

/** Returns the error responses of a route, one schema for each status. They have the given codes and those that every route has. */
export function answers<Code extends ErrorCode = never>(
  ...codes: Code[]
): ErrorAnswers<Code | CommonErrorCode> {
  const all = errorCodes.filter(
    (code) =>
      (codes as ErrorCode[]).includes(code) || (commonErrorCodes as readonly ErrorCode[]).includes(code),
  );
  return answersByStatus(all) as ErrorAnswers<Code | CommonErrorCode>;
}

/** Returns the responses with these error codes, one schema for each status. */
export function answersByStatus(codes: AnyErrorCode[]): Record<string, z.ZodType> {
  const statuses = [...new Set(codes.map((code) => errorCatalogue[code].status))];
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      errorSchema(codes.filter((code) => errorCatalogue[code].status === status)),
    ]),
  );
}

function errorSchema([first, ...others]: AnyErrorCode[]) {
  if (first === undefined) throw new Error('a status without codes');
  if (others.length === 0) return errorBodies[first];
  return z.discriminatedUnion('error', [errorBodies[first], ...others.map((code) => errorBodies[code])]);
}

/** Returns the error codes of the API that a route may respond with, in the order of the catalogue. */
export function listErrorCodes(route: Pick<AppRoute, 'responses'>): ErrorCode[] {
  return listAllErrorCodes(route).filter(isErrorCode);
}

/** Returns the error codes that a route may respond with, those of the API first. */
export function listAllErrorCodes(route: Pick<AppRoute, 'responses'>): AnyErrorCode[] {
  const declared = Object.values(route.responses).flatMap(codesIn);
  return anyErrorCodes.filter((code) => declared.includes(code));
}

function codesIn(schema: unknown): string[] {
  if (schema instanceof z.ZodDiscriminatedUnion) return schema.options.flatMap(codesIn);
  if (!(schema instanceof z.ZodObject)) return [];
  const code: unknown = schema.shape.error;
  if (!(code instanceof z.ZodLiteral)) return [];
  return [...code.values].map(String);
}
