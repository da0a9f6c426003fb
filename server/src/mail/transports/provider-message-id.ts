/*
 * RFC 5321 leaves the text after 250 free, and every relay puts the id of its queue file there in its own way. These are the formats of the
 * common relays. A reply in an unknown format has no id rather than a wrong one.
 */
const forms: RegExp[] = [
  // Postfix and servers based on it: "250 2.0.0 Ok: queued as 4XyZ1b2cz3"
  /\bqueued as <?([\w.@+-]+)>?/i,
  // Exim: "250 OK id=1sX0Yz-0000AB-CD"
  /\bid=([\w.@+-]+)/i,
  // Gmail: "250 2.0.0 OK  1700000000 d9443c01a7336-1f9eb3b6e81si99 - gsmtp"
  /\bOK\s+\d+\s+([\w.-]+)\s+-\s+gsmtp\b/i,
  // Microsoft: "250 2.0.0 OK <id@host.prod.outlook.com> [Hostname=…]", or "2.6.0 <id> [InternalId=…]"
  /^250 2\.\d\.\d (?:OK )?<([^<>\s]+)> \[/i,
  // Sendmail: "250 2.0.0 4AKC0abc012345 Message accepted for delivery"
  /^250 2\.\d\.\d ([\w.-]+) Message accepted/i,
  // OpenSMTPD: "250 2.0.0: 1a2b3c4d Message accepted for delivery"
  /^250 2\.\d\.\d: ([\w.-]+) Message accepted/i,
  // Amazon SES: "250 Ok 0100018b5c3c0a4f-1c9d…-000000"; SendGrid: "250 Ok: queued as …" has Postfix's format
  /^250 Ok ([0-9a-f]+(?:-[0-9a-f]+)+)$/i,
  // Haraka: "250 Message Queued (8E2A4C1B-1234-4D5E-9F60-ABCDEF012345.1)"
  /\bqueued \(([\w.-]+)\)/i,
];

const replyLengthMax = 1_000;

/** Returns the id that a relay gave the message in its 250 reply. Returns null if the reply has no id in a known format. */
export function findProviderMessageId(reply: string): string | null {
  const [first = ''] = reply.slice(0, replyLengthMax).split('\n', 1);
  const line = first.trimEnd();
  for (const form of forms) {
    const id = form.exec(line)?.[1];
    if (id !== undefined) return id.slice(0, 255);
  }
  return null;
}
