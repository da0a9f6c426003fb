/*
 * Recognises a text part that only points to the HTML beside it: "View this email in your browser". Each pattern is tested on one paragraph
 * of limited length, so that none can take too long.
 */
import { foldWords } from '../html/read-elements.ts';
import { readReply } from '../reply/extract-reply.ts';
import type { HtmlText } from './html-to-plain-text.ts';
import { mapHeader, type ParsedHeader } from './map-header.ts';
import { nameAttachments } from './name-attachments.ts';
import type { ParsedMail, ParseFailure, ParseOptions } from './parsed-mail.ts';
import { bodyCharset } from './part-header.ts';
import { readContents } from './read-contents.ts';
import { readHeader } from './read-header-fields.ts';

/** Fewer words may be in both by chance, such as a name. */
const sharedWordsMin = 3;

/** Parses a whole mail, however long that takes. If its structure makes it unreadable, the result is a failure with its header. */
export async function parseMail(raw: Buffer, options: ParseOptions): Promise<ParsedMail | ParseFailure> {
  const header = readMailHeader(raw, options);
  try {
    const { text, html, seen, files } = await readContents(raw, options.withContent === true);
    const answers = header.inReplyTo.length > 0 || header.references.length > 0;
    const { subject, autoSubmitted: automatic } = header;
    const reply = readReply(chooseText(text, seen), html, { subject, answers, automatic });
    return {
      ...header,
      text,
      html,
      extractedText: reply.text,
      isExtractedTextCut: reply.isCut,
      hasHiddenText: (seen?.hidden.length ?? 0) > 0,
      attachments: nameAttachments(files, html),
    };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { failed: 'error', detail, isFinal: true, mail: { ...header, ...nothingRead } };
  }
}

/** Longer header fields are cut, because parsing them would block the main thread for too long. */
const fieldBytesMax = 16_384;

/** Returns the header of a mail whose body must not be read, in a few milliseconds at most. */
export function parseHeaderOnly(raw: Buffer, options: ParseOptions): ParsedMail {
  return { ...readMailHeader(raw, options, fieldBytesMax), ...nothingRead };
}

function readMailHeader(raw: Buffer, { envelopeFrom = null }: ParseOptions, bytesMax?: number): ParsedHeader {
  const header = readHeader(raw, bytesMax);
  const isUnlabelled = header.fields.some((field) => field.isUnlabelled);
  return mapHeader(header.fields, { envelopeFrom, charset: isUnlabelled ? bodyCharset(raw, header) : null });
}

const nothingRead = {
  text: null,
  html: null,
  extractedText: null,
  isExtractedTextCut: false,
  hasHiddenText: false,
  attachments: [],
};

/**
 * Returns the text that a mail has for a person: its text part, or the text of the HTML if the text part only points to it or says what the
 * HTML hides.
 */
function chooseText(text: string | null, seen: HtmlText | null): string | null {
  if (text === null || seen === null || text === seen.text) return text;
  if (onlyPoints(text, seen.text)) return seen.text;
  if (seen.hidden.length === 0) return text;
  const words = foldWords(text);
  const saysHidden = seen.hidden.some(
    (hidden) => hidden.trim().split(' ').length >= sharedWordsMin && words.includes(hidden),
  );
  return saysHidden ? seen.text : text;
}

