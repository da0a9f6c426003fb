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

/** The way out to URLs that callers gave. */
export interface Egress {
  /** Why a URL may not be posted to; null where it may. */
  findProblem(url: string): Promise<string | null>;
  /** Begins to post, and follows no redirect. */
  post(request: PostRequest): Post;
  /** Cuts what is under way and closes all connections. */
  close(): Promise<void>;
}

/** A connection that was idle for longer may be closed by the other side at the moment of its use. */
const keepAliveMs = 4_000;
const keepAliveMsMax = 60_000;

/** Opens the way out, to where `reach` says. */
export const openEgress = ({ reach, resolve }: { reach: Reach; resolve: DnsResolve }): Egress => {
  const rules: TargetRules = {
    reach,
    findAddresses: reach === 'private' ? findBySystem : findByDns(resolve),
  };
  const agent: Dispatcher = new Agent({
    // As many connections as posts: one that waited for its turn would do so within its own time.
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
};

/** As every program of this machine finds names, those of its own files too. It takes a thread while it waits. */
const findBySystem: FindAddresses = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/** By DNS alone and without threads, so that names whose DNS hangs keep nobody from reading files. */
const findByDns =
  (resolve: DnsResolve): FindAddresses =>
  async (hostname) => {
    const answers = await Promise.allSettled([resolve(hostname, 'A'), resolve(hostname, 'AAAA')]);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value.flat() : []));
    const [failed] = answers.filter((answer) => answer.status === 'rejected');
    if (found.length === 0 && failed) throw failed.reason;
    return found;
  };
