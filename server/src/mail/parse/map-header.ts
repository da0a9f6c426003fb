import type { NamedAddress } from '../../lib/email-address.ts';
import { readThreadIndex } from '../thread-index.ts';
import { readMessageIds, readOwnMessageId, readReferences } from './message-ids.ts';
import { inCharset } from './part-header.ts';
import { allValues, firstValue, type HeaderField, parseLimits } from './read-header-fields.ts';
import { readFrom, readHeaderText, readMailboxes } from './read-mailboxes.ts';

/** The header of a mail. Ids have their angle brackets. Addresses are normalized if they are valid. */
export interface ParsedHeader {
  messageId: string | null;
  inReplyTo: string[];
  /** Oldest first, each id once. Of more than 500, the first one and the last 499 are kept. */
  references: string[];
  /** Outlook's field for the conversation, in base64. */
  threadIndex: string | null;
  subject: string;
  /** Null only if neither header nor envelope names a sender. Its address is the text of the header if that is no valid address. */
  from: NamedAddress | null;
  sender: NamedAddress | null;
  to: NamedAddress[];
  cc: NamedAddress[];
  bcc: NamedAddress[];
  replyTo: NamedAddress[];
  date: Date | null;
  /** Whether nobody waits for a reply to this mail, by RFC 3834 and the signs of mailing lists. */
  autoSubmitted: boolean;
  receivedCount: number;
}

/** The facts about a mail that are not in its header. */
interface HeaderContext {
  /** Null if it is not known. */
  envelopeFrom: string | null;
  /** The charset of the body, in which fields are that are no UTF-8; null if it names none. */
  charset: string | null;
}

/** Returns the contents of a mail's header. */
export function mapHeader(fields: HeaderField[], { envelopeFrom, charset }: HeaderContext): ParsedHeader {
  const decode = (name: string) => {
    const isUnlabelled = fields.some((field) => field.name === name && field.isUnlabelled);
    return (text: string) => (isUnlabelled && charset !== null ? inCharset(text, charset) : text);
  };
  const people = (name: string) => readMailboxes(allValues(fields, name), decode(name));
  const subject = decode('subject')(firstValue(fields, 'subject') ?? '');
  const messageId = readOwnMessageId(firstValue(fields, 'message-id') ?? '');
  const inReplyTo = allValues(fields, 'in-reply-to').flatMap(readMessageIds);
  const [sender] = readMailboxes(allValues(fields, 'sender').slice(0, 1));
  return {
    messageId,
    // A mail that replies to itself would be its own ancestor.
    inReplyTo: [...new Set(inReplyTo)].filter((id) => id !== messageId).slice(0, parseLimits.inReplyToMax),
    references: readReferences(allValues(fields, 'references'), messageId),
    threadIndex: readThreadIndex(firstValue(fields, 'thread-index')),
    subject: readHeaderText(subject, parseLimits.subjectLengthMax),
    from: readFrom(fields, envelopeFrom, decode('from')),
    sender: sender ?? null,
    to: people('to'),
    cc: people('cc'),
    bcc: people('bcc'),
    replyTo: people('reply-to'),
    date: readDate(firstValue(fields, 'date')),
    autoSubmitted: isAutoSubmitted(fields, envelopeFrom),
    receivedCount: allValues(fields, 'received').length,
  };
}

/** Returns a date that can be stored. A year in which no mail was written comes from a wrong clock, and the date is then null. */
function readDate(value: string | null): Date | null {
  if (value === null || value.length > 200) return null;
  const date = new Date(value.replace(/\([^()]*\)/g, ' ').trim());
  const year = date.getUTCFullYear();
  return year >= 1970 && year < 2200 ? date : null;
}

const automaticPrecedence = new Set(['bulk', 'list', 'junk', 'auto_reply', 'auto-reply']);
/** Set by list software on everything that it distributes (RFC 2369, RFC 2919). */
const listFields = new Set([
  'list-id',
  'list-unsubscribe',
  'list-post',
  'list-help',
  'list-subscribe',
  'list-owner',
  'list-archive',
]);

