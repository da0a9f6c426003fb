/* Requests by HTTPS to a port of this machine, for tests of certificates. */
import { Agent, type AgentOptions, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { connect, type TLSSocket } from 'node:tls';

const host = '127.0.0.1';

/** A response with the connection that it came by. */
export interface HttpsAnswer {
  status: number | undefined;
  body: string;
  socket: TLSSocket;
}

/** A request to a port of this machine. */
export interface HttpsRequest {
  port: number;
  path: string;
  agent: Agent;
  key?: string;
  body?: object;
  accept?: string;
}

/** Creates an agent that trusts an authority alone, and asks for the certificate of a host. */
export function agentFor(ca: string, servername: string, options: AgentOptions = {}): Agent {
  return new Agent({ ca, servername, ...options });
}

/** Sends a request: a POST if it has a body. Rejects if the certificate of the server is not valid for the agent. */
export function askByHttps({
  port,
  path,
  agent,
  key,
  body,
  accept = '*/*',
}: HttpsRequest): Promise<HttpsAnswer> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept };
  const method = body ? 'POST' : 'GET';
  return new Promise((resolve, reject) => {
    const sent = request({ host, port, path, agent, headers, method }, async (res) => {
      // A connection that is kept leaves its response at the end.
      const socket = res.socket as TLSSocket;
      resolve({ status: res.statusCode, body: await text(res), socket });
    });
    sent.on('error', reject).end(body && JSON.stringify(body));
  });
}

/** Returns the SHA-256 of the certificate that a port presents to a client that asks for a host, or for none. */
export function findPresented(port: number, servername?: string): Promise<string | undefined> {
  const names = servername === undefined ? {} : { servername };
  const socket = connect({ host, port, rejectUnauthorized: false, ...names });
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.once('secureConnect', () => {
      resolve(socket.getPeerX509Certificate()?.fingerprint256);
      socket.destroy();
    });
  });
}