const pointing = new RegExp(
  [
    '(?:view|read|see|open|click|display|visit|go to).{0,80}(?:browser|online|web ?version|web ?page|on the web)|web version of this',
    "(?:does ?n[o']t|cannot|can[’']t|unable to|not able to|trouble|problems?).{0,60}(?:html|display|view|see|read|images)",
    '(?:html|rich text)[- ]?(?:e-?mails?|mail|messages?|format|version|part|capable|enabled|compatible|content)|(?:in|requires?|supports?|use) html',
    'im browser|in (?:ihrem|deinem|einem) (?:web-?)?browser|(?:online|web)-?(?:version|ansicht)|nicht (?:richtig |korrekt |sauber )?(?:angezeigt|dargestellt|lesbar)',
    'html-?(?:fähig|darstellung|ansicht)|(?:dans|avec|depuis) (?:votre|un|le|ton) navigateur|version (?:en ligne|web|html)|(?:format|au format) html|affiche pas',
    'en (?:su|tu|el|un) navegador|versión (?:web|en línea|online|html)|formato html|no (?:puede|puedes|pudo) (?:ver|visualizar|leer)',
    'nel (?:tuo |suo )?browser|versione (?:web|online|html)|non (?:riesci|riesce|visualizzi|visualizza)',
    'no (?:seu |teu )?(?:navegador|browser)|versão (?:web|online|html)|não (?:consegue|está) (?:ver|a ver|visualiza)',
    'in (?:je|uw|de|een) (?:web)?browser|(?:online|web) ?versie|html-?(?:formaat|versie)|niet (?:goed |correct )?(?:weergegeven|leesbaar)',
    'i (?:din |en |et )?(?:webbläsare|webbläsaren|browser|browseren|nettleser|nettleseren)|(?:webb?|online|nett)-?versjon|webb?version|selaimessa|verkkoversio',
    'w (?:swojej )?przeglądarce|wersj\\S{1,3} (?:online|html|internetow)|v prohlížeči|(?:online|webov\\S+) verz',
    'в (?:вашем )?браузере|веб-верси|html-верси|формате html|tarayıcı(?:nızda|da|nda)|web sürümü|html (?:formatında|biçiminde)',
    'ブラウザー?(?:で|から)|ウェブ版|HTML(?:形式|メール)|浏览器|瀏覽器|在线(?:查看|阅读)|網頁版|HTML(?:格式|邮件)|브라우저에서|HTML ?형식',
  ].join('|'),
  'iu',
);
const footer =
  /unsubscribe|opt[- ]?out|preferences|abmelden|abbestellen|d[ée]sabonner|désinscri|darse de baja|cancelar|disiscri|descadastr|afmelden|uitschrijven|avregistrera|afmeld|wypisz|odhlásit|отписаться|abonelikten|配信停止|退订|退訂|수신 ?거부|©|\(c\)|copyright|all rights reserved/iu;
const address = /\b(?:https?:\/\/|www\.|mailto:)[^\s<>\])]+/gi;
const ended = /[.!?。！？…]["”»)]?\s*$/u;

const lengthMax = 2_500;
const paragraphMax = 600;
/** A paragraph with more words says more than where to read the mail. */
const pointingWordsMax = 45;
const sentenceWordsMin = 4;
const restWordsMax = 40;

/** Returns whether a text says no more than where the mail can be read, while its HTML, as a person sees it, says more. */
function onlyPoints(text: string, seen: string): boolean {
  if (text.length > lengthMax) return false;
  const withoutAddresses = text.replace(address, ' ');
  const flat = withoutAddresses.replace(/\s+/g, ' ');
  // Most texts come from the HTML, and do not have such a word at all.
  if (flat.length >= seen.length) return false;
  if (/[\p{L}\p{N}]/u.test(flat) && !pointing.test(flat) && !footer.test(flat)) return false;
  const paragraphs = withoutAddresses
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter((paragraph) => countWords(paragraph) > 0);
  const points = (paragraph: string) =>
    paragraph.length <= paragraphMax && countWords(paragraph) <= pointingWordsMax && pointing.test(paragraph);
  const rest = paragraphs.filter((paragraph) => !points(paragraph) && !footer.test(paragraph));
  if (rest.length > 0 && !paragraphs.some(points)) return false;
  const isSaid = rest.some((paragraph) => countWords(paragraph) >= sentenceWordsMin && ended.test(paragraph));
  const words = countWords(rest.join(' '));
  if (isSaid || words > restWordsMax || countWords(seen) < 1.5 * words + 12) return false;
  const known = foldWords(seen);
  // A code or an amount that the HTML does not have must not get lost.
  return foldWords(paragraphs.filter((one) => !footer.test(one)).join(' '))
    .split(' ')
    .every((word) => !/\d{3}/.test(word) || known.includes(` ${word} `));
}

/** A text without spaces between its words has some two letters a word. */
function countWords(text: string): number {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const dense = text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu)?.length ?? 0;
  return words.length + Math.floor(dense / 2);
}
