/*
 * Outlook's `Thread-Index` (MS-OXOMSG, section 2.2.1.3), in base64: 22 bytes identify the conversation, and each reply adds 5 to those of
 * the original mail. Some replies of Outlook have it instead of References.
 */
const conversationBytes = 22;
const answerBytes = 5;
const answersMax = 100;
/** FILETIME counts steps of 100 ns since 1601. */
const epochMs = 11_644_473_600_000n;
const stepsPerMs = 10_000n;

/** Returns the value of the field without white space, or null if it is none. */
export function readThreadIndex(value: string | null): string | null {
  const text = (value ?? '').replace(/\s/g, '');
  if (text.length > 1_000 || !/^[A-Za-z\d+/]+=*$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64');
  const added = bytes.length - conversationBytes;
  return added >= 0 && added % answerBytes === 0 ? bytes.toString('base64') : null;
}

/** Returns an id in angle brackets that all mails of the conversation share. */
export function conversationId(threadIndex: string): string {
  return `<${Buffer.from(threadIndex, 'base64').toString('hex', 0, conversationBytes)}@thread-index.invalid>`;
}

/** Returns whether the mail is a reply in the conversation. */
export function isAnswer(threadIndex: string): boolean {
  return Buffer.byteLength(threadIndex, 'base64') > conversationBytes;
}

/** Returns the value for a reply to a mail. After very many replies, the value no longer changes. */
export function answerTo(threadIndex: string, at: Date): string {
  const bytes = Buffer.from(threadIndex, 'base64');
  if (bytes.length >= conversationBytes + answersMax * answerBytes) return threadIndex;
  const begunAt = bytes.readBigUInt64BE(0) & 0xffff_ffff_ffff_0000n;
  const steps = (BigInt(at.getTime()) + epochMs) * stepsPerMs - begunAt;
  // Of the time since then 31 bits are kept, in a unit that has room for it; the last byte tells answers of one moment apart.
  const isLong = steps >> 49n !== 0n;
  const time = Number((steps >> (isLong ? 23n : 18n)) & 0x7fff_ffffn);
  const answer = Buffer.alloc(answerBytes);
  answer.writeUInt32BE(((isLong ? 0x8000_0000 : 0) | time) >>> 0);
  answer.writeUInt8(Number((steps >> 10n) & 0xffn), 4);
  return Buffer.concat([bytes, answer]).toString('base64');
}
