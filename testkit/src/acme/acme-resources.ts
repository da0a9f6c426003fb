/* The resources of an ACME server (RFC 8555) in memory, and renewal information (RFC 9773). */
import { type JsonWebKey, randomBytes, X509Certificate } from 'node:crypto';
import { identify } from '../../../server/src/tls/acme/renewal-info.ts';
import { createAuthority } from './certificate-authority.ts';
import { type ChallengePorts, type ChallengeType, lookUpChallenge } from './look-up-challenge.ts';
import { AcmeProblem, RequestVerifier, type SignedRequest, thumbprint } from './signed-request.ts';

/** How an ACME server issues. */
export interface AcmeOptions {
  now(): Date;
  lifetimeMs: number;
  /** The ports of this machine at which challenges are looked up, once they are known. */
  ports(): Promise<ChallengePorts>;
}

/** The response to a request. */
export interface AcmeAnswer {
  status?: number;
  location?: string;
  /** A text is a chain of certificates. */
  body: object | string;
}

interface Authorization {
  hostname: string;
  token: string;
  status: 'pending' | 'valid' | 'invalid';
  /** The type of the challenge that was looked up, and what was wrong. */
  tried: ChallengeType | null;
  error: { type: string; detail: string } | null;
}

interface Order {
  hostname: string;
  certificate: string | null;
}

type Route = (id: string, signed: SignedRequest) => AcmeAnswer;

