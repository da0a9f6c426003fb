import { WebhookVerificationError } from '../errors.ts';
import { deliveryHeaders } from '../generated/brand.ts';
import { type Bytes, fromBase64, fromHex } from './signature.ts';

/** Headers as a server or a test has them. Names may be in upper or lower case. */
export type DeliveryHeaders =
  | Headers
  | Iterable<readonly [string, string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The proof in a delivery's headers: signatures with a signed time (Standard Webhooks), or plain ones only.
 */
export type DeliveryProof =
  | { scheme: 'standard'; id: string; timestamp: string; signatures: Bytes[] }
  | { scheme: 'plain'; signatures: Bytes[] };

const names = { id: 'webhook-id', timestamp: 'webhook-timestamp', signature: 'webhook-signature' } as const;

/**
 * Returns the proof in the headers of a delivery. A plain signature without a signed time counts only if
 * replays are allowed. Throws a `WebhookVerificationError` if a header is missing or malformed.
 */
export function readProof(headers: DeliveryHeaders, allowsReplays: boolean): DeliveryProof {
  const all = collect(headers);
  const plain = all.get(deliveryHeaders.signature);
  const isStandard = Object.values(names).some((name) => all.has(name));
  if (plain !== undefined && !isStandard && allowsReplays) {
    return { scheme: 'plain', signatures: [plainSignature(plain)] };
  }
  const [id, timestamp, signature] = [names.id, names.timestamp, names.signature].map((name) => {
    const value = all.get(name);
    if (value !== undefined && value !== '') return value;
    const advice = plain === undefined ? 'it is not a delivery, or a proxy removed the header' : withoutTime;
    throw new WebhookVerificationError('missing_header', `The request has no ${name}: ${advice}.`);
  }) as [string, string, string];
  if (!/^\d{1,12}$/.test(timestamp)) throw malformed(names.timestamp, 'seconds since 1970');
  return { scheme: 'standard', id, timestamp, signatures: standardSignatures(signature) };
}

const withoutTime =
  `${deliveryHeaders.signature} alone does not prove when the delivery was signed, so this could be a copy of an old one. Pass on all ` +
  'headers of the request';

function collect(headers: DeliveryHeaders): Map<string, string> {
  const entries =
    Symbol.iterator in Object(headers)
      ? [...(headers as Iterable<readonly [string, string]>)]
      : Object.entries(headers ?? {});
  return new Map(
    entries.flatMap(([name, value]): [string, string][] => {
      const key = name.toLowerCase();
      if (value === undefined) return [];
      if (typeof value === 'string') return [[key, value.trim()]];
      // A header that occurs twice has no single value, so none of these headers may occur twice.
      return [[key, value.length === 1 ? (value[0] ?? '').trim() : value.join(', ')]];
    }),
  );
}

/**
 * Returns the signatures of version `v1`. During a rotation there is one for each secret. Other versions are
 * for future verifiers.
 */
function standardSignatures(text: string): Bytes[] {
  const signatures = text
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .map((part) => fromBase64(part.slice(3)))
    .filter((bytes) => bytes !== null);
  if (signatures.length === 0) throw malformed(names.signature, 'v1, and base64');
  return signatures;
}

function plainSignature(text: string): Bytes {
  const bytes = text.startsWith('sha256=') ? fromHex(text.slice('sha256='.length)) : null;
  if (bytes === null) throw malformed(deliveryHeaders.signature, 'sha256= and lower-case hex');
  return bytes;
}

function malformed(name: string, form: string): WebhookVerificationError {
  return new WebhookVerificationError('malformed_header', `The header ${name} is not ${form}.`);
}
