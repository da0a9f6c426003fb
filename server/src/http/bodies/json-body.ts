import {
  contract,
  limits,
  listRoutes,
  pathPrefix,
  routeTakesAttachments,
  routeTakesTexts,
} from '@postrider/contract';
import { consoleApiPath } from '@postrider/contract/console';
import type { Request, Response } from 'express';
import type { Context } from '../../context.ts';
import type { Slots } from '../../lib/admission/slots.ts';
import { ApiError, invalidField } from '../../lib/api-error.ts';
import { clientGone, whenClosed } from '../../lib/concurrency/client-gone.ts';
import { readDeclaredBytes, type Step } from '../begin-request.ts';
import { pathPattern } from '../route-table.ts';
import { JsonShape, parseJson } from './json-text.ts';
import type { JsonThread } from './json-thread.ts';
import { type BodySurroundings, readBody } from './read-body.ts';

function findRoutes(takes: typeof routeTakesAttachments) {
  return listRoutes(contract)
    .filter(({ route }) => takes(route))
    .map(({ route }) => ({ method: route.method, pattern: pathPattern(route.path) }));
}
const withAttachments = findRoutes(routeTakesAttachments);
const withTexts = findRoutes(routeTakesTexts);

/** Everything that is needed to read bodies. */
export interface BodyReader extends BodySurroundings {
  slots: Slots;
  thread: JsonThread;
}

/** The owner of the slots for requests without a key. */
const nobody = '';
/** The API is there for people who are signed in, too. */
const consoleApi = new RegExp(`^${consoleApiPath}(?=/)`, 'i');
/** The console's own routes accept only small bodies, because some come from strangers. */
const consoleOwn = new RegExp(`^${consoleApiPath}/(?!${pathPrefix.slice(1)}/)`, 'i');
const consoleBytesMax = 65_536;
const charsetPattern = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

/** Reads a body as text, whatever its content type: Amazon SNS posts JSON as `text/plain`. */
export function readText(reader: BodyReader): Step {
  return async (req, res) => {
    requireUncompressed(req);
    const bytesMax = limits.requestBytesMax;
    const bytes = await readBody(reader, req, {
      bytesMax,
      keptMax: bytesMax,
      look: () => {},
      enterLarge: (size) => enter(reader.slots, nobody, size, res),
    });
    req.body = bytes?.toString('utf8');
  };
}

/**
 * Reads a JSON body up to the limit of its route. A body whose content type is not JSON, or that is compressed, is refused unread. A body
 * with too many values or too much nesting is refused as soon as that is seen.
 */
export function readJson(reader: BodyReader): Step {
  const rulesFor = (req: Request, res: Response, shape: JsonShape) => ({
    ...findSizes(req),
    look: (part: Buffer) => {
      const problem = shape.add(part);
      if (problem !== null) throw invalidField('', problem);
    },
    enterLarge: (size: number) => enter(reader.slots, slotOwner(res), size, res),
  });
  const read = async (req: Request, res: Response): Promise<void> => {
    requireJson(req);
    const shape = new JsonShape({
      valuesMax: limits.jsonValuesMax,
      outsideStringsBytesMax: limits.jsonOutsideStringsBytesMax,
      depthMax: limits.jsonDepthMax,
    });
    const bytes = await readBody(reader, req, rulesFor(req, res, shape));
    if (bytes === null) throw tooLarge(shape);
    req.body = await parse(reader.thread, bytes);
  };
  return (req, res) => {
    if (readDeclaredBytes(req) !== 0) return read(req, res);
    if (req.is('application/json')) req.body = {};
  };
}

function slotOwner(res: Response): string {
  return (res.locals.context as Context | undefined)?.workspaceId ?? nobody;
}

/** Parses a body. A small one is parsed here, since passing it to the thread costs more. */
function parse(thread: JsonThread, bytes: Buffer): unknown {
  if (bytes.length > limits.largeRequestBytes) return thread.parse(bytes);
  try {
    return parseJson(bytes);
  } catch (cause) {
    throw new ApiError('malformed_json', {}, { cause });
  }
}

/** Takes a slot until the response is finished. */
async function enter(slots: Slots, owner: string, bytes: number, res: Response): Promise<void> {
  whenClosed(res, await slots.take(owner, bytes, { ended: clientGone(res) }));
}

function requireJson(req: Request): void {
  requireUncompressed(req);
  const charset = charsetPattern.exec(req.headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  if (!req.is('application/json') || (charset !== 'utf-8' && charset !== 'utf8'))
    throw new ApiError('unsupported_media_type');
}

/**
 * Refuses a compressed body, whose size is not known before it is unpacked. `identity` is no value of this field (RFC 9110, section 8.4.1).
 */
function requireUncompressed({ headers }: Request): void {
  if (headers['content-encoding'] !== undefined) throw new ApiError('unsupported_media_type');
}

function findSizes(req: Request): { bytesMax: number; keptMax: number } {
  const whole = req.baseUrl + req.path;
  if (consoleOwn.test(whole)) return { bytesMax: consoleBytesMax, keptMax: consoleBytesMax };
  const path = whole.replace(consoleApi, '');
  const isAmong = (places: typeof withTexts) =>
    places.some(({ method, pattern }) => method === req.method && pattern.test(path));
  const { requestBytesMax, requestBesideAttachmentsBytesMax: textsMax } = limits;
  if (isAmong(withAttachments)) return { bytesMax: limits.requestWithAttachmentsBytesMax, keptMax: textsMax };
  const bytesMax = isAmong(withTexts) ? textsMax : requestBytesMax;
  return { bytesMax, keptMax: bytesMax };
}

/** Returns the error for a body that is too large. It blames the files if they exceed their own limit, else the rest. */
function tooLarge({ fileTextBytes }: JsonShape): ApiError {
  return (fileTextBytes * 3) / 4 > limits.attachmentBytesMax
    ? new ApiError('attachment_too_large', { limit_bytes: limits.attachmentBytesMax })
    : new ApiError('payload_too_large', { limit_bytes: limits.requestBesideAttachmentsBytesMax });
}
