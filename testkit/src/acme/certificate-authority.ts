/* A certificate authority: it signs what a request names, for as long as it is told. */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  verify,
  X509Certificate,
} from 'node:crypto';
import { CertificationRequest } from '@peculiar/asn1-csr';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  Extension,
  Extensions,
  GeneralName,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_subjectAltName,
  KeyIdentifier,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';

const commonNameId = '2.5.4.3';
const ecdsaWithSha256Id = '1.2.840.10045.4.3.2';
const extensionRequestId = '1.2.840.113549.1.9.14';
const authorityName = 'Test Authority';
const dayMs = 86_400_000;

/** How long a certificate is valid. */
interface Lifetime {
  notBefore: Date;
  notAfter: Date;
}

/** A running authority. */
export interface CertificateAuthority {
  /** Its own certificate, in PEM. */
  root: string;
  /** The name of its key in what it signs. */
  keyId: Buffer;
  /** Returns a certificate for the names of a request in DER, which must have signed itself. */
  issue(request: Uint8Array, lifetime: Lifetime): string;
  /** Returns the names that a request asks for. */
  readNames(request: Uint8Array): string[];
}

/** Creates an authority with a new key. */
export function createAuthority(): CertificateAuthority {
  const pair = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const keyId = randomBytes(20);
  const signed = (subject: string, key: SubjectPublicKeyInfo, lifetime: Lifetime, extensions: Extension[]) =>
    signCertificate(pair.privateKey, subject, key, lifetime, extensions);
  const root = signed(
    authorityName,
    AsnConvert.parse(pair.publicKey, SubjectPublicKeyInfo),
    { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + 3_650 * dayMs) },
    [extension(id_ce_basicConstraints, new BasicConstraints({ cA: true }))],
  );
  return {
    root,
    keyId,
    issue: (request, lifetime) => {
      const { certificationRequestInfo: info } = readRequest(request);
      const names = readNames(request);
      return signed(names[0] ?? '', info.subjectPKInfo, lifetime, [
        extension(id_ce_subjectAltName, alternativeNames(names)),
        extension(
          id_ce_authorityKeyIdentifier,
          new AuthorityKeyIdentifier({ keyIdentifier: new KeyIdentifier(new Uint8Array(keyId).buffer) }),
        ),
      ]);
    },
    readNames,
  };
}

function readRequest(request: Uint8Array): CertificationRequest {
  const read = AsnConvert.parse(request, CertificationRequest);
  const { certificationRequestInfo: info, certificationRequestInfoRaw: raw, signature } = read;
  const spki = Buffer.from(AsnConvert.serialize(info.subjectPKInfo));
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  const signed = new Uint8Array(raw ?? AsnConvert.serialize(info));
  if (!verify('sha256', signed, key, new Uint8Array(signature)))
    throw new Error('The request is not signed.');
  return read;
}

function readNames(request: Uint8Array): string[] {
  const { attributes } = readRequest(request).certificationRequestInfo;
  const [value] = attributes.find(({ type }) => type === extensionRequestId)?.values ?? [];
  if (!value) return [];
  const asked = AsnConvert.parse(value, Extensions).find(({ extnID }) => extnID === id_ce_subjectAltName);
  if (!asked) return [];
  return AsnConvert.parse(asked.extnValue.buffer, SubjectAlternativeName).map(({ dNSName }) => dNSName ?? '');
}

function signCertificate(
  privateKey: string,
  subject: string,
  subjectPublicKeyInfo: SubjectPublicKeyInfo,
  { notBefore, notAfter }: Lifetime,
  extensions: Extension[],
): string {
  const signatureAlgorithm = new AlgorithmIdentifier({ algorithm: ecdsaWithSha256Id });
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: new Uint8Array(serial).buffer,
    signature: signatureAlgorithm,
    issuer: commonName(authorityName),
    subject: commonName(subject),
    validity: new Validity({ notBefore, notAfter }),
    subjectPublicKeyInfo,
    extensions: new Extensions(extensions),
  });
  const signed = sign(
    'sha256',
    new Uint8Array(AsnConvert.serialize(tbsCertificate)),
    createPrivateKey(privateKey),
  );
  const signatureValue = new Uint8Array(signed).buffer;
  const certificate = new Certificate({ tbsCertificate, signatureAlgorithm, signatureValue });
  return new X509Certificate(Buffer.from(AsnConvert.serialize(certificate))).toString();
}

function alternativeNames(names: string[]): SubjectAlternativeName {
  return new SubjectAlternativeName(names.map((dNSName) => new GeneralName({ dNSName })));
}

function commonName(text: string): Name {
  const value = new AttributeValue({ utf8String: text });
  return new Name([
    new RelativeDistinguishedName([new AttributeTypeAndValue({ type: commonNameId, value })]),
  ]);
}

function extension(extnID: string, value: object): Extension {
  return new Extension({ extnID, critical: false, extnValue: new OctetString(AsnConvert.serialize(value)) });
}
