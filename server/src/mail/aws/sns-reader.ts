/*
 * Messages of Amazon SNS, each believed only when its signature is that of a certificate which SNS itself hands out, over TLS,
 * under the one name that it has in the region. What a stranger posts costs a look at two of its fields.
 */
import { verify, X509Certificate } from 'node:crypto';
import type { Agent } from 'node:https';
import { createRecentMap } from '../../lib/recent-map.ts';
import { getHttps } from './get-https.ts';
import {
  isCertificateUrl,
  isSubscribeUrl,
  parseSnsMessage,
  type SnsMessage,
  signedTextOf,
} from './sns-message.ts';

/** Whose messages are read. */
export interface SnsSettings {
  region: string;
  /** The topics that are listened to. */
  topicArns: string[];
  agent: Agent;
  now(): Date;
}

/** Thrown for a message that is not to be believed; `field` is the one that shows it. */
export class SnsRefused extends Error {
  override name = 'SnsRefused' as const;
  readonly field: string;
  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** Thrown when SNS could not be asked: the message may be good. */
export class SnsAway extends Error {
  override name = 'SnsAway' as const;
}

/** Reads what SNS posts. */
export interface SnsReader {
  /**
   * The message in a body, once it is known to come from SNS.
   *
   * @throws SnsRefused for one that does not, or is of another topic; SnsAway when its certificate cannot be had.
   */
  read(body: string): Promise<SnsMessage>;
  /**
   * Confirms the subscription that a message of this reader asks to confirm.
   *
   * @throws SnsAway when SNS does not take it.
   */
  confirm(message: Extract<SnsMessage, { SubscribeURL: string }>): Promise<void>;
}

const getTimeoutMs = 5_000;
const answerBytesMax = 65_536;
const certificatesMax = 20;
const fetchesMax = 4;

/** A reader of messages of some topics in one region. */
export const createSnsReader = (settings: SnsSettings): SnsReader => {
  const { region, topicArns, now } = settings;
  const fetchText = (url: string) => fetchFromSns(url, settings.agent);
  const certificateOf = createCertificates(fetchText);
  return {
    read: async (body) => {
      const message = parseSnsMessage(body);
      if (!message) throw new SnsRefused('', 'is not a message of Amazon SNS');
      if (!topicArns.includes(message.TopicArn))
        throw new SnsRefused('TopicArn', 'is not a topic that is listened to');
      if (!isCertificateUrl(message.SigningCertURL, region))
        throw new SnsRefused('SigningCertURL', `is not a certificate of Amazon SNS in ${region}`);
      requireSigned(message, await certificateOf(message.SigningCertURL), now());
      return message;
    },
    confirm: async ({ SubscribeURL, TopicArn }) => {
      if (!isSubscribeUrl(SubscribeURL, region, TopicArn))
        throw new SnsRefused('SubscribeURL', 'does not confirm a subscription to the topic');
      await fetchText(SubscribeURL);
    },
  };
};

const requireSigned = (message: SnsMessage, certificate: X509Certificate, now: Date): void => {
  if (now < certificate.validFromDate || now > certificate.validToDate)
    throw new SnsRefused('SigningCertURL', 'is a certificate that is not valid now');
  const algorithm = message.SignatureVersion === '1' ? 'sha1' : 'sha256';
  const signature = Buffer.from(message.Signature, 'base64');
  if (!verify(algorithm, Buffer.from(signedTextOf(message)), certificate.publicKey, signature))
    throw new SnsRefused('Signature', 'is not that of the message');
};

const fetchFromSns = async (url: string, agent: Agent): Promise<Buffer> => {
  try {
    return await getHttps(url, { agent, timeoutMs: getTimeoutMs, bytesMax: answerBytesMax });
  } catch (error) {
    throw new SnsAway('Amazon SNS did not answer as it should.', { cause: error });
  }
};

/** Certificates by their URLs, each fetched once; few at a time, since whoever knows a topic can name others. */
const createCertificates = (fetchText: (url: string) => Promise<Buffer>) => {
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
};

const readCertificate = (pem: Buffer): X509Certificate => {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw new SnsAway('Amazon SNS answered no certificate.', { cause: error });
  }
};
