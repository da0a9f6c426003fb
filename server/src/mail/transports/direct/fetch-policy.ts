import { isIP, type LookupFunction } from 'node:net';
import type { MTASTSPolicy as Policy } from 'mailauth';
import { parsePolicy } from 'mailauth/lib/mta-sts.js';
import { Agent, request } from 'undici';
import { findAddresses, type MailDns } from './dns-answers.ts';

/** The way to the web servers that have policies. */
export interface PolicyFetching {
  dns: MailDns;
  mayConnectTo(address: string): boolean;
  /** The port; 443 unless a test says otherwise. */
  port?: number | undefined;
  /** PEM of the authorities that certificates are checked against; those of Node by default. */
  ca?: string | undefined;
}

/** Fetches the policies of MTA-STS. */
export interface PolicyFetcher {
  /** Returns the policy that a domain publishes. Rejects if there is none, or it is not valid by RFC 8461, section 3. */
  fetch(domain: string): Promise<Policy>;
  close(): Promise<void>;
}

const wholeMs = 10_000;
const patternsMax = 100;
const policyBytesMax = 64 * 1024;

/** Creates a fetcher. Redirects are not followed, and certificates have to be valid. */
export function createPolicyFetcher({ dns, mayConnectTo, port = 443, ca }: PolicyFetching): PolicyFetcher {
  const lookup: LookupFunction = (host, _options, callback) => {
    findAddresses(dns, host, mayConnectTo).then(({ addresses, problem }) => {
      if (problem !== null) return callback(new Error(problem), '', 0);
      callback(
        null,
        addresses.map((address) => ({ address, family: isIP(address) })),
      );
    });
  };
  // A hanging server occupies only its own connection.
  const agent = new Agent({
    connections: null,
    allowH2: false,
    connect: { lookup, timeout: wholeMs, ...(ca && { ca }) },
  });
  return {
    fetch: async (domain) => {
      const url = `https://mta-sts.${domain}:${port}/.well-known/mta-sts.txt`;
      const signal = AbortSignal.timeout(wholeMs);
      const { statusCode, headers, body } = await request(url, { dispatcher: agent, signal });
      body.on('error', () => {});
      try {
        if (statusCode !== 200) throw new Error(`the answer of ${url} is ${statusCode}`);
        if (!/^text\/plain\s*(;|$)/i.test(String(headers['content-type'])))
          throw new Error(`the answer of ${url} is not text/plain`);
        const text = requireFewServers(await readText(body));
        const policy = parsePolicy(text, { strict: true });
        // Policies are kept, and a copy has no reference to the whole text.
        return JSON.parse(JSON.stringify(policy)) as Policy;
      } finally {
        body.destroy();
      }
    },
    close: () => agent.destroy(),
  };
}

/** The parser compares each name with those before it. */
function requireFewServers(text: string): string {
  if ((text.match(/^[ \t]*mx[ \t]*:/gim)?.length ?? 0) > patternsMax)
    throw new Error(`the policy names more than ${patternsMax} servers`);
  return text;
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > policyBytesMax) throw new Error(`the policy has more than ${policyBytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
