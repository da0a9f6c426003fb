import * as z from 'zod';

/** Where DNS records are written: by signed updates to the server of a zone, or into a hosted zone of Amazon Route 53. */
export type DnsUpdate = Rfc2136<string> | { kind: 'route53'; hostedZoneId: string };

interface Rfc2136<Zone> {
  kind: 'rfc2136';
  host: string;
  port: number;
  keyName: string;
  secret: Buffer;
  zone: Zone;
}

/** As written; without a zone, it is for the mail domain. */
type DnsUpdateText = Rfc2136<string | null> | Exclude<DnsUpdate, { kind: 'rfc2136' }>;

const dnsPort = 53;
const secretBytesMin = 16;
/** Not parsed as a URL, because base64 has slashes. */
const rfc2136 =
  /^rfc2136:\/\/([^:@/\s]+):([^:@\s]+)@(\[[0-9a-f:.]+\]|[^:@/?\s[\]]+)(?::(\d{1,5}))?\/?(?:\?zone=([^&\s]+))?$/i;
const route53 = /^route53:\/\/(?:\/?hostedzone\/)?([A-Z0-9]{1,32})\/?$/;
const domain = /^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * The way in which records are published; null if the operator publishes them. No message repeats the value, because it contains a secret.
 */
export const dnsUpdate = z
  .string()
  .optional()
  .transform((value, issues): DnsUpdateText | null => {
    if (value === undefined) return null;
    const hostedZoneId = route53.exec(value)?.[1];
    if (hostedZoneId !== undefined) return { kind: 'route53', hostedZoneId };
    const update = value.toLowerCase().startsWith('rfc2136:') ? readRfc2136(value) : forms;
    if (typeof update !== 'string') return update;
    issues.addIssue(update);
    return z.NEVER;
  });

const forms =
  'must be rfc2136://keyname:base64secret@host:port, followed by ?zone=example.org if needed, or route53://HOSTEDZONEID';

/** Returns the problem if it cannot be read. */
function readRfc2136(value: string): DnsUpdateText | string {
  const [, keyName = '', encoded = '', host = '', port = String(dnsPort), zone] = rfc2136.exec(value) ?? [];
  if (host === '') return forms;
  if (!domain.test(plain(keyName))) return 'has a key whose name is not a domain name';
  const secret = readSecret(encoded);
  if (secret === null) return `has a secret that is not base64, or is shorter than ${secretBytesMin} bytes`;
  if (Number(port) < 1 || Number(port) > 65_535) return 'has a port that is not from 1 to 65535';
  if (zone !== undefined && !domain.test(plain(zone))) return 'has a zone that is not a domain name';
  return {
    kind: 'rfc2136',
    host: host.replace(/^\[|\]$/g, ''),
    port: Number(port),
    keyName: plain(keyName),
    secret,
    zone: zone === undefined ? null : plain(zone),
  };
}

/** Reads base64, in which `+`, `/` and `=` may be percent-encoded as in URLs. */
function readSecret(encoded: string): Buffer | null {
  const text = encoded.replace(/%(2B|2F|3D)/gi, (code) => decodeURIComponent(code));
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null;
  const secret = Buffer.from(text, 'base64');
  return secret.length >= secretBytesMin ? secret : null;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
