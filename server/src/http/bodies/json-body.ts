import { contract, limits, listRoutes, routeTakesAttachments, routeTakesTexts } from '@postrider/contract';
import type { Request, RequestHandler, Response } from 'express';
import { contextOf } from '../../context.ts';
import { ApiError, invalidField } from '../../lib/api-error.ts';
import { clientGone } from '../../lib/concurrency/client-gone.ts';
import { whenClosed } from '../../lib/concurrency/when-closed.ts';
import { JsonShape } from '../../lib/json-shape.ts';
import { pathPattern } from '../path-pattern.ts';
import type { BodyPlaces } from './body-places.ts';
import { declaredBytesOf } from './declared-bytes.ts';
import type { JsonThread } from './json-thread.ts';
import { parseJson } from './parse-json.ts';
import { readBody } from './read-body.ts';

const placesOf = (takes: typeof routeTakesAttachments) =>
  listRoutes(contract)
    .filter(({ route }) => takes(route))
    .map(({ route }) => ({ method: route.method, pattern: pathPattern(route.path) }));
const withAttachments = placesOf(routeTakesAttachments);
const withTexts = placesOf(routeTakesTexts);

/** What bodies are read with. */
export interface BodyReader {
  places: BodyPlaces;
  thread: JsonThread;
}

/** The places of what comes without a key. */
const nobody = '';
const charsetOf = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

/** Reads a body as text, whatever it says to be: Amazon SNS posts JSON as `text/plain`. */
export const readText =
  ({ places }: BodyReader): RequestHandler =>
  async (req, res, next) => {
    requireUncompressed(req);
    const bytesMax = limits.requestBytesMax;
    const bytes = await readBody(req, {
      bytesMax,
      keptMax: bytesMax,
      look: () => {},
      enterLarge: (size) => enter(places, nobody, size, res),
    });
    req.body = bytes?.toString('utf8');
    next();
  };

/**
 * Reads a JSON body up to the limit of its route. A body that is not JSON by its content type, or is compressed, is refused
 * unread; one that is made of too much is refused as soon as that is seen.
 */
export const readJson = ({ places, thread }: BodyReader): RequestHandler => {
  const rulesFor = (req: Request, res: Response, shape: JsonShape) => ({
    ...sizesOf(req),
    look: (part: Buffer) => {
      const problem = shape.add(part);
      if (problem !== null) throw invalidField('', problem);
    },
    enterLarge: (size: number) => enter(places, contextOf(res).workspaceId, size, res),
  });
  return async (req, res, next) => {
    if (declaredBytesOf(req) === 0) {
      if (req.is('application/json')) req.body = {};
      return next();
    }
    requireJson(req);
    const shape = new JsonShape({
      valuesMax: limits.jsonValuesMax,
      outsideStringsBytesMax: limits.jsonOutsideStringsBytesMax,
      depthMax: limits.jsonDepthMax,
    });
    const bytes = await readBody(req, rulesFor(req, res, shape));
    if (bytes === null) throw tooLarge(shape);
    req.body = await parse(thread, bytes);
    next();
  };
};

/** A small body is parsed here, since to have it done costs more. */
const parse = (thread: JsonThread, bytes: Buffer): unknown => {
  if (bytes.length > limits.largeRequestBytes) return thread.parse(bytes);
  try {
    return parseJson(bytes);
  } catch (cause) {
    throw new ApiError('malformed_json', {}, { cause });
  }
};

/** Takes a place until the request is answered. */
const enter = async (places: BodyPlaces, owner: string, bytes: number, res: Response): Promise<void> => {
  whenClosed(res, await places.take(owner, bytes, clientGone(res)));
};

const requireJson = (req: Request): void => {
  requireUncompressed(req);
  const charset = charsetOf.exec(req.headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  if (!req.is('application/json') || (charset !== 'utf-8' && charset !== 'utf8'))
    throw new ApiError('unsupported_media_type');
};

/** What a compressed body takes is not known before it is there. `identity` is no value of this field (RFC 9110, section 8.4.1). */
const requireUncompressed = ({ headers }: Request): void => {
  if (headers['content-encoding'] !== undefined) throw new ApiError('unsupported_media_type');
};

const sizesOf = (req: Request): { bytesMax: number; keptMax: number } => {
  const path = req.baseUrl + req.path;
  const isOf = (places: typeof withTexts) =>
    places.some(({ method, pattern }) => method === req.method && pattern.test(path));
  const { requestBytesMax, requestBesideAttachmentsBytesMax: textsMax } = limits;
  if (isOf(withAttachments)) return { bytesMax: limits.requestWithAttachmentsBytesMax, keptMax: textsMax };
  const bytesMax = isOf(withTexts) ? textsMax : requestBytesMax;
  return { bytesMax, keptMax: bytesMax };
};

/** A large body is the fault of its files when these are over their own limit, else of the rest. */
const tooLarge = ({ fileTextBytes }: JsonShape): ApiError =>
  (fileTextBytes * 3) / 4 > limits.attachmentBytesMax
    ? new ApiError('attachment_too_large', { limit_bytes: limits.attachmentBytesMax })
    : new ApiError('payload_too_large', { limit_bytes: limits.requestBesideAttachmentsBytesMax });
