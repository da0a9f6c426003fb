/* An authenticator of WebAuthn in software, which can also do what real ones refuse to. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** The page on which a passkey is made or used, as the browser sees it. */
export interface AuthenticatorPage {
  origin: string;
  /** By default the host name of the origin. */
  rpId?: string;
  /** Whether the person has shown a finger or a PIN; true by default. */
  isVerified?: boolean;
  /** An attestation statement with this certificate. */
  certificate?: Buffer;
  userHandle?: string;
}

/** The options that the server sends for a ceremony. */
export interface CeremonyOptions {
  challenge: string;
  user?: { id: string };
}

/** One passkey. Its results are what `navigator.credentials` returns, as JSON. */
export interface SoftwarePasskey {
  readonly credentialId: string;
  /** Makes the passkey for the person of the options. */
  create(options: CeremonyOptions, page: AuthenticatorPage): Record<string, unknown>;
  /** Signs the challenge of the options. */
  use(options: CeremonyOptions, page: AuthenticatorPage): Record<string, unknown>;
  /** Returns a copy that does not know of later uses, as a thief would have it. */
  clone(): SoftwarePasskey;
}

const flag = { present: 1, verified: 4, attested: 64 };

/** Creates a passkey on P-256. Without `counts` its counter is always 0, as it is for those that are synchronised. */
export function softwarePasskey({ counts = true }: { counts?: boolean } = {}): SoftwarePasskey {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return makePasskey({ ...keys, id: randomBytes(32), counts, counter: 0, userHandle: '' });
}

interface State {
  publicKey: ReturnType<typeof generateKeyPairSync>['publicKey'];
  privateKey: ReturnType<typeof generateKeyPairSync>['privateKey'];
  id: Buffer;
  counts: boolean;
  counter: number;
  userHandle: string;
}

function makePasskey(state: State): SoftwarePasskey {
  const credentialId = state.id.toString('base64url');
  const result = (response: object) => ({
    id: credentialId,
    rawId: credentialId,
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });
  return {
    credentialId,
    create: (options, page) => {
      state.userHandle = options.user?.id ?? '';
      const attested = attestedData(state);
      const authData = Buffer.concat([header(state, page, flag.attested), attested]);
      const statement = page.certificate
        ? cborMap([
            [cborText('alg'), cborInteger(-7)],
            [cborText('sig'), cborBytes(Buffer.alloc(70))],
            [cborText('x5c'), Buffer.concat([Buffer.from([0x81]), cborBytes(page.certificate)])],
          ])
        : cborMap([]);
      const attestationObject = cborMap([
        [cborText('fmt'), cborText(page.certificate ? 'packed' : 'none')],
        [cborText('attStmt'), statement],
        [cborText('authData'), cborBytes(authData)],
      ]).toString('base64url');
      const clientDataJSON = clientData('webauthn.create', options, page).toString('base64url');
      return result({ clientDataJSON, attestationObject, transports: ['internal', 'hybrid'] });
    },
    use: (options, page) => {
      if (state.counts) state.counter += 1;
      const authenticatorData = header(state, page, 0);
      const client = clientData('webauthn.get', options, page);
      const signed = Buffer.concat([authenticatorData, sha256(client)]);
      return result({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: sign('sha256', signed, state.privateKey as never).toString('base64url'),
        userHandle: page.userHandle ?? state.userHandle,
      });
    },
    clone: () => makePasskey({ ...state }),
  };
}

function clientData(type: string, { challenge }: CeremonyOptions, { origin }: AuthenticatorPage): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

/** The part of the authenticator data that every ceremony has (WebAuthn level 3, section 6.1). */
function header(
  { counter }: State,
  { origin, rpId = new URL(origin).hostname, isVerified = true }: AuthenticatorPage,
  more: number,
): Buffer {
  const rest = Buffer.alloc(5);
  rest.writeUInt8(flag.present | (isVerified ? flag.verified : 0) | more);
  rest.writeUInt32BE(counter, 1);
  return Buffer.concat([sha256(Buffer.from(rpId)), rest]);
}

/** The credential with its public key in COSE (RFC 9053, section 7.1.1). */
function attestedData({ id, publicKey }: State): Buffer {
  const { x = '', y = '' } = (publicKey as { export(options: object): { x?: string; y?: string } }).export({
    format: 'jwk',
  });
  const length = Buffer.alloc(2);
  length.writeUInt16BE(id.length);
  const key = cborMap([
    [cborInteger(1), cborInteger(2)],
    [cborInteger(3), cborInteger(-7)],
    [cborInteger(-1), cborInteger(1)],
    [cborInteger(-2), cborBytes(Buffer.from(x, 'base64url'))],
    [cborInteger(-3), cborBytes(Buffer.from(y, 'base64url'))],
  ]);
  return Buffer.concat([Buffer.alloc(16), length, id, key]);
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** The first bytes of a CBOR item, whose value or length is below 65,536 (RFC 8949, section 3). */
function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}

function cborInteger(value: number): Buffer {
  return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
}

function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([cborHead(2, bytes.length), bytes]);
}

function cborText(text: string): Buffer {
  return Buffer.concat([cborHead(3, text.length), Buffer.from(text)]);
}

function cborMap(entries: [Buffer, Buffer][]): Buffer {
  return Buffer.concat([cborHead(5, entries.length), ...entries.flat()]);
}
