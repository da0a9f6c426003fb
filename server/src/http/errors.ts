import { asIssues, listAllErrorCodes } from '@postrider/contract';
import { consoleApiPath, consoleErrors, consolePath } from '@postrider/contract/console';
import type { AppRoute } from '@ts-rest/core';
import type { RequestValidationError } from '@ts-rest/express';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { isUnavailable } from '../db/database-errors.ts';
import type { Deps } from '../deps.ts';
import { ApiError, notFound, unavailable } from '../lib/api-error.ts';
import { readRequestId } from './begin-request.ts';

/** Turns any error into a response of the catalogue. A bug becomes a 500 without details, and is logged with its request id. */
export function answerErrors(deps: Deps, options: { strict: boolean }): ErrorRequestHandler {
  return (thrown, req, res, _next) => {
    const error = options.strict ? requireDeclared(toApiError(thrown), req) : toApiError(thrown);
    res.locals.error = error.code;
    if (error.code === 'internal_error') {
      deps.log.error({ err: error.cause ?? thrown, requestId: readRequestId(res) }, 'a request failed');
    }
    // In the middle of a response, it is too late for an error.
    if (res.headersSent || req.socket.destroyed) return void res.destroy();
    // A client that is cut off while it still sends loses the response, so the rest of its request is read first.
    if (!req.complete) res.shouldKeepAlive = true;
    const answerInPage = (res.locals as AnswersInPage).answerInPage ?? answer;
    answerInPage(res, error);
  };
}

/** The locals of a response that people see as a page, and not a program: errors are sent by this function then. */
export interface AnswersInPage {
  answerInPage?: typeof answer;
}

/** Sends an error as its body, status and headers. */
export function answer(res: Response, error: ApiError): void {
  res
    .set(error.headers)
    .status(error.status)
    .json(error.body(readRequestId(res)));
}

/** Turns a request that the contract refuses into an error that names each field. */
export function invalidRequest(error: RequestValidationError): ApiError {
  const parts = [error.pathParams, error.headers, error.query, error.body];
  return new ApiError('invalid_request', { issues: asIssues(parts.flatMap((part) => part?.issues ?? [])) });
}

function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (isUnavailable(thrown)) return unavailable(thrown);
  // A path that does not decode to UTF-8 names nothing.
  if (thrown instanceof URIError) return notFound(null);
  return new ApiError('internal_error', {}, { cause: thrown });
}

/** In tests, a response that its route does not declare is a bug. */
function requireDeclared(error: ApiError, req: Request): ApiError {
  const { tsRestRoute } = req as { tsRestRoute?: AppRoute };
  // Routes of the console declare one form for all errors.
  if (!tsRestRoute || tsRestRoute.path.startsWith(consolePath)) return error;
  // A session can end while a person waits on a route of the API.
  if (error.code in consoleErrors && req.originalUrl.startsWith(`${consoleApiPath}/`)) return error;
  if (listAllErrorCodes(tsRestRoute).includes(error.code)) return error;
  const cause = new Error(`${tsRestRoute.path} answers ${error.code} and does not declare it.`);
  return new ApiError('internal_error', {}, { cause });
}
