/*
 * How fast a workspace takes large mail, and mail of many parts: at the rate of its plan, as its requests, where so many bytes count
 * as one. Thus much mail for one workspace leaves time for that of others. Mails that came first go first, so that few are in memory
 * half read, and the beginning of each, which is all of most, does not wait. Each process counts what it takes.
 */
import { limits } from '@postrider/contract';
import type { MailTarget } from '../delivery/mail-target.ts';
import type { Deps } from '../deps.ts';
import { ByteFlow } from '../lib/byte-flow.ts';
import { createRecentMap } from '../lib/recent-map.ts';
import { planLimits } from '../workspaces/plan.ts';

/** Asked for each piece of a mail; null where it may be read on at once. */
export type PassPiece = (piece: Buffer) => Promise<unknown> | null;

export const mailPaceLimits: {
  /** Half of what counts as one request in an answer: twice this rate of text let other workspaces wait for over 0.1 s on two processors. */
  bytesPerRequest: number;
  /** So much of each mail does not wait. */
  beginningBytes: number;
  /** What a part of it counts for beside its bytes, as long as it may become a file: each takes a row and time. */
  partBytes: number;
  /** In all for one mail; clients wait for minutes (RFC 5321, section 4.5.3.2.5). */
  waitMsMax: number;
} = { bytesPerRequest: 131_072, beginningBytes: 65_536, partBytes: 8_192, waitMsMax: 30_000 };

const workspacesMax = 10_000;

/** Gives each mail that begins what tells it when it may be read on. */
export const createMailPace = ({ config }: Pick<Deps, 'config'>): ((targets: MailTarget[]) => PassPiece) => {
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
};

/** Says for each piece of a mail what it counts for: its bytes and parts, less what is left of the beginning. */
const createScale = (): ((piece: Buffer) => number) => {
  let total = 0;
  let parts = 0;
  return (piece) => {
    const partsBefore = parts;
    parts = Math.min(limits.inboundAttachmentsMax, parts + delimitersIn(piece));
    const totalBefore = total;
    total += piece.length + (parts - partsBefore) * mailPaceLimits.partBytes;
    return Math.max(0, total - Math.max(totalBefore, mailPaceLimits.beginningBytes));
  };
};

const delimiter = Buffer.from('\n--');

/** How many lines begin as those between parts do (RFC 2046, section 5.1.1); a few others count with them. */
const delimitersIn = (piece: Buffer): number => {
  let count = 0;
  for (let at = piece.indexOf(delimiter); at >= 0; at = piece.indexOf(delimiter, at + 1)) {
    count += 1;
    if (count === limits.inboundAttachmentsMax) break;
  }
  return count;
};
