/* The signed requests of ACME (RFC 8555, section 6.2): JWS with a key or the URL of an account, and a nonce. */
import { createHash, createPublicKey, type JsonWebKey, randomBytes, verify } from 'node:crypto';

/** An error of ACME (RFC 8555, section 6.7). */
export class AcmeProblem extends Error {
  readonly type: string;
  readonly status: number;
  constructor(type: string, detail: string, status = 400) {
    super(detail);
    this.type = type;
    this.status = status;
  }
}

/** A request whose signature is valid. */
export interface SignedRequest {
  /** Null for a POST-as-GET. */
  payload: Record<string, unknown> | null;
  key: JsonWebKey;
}

/** The protected header of a request. */
interface Head {
  alg?: string;
  jwk?: JsonWebKey;
  kid?: string;
  nonce?: string;
  url?: string;
}

/** Gives out nonces and checks requests. */
export class RequestVerifier {
  readonly #nonces = new Set<string>();
  readonly #keyOf: (account: string) => JsonWebKey | undefined;

  /** `keyOf` returns the key of an account by its URL. */
  constructor(keyOf: (account: string) => JsonWebKey | undefined) {
    this.#keyOf = keyOf;
  }

  nonce(): string {
    const nonce = randomBytes(16).toString('base64url');
    this.#nonces.add(nonce);
    return nonce;
  }

  /** @throws AcmeProblem */
  verify(body: string, url: string): SignedRequest {
    const { protected: head, payload, signature } = JSON.parse(body) as Record<string, string>;
    const { alg, jwk, kid = '', nonce = '', url: signedUrl } = decode(head ?? '') as Head;
    if (!this.#nonces.delete(nonce)) throw new AcmeProblem('badNonce', 'This nonce was not given out.');
    if (signedUrl !== url)
      throw new AcmeProblem('unauthorized', `This is ${url}, and not ${signedUrl}.`, 401);
    const key: JsonWebKey | undefined = jwk ?? this.#keyOf(kid);
    if (!key) throw new AcmeProblem('accountDoesNotExist', `There is no account ${kid}.`);
    const isValid =
      alg === 'ES256' &&
      verify(
        'sha256',
        Buffer.from(`${head}.${payload}`),
        { key: createPublicKey({ key, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
        Buffer.from(signature ?? '', 'base64url'),
      );
    if (!isValid) throw new AcmeProblem('malformed', 'The signature is not valid.');
    return { payload: payload ? decode(payload) : null, key };
  }
}

/** Returns the thumbprint of a key (RFC 7638). */
export function thumbprint({ crv, kty, x, y }: JsonWebKey): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
}

function decode(text: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Record<string, unknown>;
}
