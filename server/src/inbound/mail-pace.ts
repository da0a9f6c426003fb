/*
 * Paces large mail and mail of many parts to the request rate of the workspace's plan, where a number of bytes counts as one request.
 * This leaves time for the mail of other workspaces. Earlier mails come first, so that few are in memory half read. The beginning of
 * a mail, which for most is all of it, never waits. Each process counts for itself.
 */
import { limits } from '@postrider/contract';
import type { MailTarget } from '../delivery/mail-target.ts';
import type { Deps } from '../deps.ts';
import { ByteFlow } from '../lib/admission/byte-flow.ts';
import { createRecentMap } from '../lib/recent-map.ts';
import { planLimits } from '../workspaces/plan.ts';

/** Called with each piece of a mail. Returns null if reading may go on at once, else a promise to wait for. */
export type PassPiece = (piece: Buffer) => Promise<unknown> | null;

export const mailPaceLimits: {
  /** Half of what counts as one request in a response: at twice this rate, text made other workspaces wait over 0.1 s on two processors. */
  bytesPerRequest: number;
  /** The beginning of each mail that does not wait. */
  beginningBytes: number;
  /** What a part counts for in addition to its bytes while it may still become a file: each file takes a row and time. */
  partBytes: number;
  /** The longest that one mail waits in all. Clients wait for minutes (RFC 5321, section 4.5.3.2.5). */
  waitMsMax: number;
} = { bytesPerRequest: 131_072, beginningBytes: 65_536, partBytes: 8_192, waitMsMax: 30_000 };

const workspacesMax = 10_000;

/** Returns a function that creates the pace of one mail. */
export function createMailPace({ config }: Pick<Deps, 'config'>): (targets: MailTarget[]) => PassPiece {
  if (!config.rateLimits) return () => () => null;
  const flows = createRecentMap<ByteFlow>(workspacesMax);
  const flowOf = ({ workspaceId, plan }: MailTarget): ByteFlow => {
    const bytesPerSecond =
      Math.max(1, planLimits({ plan, config }).requests_per_second) * mailPaceLimits.bytesPerRequest;
    const known = flows.get(workspaceId);
    const flow = known?.bytesPerSecond === bytesPerSecond ? known : new ByteFlow(bytesPerSecond);
    flows.set(workspaceId, flow);
    return flow;
  };
  let begun = 0;
  return (targets) => {
    const flowsOfMail = [...new Set(targets.map(flowOf))];
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
