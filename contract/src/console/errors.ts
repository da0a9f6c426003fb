import * as z from 'zod';
import type { Retry } from '../errors/errors.ts';
import { about } from '../fields/scalars.ts';

const nothing = z.object({});

/** The errors that only the console responds with, in the form of the API's catalogue. The API itself never uses them. */
export const consoleErrors = {
  csrf_refused: {
    status: 403,
    extra: nothing,
    meaning:
      'The request does not come from the console: its origin is wrong, or the console’s header is missing.',
    message: 'Reload the page and try again.',
    retry: 'fix',
  },
  not_signed_in: {
    status: 401,
    extra: nothing,
    meaning: 'There is no session, or it has ended.',
    message: 'Sign in again.',
    retry: 'fix',
  },
  wrong_sign_in: {
    status: 401,
    extra: nothing,
    meaning: 'The email address, password or passkey is wrong; the response does not say which of them.',
    message: 'Check the email address and the password.',
    retry: 'fix',
  },
  second_factor_required: {
    status: 401,
    extra: z.object({
      wrong: z.boolean().meta(about('Whether the request contained a wrong code.', false)),
    }),
    meaning: 'The password is right, but the account also requires a code.',
    message: 'Send the code from the authenticator app, or a recovery code.',
    retry: 'fix',
  },
  wrong_password: {
    status: 403,
    extra: nothing,
    meaning: 'Changing the account requires the current password, and the given password is wrong.',
    message: 'Check the current password.',
    retry: 'fix',
  },
  owner_only: {
    status: 403,
    extra: nothing,
    meaning: 'Only owners of the workspace can do this, and an admin token cannot change owners.',
    message: 'Ask an owner of the workspace.',
    retry: 'never',
  },
  link_expired: {
    status: 410,
    extra: nothing,
    meaning: 'The link for an invitation or a new password is unknown, used or expired.',
    message: 'Ask for a new link.',
    retry: 'fix',
  },
  last_owner: {
    status: 409,
    extra: nothing,
    meaning: 'The change would leave the workspace without an owner.',
    message: 'Make somebody else an owner first.',
    retry: 'fix',
  },
  already_member: {
    status: 409,
    extra: nothing,
    meaning: 'The person is already in the workspace.',
    message: 'Change the role of the person instead.',
    retry: 'fix',
  },
} as const satisfies Record<
  string,
  { status: number; extra: z.ZodObject; meaning: string; message: string; retry: Retry }
>;

/** The code of an error that only the console responds with. */
export type ConsoleErrorCode = keyof typeof consoleErrors;

/** The body of every error of the console's own routes. Errors of the API may occur there, too. */
export const ConsoleProblem = z.looseObject({
  error: z.string(),
  message: z.string(),
  request_id: z.string(),
});
export type ConsoleProblem = z.infer<typeof ConsoleProblem>;

/** The error responses of each route of the console. */
export const problems = {
  400: ConsoleProblem,
  401: ConsoleProblem,
  402: ConsoleProblem,
  403: ConsoleProblem,
  404: ConsoleProblem,
  405: ConsoleProblem,
  409: ConsoleProblem,
  410: ConsoleProblem,
  413: ConsoleProblem,
  415: ConsoleProblem,
  422: ConsoleProblem,
  429: ConsoleProblem,
  500: ConsoleProblem,
  503: ConsoleProblem,
} as const;
