import { lookup } from 'node:dns/promises';
import { Agent, type Dispatcher } from 'undici';
import type { DnsResolve } from '../mail/authenticate/ask-dns.ts';
import {
  type FindAddresses,
  findTargetProblem,
  guardedLookup,
  type Reach,
  type TargetRules,
} from './check-target.ts';
import { type Post, type PostRequest, postTo } from './post.ts';

/** Posts to URLs that callers gave. */
export interface Egress {
  /** Returns why a URL may not be posted to, or null if it may. */
  findProblem(url: string): Promise<string | null>;
  /** Starts a post. Redirects are not followed. */
  post(request: PostRequest): Post;
  /** Cuts the posts under way and closes all connections. */
  close(): Promise<void>;
}

/** A connection that was idle for longer may be closed by the other side at the moment of its use. */
const keepAliveMs = 4_000;
const keepAliveMsMax = 60_000;

/** Creates an egress whose posts may go where `reach` allows. */
export function openEgress({ reach, resolve }: { reach: Reach; resolve: DnsResolve }): Egress {
  const rules: TargetRules = {
    reach,
    findAddresses: reach === 'private' ? findBySystem : findByDns(resolve),
  };
  const agent: Dispatcher = new Agent({
    // There are as many connections as posts, because a post that waited for a connection would lose time of its own limit.
    connections: null,
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMsMax,
    allowH2: false,
    // Each post has one time limit of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { lookup: guardedLookup(rules), timeout: 10_000 },
  });
  return {
    findProblem: (url) => findTargetProblem(url, rules),
    post: (request) => postTo(agent, rules, request),
    close: () => agent.destroy(),
  };
}

/** Finds names as every program of this machine does, including those in its own files. It occupies a thread while it waits. */
const findBySystem: FindAddresses = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/** Finds names by DNS alone and without threads, so that names whose DNS hangs do not keep others from reading files. */
function findByDns(resolve: DnsResolve): FindAddresses {
  return async (hostname) => {
    const answers = await Promise.allSettled([resolve(hostname, 'A'), resolve(hostname, 'AAAA')]);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value.flat() : []));
    const [failed] = answers.filter((answer) => answer.status === 'rejected');
    if (found.length === 0 && failed) throw failed.reason;
    return found;
  };
}
