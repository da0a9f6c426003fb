import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  BasicConstraints,
  Certificate,
  Extension,
  Extensions,
  GeneralName,
  id_ce_basicConstraints,
  id_ce_subjectAltName,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';

/** A certificate and its private key, both PEM. */
export interface TlsCertificate {
  cert: string;
  key: string;
}

const commonNameId = '2.5.4.3';
const ecdsaWithSha256Id = '1.2.840.10045.4.3.2';
const commonNameLengthMax = 64;
const dayMs = 86_400_000;
/** Mail servers do not check the certificate of opportunistic TLS (RFC 7435), so an expiry would only break what works. */
const validDays = 3_650;

/**
 * A new self-signed certificate (P-256) for a host name or IP address, valid from the day before `now` for ten years: for
 * STARTTLS where the operator has configured none. `extensions` are added to its own ones.
 */
export function makeSelfSignedCertificate(
  hostname: string,
  now: Date,
  extensions: Extension[] = [],
): TlsCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const tbs = describeCertificate(hostname, now, publicKey, extensions);
  const signatureAlgorithm = new AlgorithmIdentifier({ algorithm: ecdsaWithSha256Id });
  const signatureValue = sign(
    'sha256',
    new Uint8Array(AsnConvert.serialize(tbs)),
    createPrivateKey(privateKey),
  );
  const certificate = new Certificate({
    tbsCertificate: tbs,
    signatureAlgorithm,
    signatureValue: toArrayBuffer(signatureValue),
  });
  return { cert: toPem(new Uint8Array(AsnConvert.serialize(certificate))), key: privateKey };
}

function describeCertificate(
  hostname: string,
  now: Date,
  publicKey: Buffer,
  extensions: Extension[],
): TBSCertificate {
  const name = commonName(hostname);
  return new TBSCertificate({
    version: Version.v3,
    serialNumber: makeSerialNumber(),
    signature: new AlgorithmIdentifier({ algorithm: ecdsaWithSha256Id }),
    issuer: name,
    subject: name,
    validity: new Validity({
      notBefore: new Date(now.getTime() - dayMs),
      notAfter: new Date(now.getTime() + validDays * dayMs),
    }),
    subjectPublicKeyInfo: AsnConvert.parse(toArrayBuffer(publicKey), SubjectPublicKeyInfo),
    extensions: new Extensions([
      extension(id_ce_basicConstraints, true, new BasicConstraints({ cA: false })),
      extension(id_ce_subjectAltName, false, new SubjectAlternativeName([alternativeName(hostname)])),
      ...extensions,
    ]),
  });
}

function commonName(hostname: string): Name {
  // RFC 5280, appendix A.1 bounds a common name; the whole host name is in the alternative name.
  const value = new AttributeValue({ utf8String: hostname.slice(0, commonNameLengthMax) });
  return new Name([
    new RelativeDistinguishedName([new AttributeTypeAndValue({ type: commonNameId, value })]),
  ]);
}

function alternativeName(hostname: string): GeneralName {
  return isIP(hostname) ? new GeneralName({ iPAddress: hostname }) : new GeneralName({ dNSName: hostname });
}

/** Returns an extension of a certificate with a value that ASN.1 describes. */
export function extension(extnID: string, critical: boolean, value: object): Extension {
  return new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

/** Positive and without a leading zero byte (RFC 5280, section 4.1.2.2). */
function makeSerialNumber(): ArrayBuffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return toArrayBuffer(bytes);
}

function toArrayBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

function toPem(der: Uint8Array): string {
  const base64 = Buffer.from(der).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`;
}
