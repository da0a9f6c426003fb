import { createServer, type Server, type Socket } from 'node:net';
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';
import type { ServedCertificates } from '../../tls/served-certificates.ts';
import type { TlsCertificate } from '../../tls/tls-certificate.ts';
import { offersProtocol, peekHello } from './client-hello.ts';
import type { Connections } from './connections.ts';

/** The same for all ports. */
export const acceptOptions = { allowHalfOpen: true, noDelay: true };

/** Creates a server that accepts connections for an HTTP server at another port. */
export function createSecondServer(http: Server): Server {
  return createServer(acceptOptions, (socket) => void http.emit('connection', socket));
}

/** Which certificates connections get. */
export interface TlsOptions {
  certificates: ServedCertificates;
  /** The host whose certificate a client gets that asks for no other. */
  hostname: string | null;
  /** Returns the certificate for the challenge of an ACME server for a host; null if there is none. */
  findChallenge: ((hostname: string) => Promise<TlsCertificate | null>) | null;
}

/**
 * Creates a server that accepts connections with TLS for an HTTP server. That has them from their first byte on, so they count as its
 * connections during their handshake already, and its limits and its end hold for them.
 */
export function createTlsServer(http: Server, connections: Connections, options: TlsOptions): Server {
  const { findChallenge } = options;
  return createServer(acceptOptions, async (socket) => {
    // The encrypted socket reports the same error.
    socket.on('error', () => {});
    if (!findChallenge) return void http.emit('connection', encrypt(socket, options));
    connections.enterEarly(socket);
    const hello = await peekHello(socket);
    if (hello === null || socket.destroyed) return;
    // Node chooses the certificate before it reports which protocol the client requests.
    if (offersProtocol(hello, challengeProtocol)) return answerChallenge(socket, findChallenge);
    connections.leaveEarly(socket);
    http.emit('connection', encrypt(socket, options));
  });
}

function encrypt(socket: Socket, { certificates, hostname }: TlsOptions): TLSSocket {
  return new TLSSocket(socket, {
    isServer: true,
    secureContext: certificates.find(hostname).context,
    SNICallback: (servername, done) => done(null, certificates.find(servername, hostname).context),
    ALPNProtocols: ['http/1.1'],
  });
}

/** The protocol of ALPN by which an ACME server asks for the certificate of a challenge (RFC 8737). */
const challengeProtocol = 'acme-tls/1';
/** An ACME server only makes the handshake (RFC 8737, section 3). */
const challengeMs = 10_000;

function answerChallenge(socket: Socket, findChallenge: NonNullable<TlsOptions['findChallenge']>): void {
  const find = async (hostname: string): Promise<SecureContext> => {
    const found = await findChallenge(hostname);
    if (!found) throw new Error('There is no challenge for this host.');
    return createSecureContext({ cert: found.cert, key: found.key });
  };
  const encrypted = new TLSSocket(socket, {
    isServer: true,
    SNICallback: (servername, done) => void find(servername).then((context) => done(null, context), done),
    ALPNProtocols: [challengeProtocol],
  });
  encrypted.on('error', () => encrypted.destroy());
  setTimeout(() => encrypted.destroy(), challengeMs).unref();
}
