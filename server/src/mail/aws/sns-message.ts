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

/** A message that Amazon SNS posts to an endpoint that is subscribed to a topic. */
export type SnsMessage = z.infer<typeof SnsMessage>;

/** Returns the message in a JSON body. Returns null if there is none, as with raw delivery. */
export function parseSnsMessage(body: string): SnsMessage | null {
  try {
    return SnsMessage.parse(JSON.parse(body));
  } catch {
    return null;
  }
}

/** Returns the text that a message's signature covers: the names and values of the signed fields, in the order of their names. */
export function signedText(message: SnsMessage): string {
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
}

/** Returns whether a URL is that of an Amazon SNS signing certificate in a region. Anybody can write a message with another URL. */
export function isCertificateUrl(url: string, region: string): boolean {
  return (
    readSnsUrl(url, region)?.search === '' &&
    /^\/SimpleNotificationService-[0-9a-zA-Z]{1,100}\.pem$/.test(new URL(url).pathname)
  );
}

/** Returns whether a URL confirms a subscription to the topic, and does nothing else. */
export function isSubscribeUrl(url: string, region: string, topicArn: string): boolean {
  const read = readSnsUrl(url, region);
  if (read?.pathname !== '/') return false;
  const { searchParams } = read;
  return (
    searchParams.getAll('Action').join() === 'ConfirmSubscription' &&
    searchParams.getAll('TopicArn').join() === topicArn
  );
}

/** Returns a URL of Amazon SNS in a region that has no port, user or fragment. Returns null for any other URL. */
function readSnsUrl(url: string, region: string): URL | null {
  if (!URL.canParse(url)) return null;
  const read = new URL(url);
  const host = `sns.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  const isPlain = read.username === '' && read.password === '' && read.hash === '';
  return isPlain && read.origin === `https://${host}` ? read : null;
}