/** Set by programs that reply on behalf of people. Each has its own name for the field. */
const answererPattern =
  /^(?:x-(?:mail-)?auto-?(?:reply|respond|responder|response)|x-auto-?reply-from|x-fc-machinegenerated)$/;
const negatives = new Set(['', 'no', 'false', '0', 'off', 'none']);

/**
 * The beginning of the subject of an automatic reply in Exchange and Outlook, in the languages of their users. A person may write the same,
 * so it counts only together with the fields that they set on it.
 */
const answerSubjects = [
  'automatic reply|auto(?:matic)? ?response|auto-?reply|out of (?:the )?office(?: auto-?reply)?',
  'automatische (?:antwort|abwesenheitsmeldung)|abwesend|abwesenheitsnotiz|automatisch antwoord|autosvar|automatis[kt]{1,2} svar',
  'réponse automatique|absence du bureau|respuesta automática|fuera de la oficina|risposta automatica|fuori sede|(?:resposta|erantzun) autom[aáà]tic[ao]|erantzun automatikoa|răspuns automat',
  'automaattinen vastaus|automaatvastus|automātiskā atbilde|automatinis atsakymas|odpowiedź automatyczna|automatyczna odpowiedź|automatická odpov[ěe]ď|automatikus válasz|automatski odgovor|samodejni odgovor|avtomatski odgovor',
  'автоматический ответ|автоматична відповідь|автоматичен отговор|аутоматски одговор|αυτόματη απάντηση|otomatik yanıt|otomatik cevap|balasan otomatis|trả lời tự động',
  '自動応答|自動返信|自动答复|自动回复|自動回覆|자동 회신|자동 응답|ตอบกลับอัตโนมัติ|תשובה אוטומטית|رد تلقائي|स्वचालित उत्तर',
];
const answerSubjectPattern = new RegExp(`^(?:${answerSubjects.join('|')})\\s*[:：]`, 'iu');
const subjectLengthMax = 200;

/**
 * Returns whether a mail was sent by a program or through a list, so that an automatic reply could start an endless exchange. The signs are
 * an `Auto-Submitted` other than `no` (RFC 3834, section 5), the null envelope sender, a bulk `Precedence`, a `List-` field, a report (RFC
 * 6522) from any envelope sender, and the fields of programs that reply on behalf of people. `X-Auto-Response-Suppress` only says that its
 * sender wants no automatic replies, and a person may set it. It counts on a reply whose subject says that it is automatic, because there
 * Exchange has set it.
 */
export function isAutoSubmitted(fields: HeaderField[], envelopeFrom: string | null): boolean {
  return envelopeFrom === '' || fields.some(isAutomatic) || isExchangeAnswer(fields);
}

function isAutomatic({ name, value }: HeaderField): boolean {
  if (name === 'auto-submitted') return !['', 'no'].includes(firstKeyword(value));
  if (name === 'precedence' || name === 'x-precedence' || name === 'preference')
    return automaticPrecedence.has(firstKeyword(value));
  if (name === 'content-type') return /^\s*multipart\/report\b/i.test(value);
  // FirstClass, T-Online and PostMaster say what kind of program it was.
  if (name === 'x-autogenerated') return /^\s*(?:reply|forward|redirect|mirror|group|letter)\b/i.test(value);
  if (name === 'x-post-messageclass') return /\bautoresponder\b/i.test(value);
  if (answererPattern.test(name)) return !negatives.has(firstKeyword(value));
  return listFields.has(name) && value !== '';
}

function isExchangeAnswer(fields: HeaderField[]): boolean {
  const has = (name: string) => firstValue(fields, name) !== null;
  if (!has('x-auto-response-suppress') || !(has('in-reply-to') || has('references'))) return false;
  return answerSubjectPattern.test(readHeaderText(firstValue(fields, 'subject') ?? '', subjectLengthMax));
}

/** Returns the keyword before parameters and comments. */
function firstKeyword(value: string): string {
  return (/^(?:\s*\([^()]*\))*\s*([^\s;(]*)/.exec(value)?.[1] ?? '').toLowerCase();
}
