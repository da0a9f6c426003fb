/*
 * Amazon SNS as a subscriber sees it: it signs what it posts, provides its certificate by HTTPS under its own name, and accepts
 * confirmations. The agent connects to it whatever name is requested, and trusts no other server.
 */
import { generateKeyPairSync, randomUUID, sign, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { AsnConvert } from '@peculiar/asn1-schema';
import { Certificate, SubjectPublicKeyInfo } from '@peculiar/asn1-x509';
import { type SnsMessage, signedText } from '../../../server/src/mail/aws/sns-message.ts';
import { makeSelfSignedCertificate } from '../../../server/src/tls/tls-certificate.ts';

export const snsHost = 'sns.eu-west-1.amazonaws.com';
export const topicArn = 'arn:aws:sns:eu-west-1:123456789012:mail';
const certificatePath = '/SimpleNotificationService-abc123.pem';
export const certificateUrl = `https://${snsHost}${certificatePath}`;

/** The response of the service to a path. */
export interface SnsAnswer {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

/** A running service. */
export interface LocalSns {
  agent: Agent;
  /** Every requested path with its query, in order. */
  asked: string[];
  /** Responses by path. Other paths than that of the certificate respond with 200 by default. */
  answers: Map<string, SnsAnswer>;
  /** Returns a signed message in the form in which it is posted. */
  post(change?: Partial<SnsMessage>, made?: { version?: '1' | '2' }): string;
  close(): Promise<void>;
}

/** Starts the service on a free port of this machine. */
export async function startLocalSns(): Promise<LocalSns> {
  const tls = makeSelfSignedCertificate(snsHost, new Date());
  const { key, pem } = makeSigningKey(new Date());
  const asked: string[] = [];
  const answers = new Map<string, SnsAnswer>([[certificatePath, { status: 200, body: pem }]]);
  const server = createServer({ cert: tls.cert, key: tls.key }, (req, res) => {
    const url = req.url ?? '';
    asked.push(url);
    const { status, body, headers } = answers.get(url.split('?')[0] ?? '') ?? { status: 200, body: '<ok/>' };
    res.writeHead(status, headers).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    agent: new Agent({ host: '127.0.0.1', port, ca: tls.cert }),
    asked,
    answers,
    post: (change = {}, { version = '2' } = {}) => signMessage(key, version, change),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function signMessage(key: string, version: '1' | '2', change: Partial<SnsMessage>): string {
  const message = {
    Type: 'Notification',
    MessageId: randomUUID(),
    TopicArn: topicArn,
    Message: 'Hello',
    Timestamp: new Date().toISOString(),
    SignatureVersion: version,
    SigningCertURL: certificateUrl,
    Signature: '',
    ...change,
  } as SnsMessage;
  const signed = sign(version === '1' ? 'sha1' : 'sha256', Buffer.from(signedText(message)), key);
  return JSON.stringify({ ...message, Signature: message.Signature || signed.toString('base64') });
}

/** Creates an RSA key and a certificate of it with a given time. The signature of the certificate itself is not checked anywhere. */
export function makeSigningKey(at: Date): { key: string; pem: string } {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const { cert } = makeSelfSignedCertificate('sns.amazonaws.com', at);
  const { tbsCertificate, signatureAlgorithm, signatureValue } = AsnConvert.parse(
    new X509Certificate(cert).raw,
    Certificate,
  );
  tbsCertificate.subjectPublicKeyInfo = AsnConvert.parse(publicKey, SubjectPublicKeyInfo);
  // A new certificate is needed, because a parsed one keeps the bytes from which it was parsed.
  const certificate = new Certificate({ tbsCertificate, signatureAlgorithm, signatureValue });
  const der = Buffer.from(AsnConvert.serialize(certificate));
  const pem = `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`;
  return { key: privateKey, pem };
}
