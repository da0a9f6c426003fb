import type { IncomingMessage } from 'node:http';
import { contract, limits, listRoutes, routeTakesAttachments } from '@postrider/contract';
import express, { type RequestHandler } from 'express';
import { ApiError } from '../lib/api-error.ts';
import { decodedBytes } from '../messages/outgoing-attachments.ts';
import { pathPattern } from './path-pattern.ts';

const withAttachments = listRoutes(contract)
  .filter(({ route }) => routeTakesAttachments(route))
  .map(({ route }) => ({ method: route.method, pattern: pathPattern(route.path) }));

const bodyBytes = new WeakMap<IncomingMessage, number>();
/** `null` and `7` are JSON too: that they are no objects is for the contract to say. */
const parserOf = (limit: number) =>
  express.json({ limit, strict: false, verify: (req, _res, body) => void bodyBytes.set(req, body.length) });
const parseSmall = parserOf(limits.requestBytesMax);
const parseLarge = parserOf(limits.requestWithAttachmentsBytesMax);

/** Reads a body as text, whatever it says to be: Amazon SNS posts JSON as `text/plain`. */
export const readText: RequestHandler = express.text({ limit: limits.requestBytesMax, type: () => true });

/** Reads a JSON body up to the limit of its route; a body that is not JSON by its content type is refused unread. */
export const readJson: RequestHandler = (req, res, next) => {
  const hasBody =
    req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
  if (hasBody && !req.is('application/json')) throw new ApiError('unsupported_media_type');
  if (!takesAttachments(req.method, req.baseUrl + req.path)) return parseSmall(req, res, next);
  parseLarge(req, res, (error?: unknown) => {
    if (error) return next(error);
    next(checkSize(bodyBytes.get(req) ?? 0, req.body));
  });
};

const takesAttachments = (method: string, path: string): boolean =>
  withAttachments.some((route) => route.method === method && route.pattern.test(path));

/** A large body is the fault of its attachments when these are over their own limit, else of the rest. */
const checkSize = (bytes: number, body: unknown): ApiError | undefined => {
  if (bytes <= limits.requestBesideAttachmentsBytesMax) return undefined;
  const { attachments } = (body ?? {}) as { attachments?: unknown };
  const files = Array.isArray(attachments) ? (attachments as { content_base64?: unknown }[]) : [];
  const total = files
    .map((file) => (typeof file?.content_base64 === 'string' ? decodedBytes(file.content_base64) : 0))
    .reduce((sum, size) => sum + size, 0);
  return total > limits.attachmentBytesMax
    ? new ApiError('attachment_too_large', { limit_bytes: limits.attachmentBytesMax })
    : new ApiError('payload_too_large', { limit_bytes: limits.requestBesideAttachmentsBytesMax });
};
