import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { TlsCertificate } from './tls-certificate.ts';

/** Clients may ask for anything, and the check of a name throws for some of it. */
const hostPattern = /^[\w.-]{1,253}$/;

/** A certificate as handshakes need it. */
export interface ServedCertificate extends TlsCertificate {
  context: SecureContext;
  x509: X509Certificate;
}

/**
 * The certificates that this process presents. They may be replaced at any time: the next handshake has the new one, and open connections
 * keep theirs.
 */
export class ServedCertificates {
  #served: [ServedCertificate, ...ServedCertificate[]];
  readonly #listeners = new Set<() => void>();

  constructor(first: TlsCertificate) {
    this.#served = [prepare(first)];
  }

  /** Presents other certificates from now on. The first one is for clients that name no host of any. Throws if one cannot be used. */
  replace([first, ...others]: [TlsCertificate, ...TlsCertificate[]]): void {
    this.#served = [prepare(first), ...others.map(prepare)];
    for (const listener of this.#listeners) listener();
  }

  /** Returns the certificate for the first of some names that there is one for, such as the name that a client asked for. */
  find(...names: (string | null)[]): ServedCertificate {
    for (const name of names) {
      const found = name && hostPattern.test(name) && this.#served.find(({ x509 }) => x509.checkHost(name));
      if (found) return found;
    }
    return this.#served[0];
  }

  /** Calls a function after each replacement, until the returned function is called. */
  onReplaced(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

function prepare({ cert, key }: TlsCertificate): ServedCertificate {
  return {
    cert,
    key,
    context: createSecureContext({ cert, key, minVersion: 'TLSv1.2' }),
    x509: new X509Certificate(cert),
  };
}
