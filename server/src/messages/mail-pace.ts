/*
 * How fast a workspace takes large mail: at the rate of its plan, as its requests, where so many bytes count as one. Thus much mail
 * for one workspace leaves time for that of others. Mails that came first go first, so that few are in memory half read, and the
 * beginning of each, which is all of most, does not wait. Each process counts what it takes.
 */
import { limits } from '@postrider/contract';
import type { Deps } from '../deps.ts';
import { ByteFlow } from '../lib/byte-flow.ts';
import { createRecentMap } from '../lib/recent-map.ts';
import { planLimits } from '../workspaces/plan.ts';
import type { MailTarget } from './mail-target.ts';

/** Asked for each piece of a mail; null where it may be read on at once. */
export type PassPiece = (bytes: number) => Promise<unknown> | null;

export const mailPaceLimits: {
  /** So much of each mail does not wait. */
  beginningBytes: number;
  /** In all for one mail; clients wait for minutes (RFC 5321, section 4.5.3.2.5). */
  waitMsMax: number;
} = { beginningBytes: 65_536, waitMsMax: 30_000 };

const workspacesMax = 10_000;

/** Gives each mail that begins what tells it when it may be read on. */
export const createMailPace = ({ config }: Pick<Deps, 'config'>): ((targets: MailTarget[]) => PassPiece) => {
  if (!config.rateLimits) return () => () => null;
  const flows = createRecentMap<ByteFlow>(workspacesMax);
  const flowOf = ({ workspaceId, plan }: MailTarget): ByteFlow => {
    const bytesPerSecond =
      Math.max(1, planLimits({ plan, config }).requests_per_second) * limits.bytesPerRequest;
    const known = flows.get(workspaceId);
    const flow = known?.bytesPerSecond === bytesPerSecond ? known : new ByteFlow(bytesPerSecond);
    flows.set(workspaceId, flow);
    return flow;
  };
  let begun = 0;
  return (targets) => {
    const flowsOfMail = [...new Set(targets.map(flowOf))];
    const order = begun++;
    let total = 0;
    let waitedMs = 0;
    return (bytes) => {
      total += bytes;
      if (total <= mailPaceLimits.beginningBytes) return null;
      const counted = Math.min(bytes, total - mailPaceLimits.beginningBytes);
      const waitMsMax = mailPaceLimits.waitMsMax - waitedMs;
      const waits = flowsOfMail.flatMap((flow) => flow.pass({ bytes: counted, order, waitMsMax }) ?? []);
      if (waits.length === 0) return null;
      const since = performance.now();
      return Promise.all(waits).then(() => {
        waitedMs += performance.now() - since;
      });
    };
  };
};
