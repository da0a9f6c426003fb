/* An ACME server over real HTTPS. It really looks up challenges, at ports of this machine. */
import { once } from 'node:events';
import { Agent, createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { makeSelfSignedCertificate } from '../../../server/src/tls/tls-certificate.ts';
import { type AcmeOptions, AcmeResources } from './acme-resources.ts';
import { AcmeProblem } from './signed-request.ts';

const host = 'acme.test';

/** A response that a proxy in front gives instead of the server. */
export interface ProxyAnswer {
  status: number;
  headers?: Record<string, string>;
  /** How many requests get it; all of them if left out. */
  times?: number;
}

/** A running ACME server. */
export interface AcmeServer {
  directory: string;
  /** Connects to the server whatever host is asked for, and trusts it alone. */
  agent: Agent;
  resources: AcmeResources;
  /** Answers all requests in place of the server while it is set. */
  proxy: ProxyAnswer | null;
  /** Method and path of every request so far. */
  asked: string[];
  /** Refuses connections until `comeBack`. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the server on a free port of this machine. */
export async function startAcmeServer(options: AcmeOptions): Promise<AcmeServer> {
  const tls = makeSelfSignedCertificate(host, new Date());
  const resources = new AcmeResources(`https://${host}`, options);
  const server = createServer({ cert: tls.cert, key: tls.key }, async (req, res) => {
    const { method = '', url = '' } = req;
    acme.asked.push(`${method} ${url}`);
    const { proxy } = acme;
    if (proxy) {
      if (proxy.times !== undefined) proxy.times -= 1;
      if (proxy.times === 0) acme.proxy = null;
      return void res.writeHead(proxy.status, proxy.headers).end('Busy.');
    }
    res.setHeader('replay-nonce', resources.verifier.nonce());
    try {
      const { status = 200, location, body } = resources.answer(method, url, await text(req));
      const isChain = typeof body === 'string';
      if (location) res.setHeader('location', location);
      res.setHeader('content-type', isChain ? 'application/pem-certificate-chain' : 'application/json');
      res.writeHead(status).end(isChain ? body : JSON.stringify(body));
    } catch (error) {
      const problem =
        error instanceof AcmeProblem ? error : new AcmeProblem('serverInternal', `${error}`, 500);
      const type = `urn:ietf:params:acme:error:${problem.type}`;
      res.writeHead(problem.status, { 'content-type': 'application/problem+json' });
      res.end(JSON.stringify({ type, detail: problem.message }));
    }
  });
  const port = await listen(server, 0);
  const acme: AcmeServer = {
    directory: `https://${host}/directory`,
    agent: new Agent({ host: '127.0.0.1', port, ca: tls.cert }),
    resources,
    proxy: null,
    asked: [],
    goAway: () => end(server),
    comeBack: async () => void (await listen(server, port)),
    close: () => end(server),
  };
  return acme;
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function end(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