/** The resources below one URL. An order and its authorization have the same id. */
export class AcmeResources {
  /** Every certificate that was issued, in order. */
  readonly issued: { hostname: string; cert: string; by: ChallengeType | null }[] = [];
  readonly accounts = new Map<string, JsonWebKey>();
  readonly authority = createAuthority();
  readonly verifier = new RequestVerifier((account) => this.accounts.get(account));
  /** Has certificates end so long after they are issued. */
  lifetimeMs: number;
  readonly #base: string;
  readonly #options: AcmeOptions;
  readonly #orders = new Map<string, Order>();
  readonly #authorizations = new Map<string, Authorization>();
  readonly #revoked = new Set<string>();
  readonly #routes: Record<string, Route> = {
    'new-account': (_id, signed) => this.#findAccount(signed),
    account: () => ({ body: { status: 'valid' } }),
    'new-order': (_id, signed) => this.#createOrder(signed),
    order: (id) => ({ body: this.#showOrder(id) }),
    authorization: (id) => ({ body: this.#showAuthorization(id) }),
    'http-01': (id, signed) => this.#take(id, 'http-01', signed),
    'tls-alpn-01': (id, signed) => this.#take(id, 'tls-alpn-01', signed),
    finalize: (id, signed) => this.#finalize(id, signed),
    certificate: (id) => ({ body: `${find(this.#orders, id).certificate}${this.authority.root}` }),
  };

  constructor(base: string, options: AcmeOptions) {
    this.#base = base;
    this.#options = options;
    this.lifetimeMs = options.lifetimeMs;
  }

  /** @throws AcmeProblem */
  answer(method: string, path: string, body: string): AcmeAnswer {
    const [, name = '', id = ''] = path.split('/');
    if (method === 'GET' && name === 'directory') return { body: this.#directory() };
    if (name === 'new-nonce') return { status: method === 'HEAD' ? 200 : 204, body: '' };
    if (method === 'GET' && name === 'renewal-info') return { body: this.#showWindow(id) };
    const route = this.#routes[name];
    if (!route || method !== 'POST')
      throw new AcmeProblem('malformed', `There is no ${method} ${path}.`, 404);
    return route(id, this.verifier.verify(body, this.#base + path));
  }

  revoke(cert: string): void {
    this.#revoked.add(cert);
  }

  #directory(): object {
    const url = (name: string) => `${this.#base}/${name}`;
    return {
      newNonce: url('new-nonce'),
      newAccount: url('new-account'),
      newOrder: url('new-order'),
      renewalInfo: url('renewal-info'),
      meta: { termsOfService: url('terms') },
    };
  }

  #findAccount({ key, payload }: SignedRequest): AcmeAnswer {
    const url = `${this.#base}/account/${thumbprint(key)}`;
    const isKnown = this.accounts.has(url);
    if (!isKnown && payload?.termsOfServiceAgreed !== true)
      throw new AcmeProblem('userActionRequired', 'Agree to the terms first.');
    this.accounts.set(url, key);
    return { status: isKnown ? 200 : 201, location: url, body: { status: 'valid' } };
  }

  #createOrder({ payload }: SignedRequest): AcmeAnswer {
    const { identifiers } = payload as { identifiers: [{ value: string }] };
    const [{ value: hostname }] = identifiers;
    const id = newId();
    const authorization = { hostname, token: newId(), status: 'pending', tried: null, error: null } as const;
    this.#authorizations.set(id, { ...authorization });
    this.#orders.set(id, { hostname, certificate: null });
    return { status: 201, location: `${this.#base}/order/${id}`, body: this.#showOrder(id) };
  }

  #take(id: string, type: ChallengeType, { key, payload }: SignedRequest): AcmeAnswer {
    const authorization = find(this.#authorizations, id);
    if (payload && authorization.status === 'pending' && authorization.tried === null) {
      authorization.tried = type;
      void this.#validate(authorization, type, `${authorization.token}.${thumbprint(key)}`);
    }
    return { body: this.#showChallenge(id, type) };
  }

  async #validate(
    authorization: Authorization,
    type: ChallengeType,
    keyAuthorization: string,
  ): Promise<void> {
    const { hostname, token } = authorization;
    try {
      await lookUpChallenge(type, await this.#options.ports(), { hostname, token, keyAuthorization });
      authorization.status = 'valid';
    } catch (error) {
      const detail = (error as Error).message;
      authorization.error = { type: 'urn:ietf:params:acme:error:unauthorized', detail };
      authorization.status = 'invalid';
    }
  }

  #finalize(id: string, { payload }: SignedRequest): AcmeAnswer {
    const order = find(this.#orders, id);
    const { status, tried } = find(this.#authorizations, id);
    const request = Buffer.from(String(payload?.csr), 'base64url');
    if (status !== 'valid') throw new AcmeProblem('orderNotReady', 'The order is not ready.', 403);
    if (this.authority.readNames(request).join() !== order.hostname)
      throw new AcmeProblem('badCSR', 'The request names other hosts than the order.');
    const notBefore = this.#options.now();
    const notAfter = new Date(notBefore.getTime() + this.lifetimeMs);
    order.certificate = this.authority.issue(request, { notBefore, notAfter });
    this.issued.push({ hostname: order.hostname, cert: order.certificate, by: tried });
    return { body: this.#showOrder(id) };
  }

  #showOrder(id: string): object {
    const { hostname, certificate } = find(this.#orders, id);
    const { status } = find(this.#authorizations, id);
    return {
      status: certificate ? 'valid' : status === 'valid' ? 'ready' : status,
      identifiers: [{ type: 'dns', value: hostname }],
      authorizations: [`${this.#base}/authorization/${id}`],
      finalize: `${this.#base}/finalize/${id}`,
      ...(certificate && { certificate: `${this.#base}/certificate/${id}` }),
    };
  }

  #showAuthorization(id: string): object {
    const { hostname, status } = find(this.#authorizations, id);
    const types: ChallengeType[] = ['http-01', 'tls-alpn-01'];
    return {
      identifier: { type: 'dns', value: hostname },
      status,
      challenges: types.map((type) => this.#showChallenge(id, type)),
    };
  }

  #showChallenge(id: string, type: ChallengeType): object {
    const { status, token, tried, error } = find(this.#authorizations, id);
    const own = tried === type ? { status, ...(error && { error }) } : { status: 'pending' };
    return { type, url: `${this.#base}/${type}/${id}`, token, ...own };
  }

  #showWindow(id: string): object {
    const found = this.issued.find(({ cert }) => identify(cert) === id);
    if (!found) throw new AcmeProblem('malformed', 'There is no such certificate.', 404);
    const { validFromDate, validToDate } = new X509Certificate(found.cert);
    const lastThird = new Date(validToDate.getTime() - (validToDate.getTime() - validFromDate.getTime()) / 3);
    const start = this.#revoked.has(found.cert) ? validFromDate : lastThird;
    return { suggestedWindow: { start: start.toISOString(), end: validToDate.toISOString() } };
  }
}

function newId(): string {
  return randomBytes(12).toString('base64url');
}

function find<T>(map: Map<string, T>, id: string): T {
  const found = map.get(id);
  if (!found) throw new AcmeProblem('malformed', 'There is no such resource.', 404);
  return found;
}
