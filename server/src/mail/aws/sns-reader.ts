/*
 * Reads messages of Amazon SNS. A message is trusted only if its signature belongs to a certificate that SNS itself serves, over TLS, under
 * its one host name in the region. A stranger's message costs no more than a check of two of its fields.
 */
import { verify, X509Certificate } from 'node:crypto';
import type { Agent } from 'node:https';
import { getHttps } from '../../lib/get-https.ts';
import { createRecentMap } from '../../lib/memory.ts';
import {
  isCertificateUrl,
  isSubscribeUrl,
  parseSnsMessage,
  type SnsMessage,
  signedText,
} from './sns-message.ts';

/** The topics whose messages are read, and how. */
export interface SnsSettings {
  region: string;
  /** The topics whose messages are accepted. */
  topicArns: string[];
  agent: Agent;
  now(): Date;
}

/** Thrown for a message that cannot be trusted; `field` is the one that shows it. */
export class SnsRefused extends Error {
  override name = 'SnsRefused' as const;
  readonly field: string;
  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** Thrown if SNS could not be reached. The message itself may be genuine. */
export class SnsAway extends Error {
  override name = 'SnsAway' as const;
}

/** Reads the messages that SNS posts. */
export interface SnsReader {
  /**
   * Returns the message in a body, once it is known to come from SNS.
   *
   * @throws SnsRefused if it does not, or belongs to another topic; SnsAway if its certificate cannot be fetched.
   */
  read(body: string): Promise<SnsMessage>;
  /**
   * Confirms the subscription that a message of this reader asks to confirm.
   *
   * @throws SnsAway if SNS does not accept it.
   */
  confirm(message: Extract<SnsMessage, { SubscribeURL: string }>): Promise<void>;
}

/** SNS stops trying well before. An old message that is posted again is not its doing. */
const ageMsMax = 24 * 3_600_000;
const getTimeoutMs = 5_000;
const answerBytesMax = 65_536;
const certificatesMax = 20;
const fetchesMax = 4;

/** Creates a reader for the messages of some topics in one region. */
export function createSnsReader(settings: SnsSettings): SnsReader {
  const { region, topicArns, now } = settings;
  const fetchText = (url: string) => fetchFromSns(url, settings.agent);
  const findCertificate = createCertificates(fetchText);
  return {
    read: async (body) => {
      const message = parseSnsMessage(body);
      if (!message) throw new SnsRefused('', 'is not a message of Amazon SNS');
      if (!topicArns.includes(message.TopicArn))
        throw new SnsRefused('TopicArn', 'is not a topic that is listened to');
      if (!isCertificateUrl(message.SigningCertURL, region))
        throw new SnsRefused('SigningCertURL', `is not a certificate of Amazon SNS in ${region}`);
      requireSigned(message, await findCertificate(message.SigningCertURL), now());
      return message;
    },
    confirm: async ({ SubscribeURL, TopicArn }) => {
      if (!isSubscribeUrl(SubscribeURL, region, TopicArn))
        throw new SnsRefused('SubscribeURL', 'does not confirm a subscription to the topic');
      await fetchText(SubscribeURL);
    },
  };
}

function requireSigned(message: SnsMessage, certificate: X509Certificate, now: Date): void {
  if (now < certificate.validFromDate || now > certificate.validToDate)
    throw new SnsRefused('SigningCertURL', 'is a certificate that is not valid now');
  const algorithm = message.SignatureVersion === '1' ? 'sha1' : 'sha256';
  const signature = Buffer.from(message.Signature, 'base64');
  if (!verify(algorithm, Buffer.from(signedText(message)), certificate.publicKey, signature))
    throw new SnsRefused('Signature', 'is not that of the message');
  // A time that cannot be read fails the comparison, too.
  if (!(now.getTime() - Date.parse(message.Timestamp) <= ageMsMax))
    throw new SnsRefused('Timestamp', 'is more than 24 hours ago');
}

async function fetchFromSns(url: string, agent: Agent): Promise<Buffer> {
  try {
    return await getHttps(url, { agent, timeoutMs: getTimeoutMs, bytesMax: answerBytesMax });
  } catch (error) {
    throw new SnsAway('Amazon SNS did not answer as it should.', { cause: error });
  }
}

/**
 * Creates a function that returns the certificate at a URL. Each is fetched once, and few at a time, since anyone who knows a topic can
 * name other URLs.
 */
function createCertificates(fetchText: (url: string) => Promise<Buffer>) {
  const known = createRecentMap<X509Certificate>(certificatesMax);
  const underway = new Map<string, Promise<X509Certificate>>();
  const load = async (url: string): Promise<X509Certificate> => {
    try {
      const certificate = readCertificate(await fetchText(url));
      known.set(url, certificate);
      return certificate;
    } finally {
      underway.delete(url);
    }
  };
  return async (url: string): Promise<X509Certificate> => {
    const found = known.get(url) ?? underway.get(url);
    if (found) return found;
    if (underway.size >= fetchesMax) throw new SnsAway('Too many certificates are asked for at once.');
    const loading = load(url);
    underway.set(url, loading);
    return loading;
  };
}

function readCertificate(pem: Buffer): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw new SnsAway('Amazon SNS answered no certificate.', { cause: error });
  }
}
