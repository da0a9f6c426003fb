import * as z from 'zod';

const text = z.string();
const shared = {
  MessageId: text,
  TopicArn: text,
  Message: text,
  Timestamp: text,
  SignatureVersion: z.enum(['1', '2']),
  Signature: text,
  SigningCertURL: text,
};
const confirmation = { ...shared, Token: text, SubscribeURL: text };

const SnsMessage = z.discriminatedUnion('Type', [
  z.object({ Type: z.literal('Notification'), ...shared, Subject: text.nullish() }),
  z.object({ Type: z.literal('SubscriptionConfirmation'), ...confirmation }),
  z.object({ Type: z.literal('UnsubscribeConfirmation'), ...confirmation }),
]);

/** What Amazon SNS posts to an endpoint that is subscribed to a topic. */
export type SnsMessage = z.infer<typeof SnsMessage>;

/** The message in a body of JSON, or null where it is none, as one that was posted raw. */
export const parseSnsMessage = (body: string): SnsMessage | null => {
  try {
    return SnsMessage.parse(JSON.parse(body));
  } catch {
    return null;
  }
};

/** The text that the signature of a message is of: names and values of its signed fields, in the order of their names. */
export const signedTextOf = (message: SnsMessage): string => {
  const { Message, MessageId, Timestamp, TopicArn, Type } = message;
  const own =
    message.Type === 'Notification'
      ? { Subject: message.Subject }
      : { SubscribeURL: message.SubscribeURL, Token: message.Token };
  return Object.entries({ Message, MessageId, Timestamp, TopicArn, Type, ...own })
    .filter(([, value]) => value !== undefined && value !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}\n${value}\n`)
    .join('');
};

/** Whether a URL names a signing certificate of Amazon SNS in a region: anybody can write a message with a URL of his own. */
export const isCertificateUrl = (url: string, region: string): boolean =>
  readSnsUrl(url, region)?.search === '' &&
  /^\/SimpleNotificationService-[0-9a-zA-Z]{1,100}\.pem$/.test(new URL(url).pathname);

/** Whether a URL confirms a subscription to the topic, and does nothing else. */
export const isSubscribeUrl = (url: string, region: string, topicArn: string): boolean => {
  const read = readSnsUrl(url, region);
  if (read?.pathname !== '/') return false;
  const { searchParams } = read;
  return (
    searchParams.getAll('Action').join() === 'ConfirmSubscription' &&
    searchParams.getAll('TopicArn').join() === topicArn
  );
};

/** A URL of Amazon SNS in a region, without port, user or fragment; null for any other. */
const readSnsUrl = (url: string, region: string): URL | null => {
  if (!URL.canParse(url)) return null;
  const read = new URL(url);
  const host = `sns.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  const isPlain = read.username === '' && read.password === '' && read.hash === '';
  return isPlain && read.origin === `https://${host}` ? read : null;
};
