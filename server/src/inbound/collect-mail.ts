/*
 * Reads a mail from its client into memory. Earlier mails come first, so that few are half read in memory.
 *
 * Large mail and mail with many parts is slowed down to the request rate of the workspace's plan, where a number of bytes counts as one
 * request. This leaves time for the mail of other workspaces. The beginning of a mail, which is all of it for most mail, never waits. Each
 * process counts separately.
 */
import type { Readable } from 'node:stream';
import { limits } from '@postrider/contract';
import type { MailTarget } from '../delivery/ingest-report.ts';
import type { Deps } from '../deps.ts';
import { ByteFlow } from '../lib/admission/rate.ts';
import { collectedMailSlots } from '../lib/admission/server-limits.ts';
import { type Release, type SlotLimits, Slots } from '../lib/admission/slots.ts';
import { clientOf, isLoopback } from '../lib/ip-address.ts';
import { createRecentMap } from '../lib/memory.ts';
import { planLimits } from '../workspaces/usage.ts';
import { mailPaceLimits, pieceBytes } from './limits.ts';

/** Called with each piece of a mail. Returns null if reading can continue at once, otherwise a promise to wait for. */
export type PassPiece = (piece: Buffer) => Promise<unknown> | null;

/** A mail as its client sends it. */
interface MailOnItsWay {
  remoteAddress: string;
  stream: Readable;
  /** Called before each further piece is read. */
  passPiece?: PassPiece;
}

/** A whole mail in memory. Its space is reserved until it is released. */
export interface CollectedMail {
  raw: Buffer;
  release: Release;
}

/** Collects the whole mail of a client. Returns null if there is no room for the mail. */
export type CollectMail = (mail: MailOnItsWay) => Promise<CollectedMail | null>;

const thisMachine = 'this machine';

/**
 * Creates a function that collects mails in memory. A mail occupies its share from its first byte until it was used or its client
 * disconnects. One client gets at most half of the memory, so that none can lock out the others, unless it is on this machine. The stream
 * of a mail that finds no room is destroyed.
 */
export function createMailCollector(room: SlotLimits = collectedMailSlots): CollectMail {
  const slots = new Slots(room, { ofOwner: (owner) => (owner === thisMachine ? room.slots : room.ofOwner) });
  return async ({ remoteAddress, stream, passPiece = () => null }) => {
    const owner = isLoopback(remoteAddress) ? thisMachine : clientOf(remoteAddress);
    const held: Release[] = [];
    const release = () => {
      for (const letGo of held) letGo();
    };
    const reserve = (bytes: number): boolean => {
      const taken = slots.tryTake(owner, bytes);
      if (taken) held.push(taken);
      return taken !== null;
    };
    try {
      const raw = await collect(stream, reserve, passPiece);
      if (raw) return { raw, release };
    } catch (error) {
      release();
      throw error;
    }
    release();
    return null;
  };
}

/** A separate function, so that the pieces can be freed once they are one buffer. */
async function collect(
  stream: Readable,
  reserve: (bytes: number) => boolean,
  passPiece: PassPiece,
): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  for await (const piece of stream as AsyncIterable<Buffer>) {
    if (!reserve(piece.length + pieceBytes)) return null;
    pieces.push(piece);
    const wait = passPiece(piece);
    if (wait) await wait;
  }
  return Buffer.concat(pieces);
}

/** Returns a function that creates the pace of one mail. */
export function createMailPace({ config }: Pick<Deps, 'config'>): (targets: MailTarget[]) => PassPiece {
  if (!config.rateLimits) return () => () => null;
  const flows = createRecentMap<ByteFlow>(mailPaceLimits.workspacesMax);
  const findFlow = ({ workspaceId, plan }: MailTarget): ByteFlow => {
    const bytesPerSecond =
      Math.max(1, planLimits({ plan, config }).requests_per_second) * mailPaceLimits.bytesPerRequest;
    const before = flows.get(workspaceId);
    const flow = before?.bytesPerSecond === bytesPerSecond ? before : new ByteFlow(bytesPerSecond);
    flows.set(workspaceId, flow);
    return flow;
  };
  let begun = 0;
  return (targets) => {
    const flowsOfMail = [...new Set(targets.map(findFlow))];
    const order = begun++;
    const weigh = createScale();
    let waitedMs = 0;
    return (piece) => {
      const bytes = weigh(piece);
      if (bytes === 0) return null;
      const waitMsMax = mailPaceLimits.waitMsMax - waitedMs;
      const waits = flowsOfMail.flatMap((flow) => flow.pass({ bytes, order, waitMsMax }) ?? []);
      if (waits.length === 0) return null;
      const since = performance.now();
      return Promise.all(waits).then(() => {
        waitedMs += performance.now() - since;
      });
    };
  };
}

/** Returns a function that weighs each piece of a mail: its bytes and parts, less what is left of the beginning. */
function createScale(): (piece: Buffer) => number {
  let total = 0;
  let parts = 0;
  return (piece) => {
    const partsBefore = parts;
    parts = Math.min(limits.inboundAttachmentsMax, parts + delimitersIn(piece));
    const totalBefore = total;
    total += piece.length + (parts - partsBefore) * mailPaceLimits.partBytes;
    return Math.max(0, total - Math.max(totalBefore, mailPaceLimits.beginningBytes));
  };
}

const delimiter = Buffer.from('\n--');

/** Counts the lines that look like delimiters of parts (RFC 2046, section 5.1.1), which includes a few others. */
function delimitersIn(piece: Buffer): number {
  let count = 0;
  for (let at = piece.indexOf(delimiter); at >= 0; at = piece.indexOf(delimiter, at + 1)) {
    count += 1;
    if (count === limits.inboundAttachmentsMax) break;
  }
  return count;
}
