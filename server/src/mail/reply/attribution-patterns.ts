/*
 * The sentences by which mail clients announce a quotation, by language. Each pattern is tested on one line or a few joined lines of
 * limited length, so that none can take too long.
 */

/** If only the verb is given, it comes before the colon or after the date. */
const verbs = [
  // English, German, French, Spanish, Italian, Portuguese, Dutch
  'wrote|writes|has written|schrieb|geschrieben|a écrit|escribió|escribio|ha scritto|escreveu|schreef|geschreven',
  // Swedish, Danish, Norwegian, Finnish, Estonian, Icelandic, Polish, Czech, Slovak
  'skrev|følgende|kirjoitti|kirjutas|skrifaði|napisał|napisała|napisał\\(a\\)|napisał\\(-a\\)|pisze|napsal|napsala|napsal\\(a\\)|píše|napísal|napísala|napísal\\(a\\)',
  // Russian, Ukrainian, Bulgarian, Serbian, Croatian, Slovene, Turkish
  'написал|написала|написал\\(а\\)|пишет|пише|написав|написав\\(ла\\)|написа|је написао|је написала|je napisao|je napisala|je napisao/la|je napisal|yazdı',
  // Hungarian, Romanian, Greek, Catalan, Galician, Basque, Lithuanian, Latvian, Albanian
  'írta|a scris|έγραψε|va escriure|ha escrit|escribiu|idatzi du|rašė|rakstīja|parašė|shkroi',
  // Vietnamese, Indonesian, Filipino, Afrikaans, Hebrew, Arabic, Persian, Hindi, Bengali
  'đã viết|menulis|isinulat ni|geskryf|כתב|כתבה|כתב/ה|מאת|كتب|كتبت|نوشت|لکھا|ने लिखा|লিখেছেন',
].join('|');
const verbEndings =
  '写道|寫道|写到|のメール|さんは書きました|が書きました|は書きました|님이 작성|작성|님이 쓴 글|썼습니다|เขียนว่า|เขียน';

const verbPattern = new RegExp(
  `(?<![\\p{L}\\p{M}])(?:${verbs})(?![\\p{L}\\p{M}])|(?:${verbEndings})\\s*[:：]`,
  'iu',
);
const lastVerbPattern = new RegExp(`(?<![\\p{L}\\p{M}])(?:${verbs})\\s*$`, 'iu');
const quotingPattern = /^(?:Quoting|Zitat von|Citando|Citation de|Citando a)\s.{2,200}[:：]$/iu;
const invisible = '\\s\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';
const addressPattern = /[^\s<>()@]{1,100}@[^\s<>()@]{2,100}/;
const lastAddressPattern = new RegExp(
  `[<([][^<>()\\[\\]@]{1,100}@[^<>()\\[\\]@]{2,100}[>)\\]][${invisible}]*[:：]?[${invisible}]*$`,
  'u',
);
const timePattern = /\d{1,2}\s?(?:[:.h時时시点]|Uhr|\b[ap]m\b)\s?(?:\d{2}|[ap]m)?/iu;
const datePattern =
  /(?:19|20)\d{2}|\d{1,2}[./-]\s?\d{1,2}[./-]\s?\d{2}|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s/iu;
const colonPattern = new RegExp(`(?:[:：]|:?\\s-{3,20})[${invisible}]{0,20}$`, 'u');
const openingWords =
  'On|At|Am|Le|El|Il|Em|No dia|A|Op|Den|På|W dniu|Dnia|Dne|Dňa|La|O|În|Στις|Vào|Pada|Noong|Dana|Na|Þann|El dia|在|于|於|בתאריך|ב-?|في|در';
const weekdays = [
  'mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mer|jeu|ven|sam|dim|mié|jue|vie|sáb|dom|gio|seg|ter|qua|qui|sex|din|woe|don|vri|zat|zon|zo|vr|wo|ma',
  'mån|tis|ons|tors|lör|sön|man|tir|tor|fre|lør|søn|ti|ke|to|pe|la|su|pon|wt|śr|czw|pt|sob|niedz|po|út|st|čt|pá|ne|hét|kedd|sze|csüt|pén|szo|vas',
  'пн|вт|ср|чт|пт|сб|вс|нд|понедельник|вторник|среда|четверг|пятница|суббота|воскресенье|понеділок|вівторок|середа|четвер|субота|неділя|δευ|τρί|τετ|πέμ|παρ|σάβ|κυρ|thứ',
].join('|');
/** A word that begins such a sentence, followed by a date, or only a date. */
const openingPattern = new RegExp(
  `^[${invisible}-]*(?:(?:${openingWords})(?![\\p{L}]).{0,60}?\\d|(?:${openingWords})\\s+\\p{L}{2,12}[.,]?\\s*$|(?:${weekdays})[a-zäöü]{0,7}[.,]{0,2}\\s+(?:\\p{L}{1,12}[.,]?\\s+)?\\d|\\d{1,2}[./-]\\s?\\d{1,2}[./-]|\\d{1,2}\\.?\\s(?:de\\s)?\\p{L}{3,12}\\.?,?\\s(?:de\\s)?\\d{4}|\\d{4}[年./-]|\\d{4}년)`,
  'iu',
);

const beginningPattern = new RegExp(
  `^[${invisible}-]*(?:(?:${openingWords})(?!\\p{L})|(?:${weekdays})[a-zäöü]{0,7}[.,]{0,2}\\s)`,
  'iu',
);

/** The certainty that a sentence announces a quotation. */
export type AttributionWeight = 'certain' | 'likely' | 'bare';

/** A longer sentence is prose. */
export const attributionLengthMax = 400;

/** Returns whether a line can be the first of a sentence that announces a quotation: it begins with a date. */
export function opensAttribution(line: string): boolean {
  return openingPattern.test(line);
}

/** Returns whether a line begins with a word that begins such a sentence, or with a day of the week. */
export function beginsAttribution(line: string): boolean {
  return beginningPattern.test(line);
}

/** Returns whether a line can be the last of such a sentence. */
export function closesAttribution(line: string): boolean {
  if (line.length > attributionLengthMax) return false;
  const end = line.slice(-160);
  return (
    colonPattern.test(end) ||
    (/[>)\]]/.test(end) && lastAddressPattern.test(end)) ||
    lastVerbPattern.test(end.slice(-24))
  );
}

/** Returns whether a line contains a date. */
export function hasDate(line: string): boolean {
  return datePattern.test(line);
}

/**
 * Returns how certain it is that a sentence announces a quotation. `certain`: it has the layout of a client, with date and time and the
 * verb of its language, or with the author's address instead of the verb. Everything after it is history, even if no line is marked.
 * `likely`: it has less, and announces a quotation only if a marked one follows. `bare`: a name and a verb, which announce a quotation only
 * if it is marked on the next line.
 */
export function weighAttribution(sentence: string): AttributionWeight | null {
  if (sentence.length > attributionLengthMax) return null;
  const opens = opensAttribution(sentence);
  const [date, time] = [datePattern.test(sentence), timePattern.test(sentence)];
  // Some clients omit the colon.
  if (!colonPattern.test(sentence)) {
    const closes = lastAddressPattern.test(sentence) || lastVerbPattern.test(sentence);
    return opens && date && closes ? 'likely' : null;
  }
  if (quotingPattern.test(sentence)) return 'certain';
  const endsWithAddress = lastAddressPattern.test(sentence);
  if (verbPattern.test(sentence)) {
    if (date && time && (opens || namesFirst(sentence))) return 'certain';
    if (!saysWho(sentence)) return null;
    return date || addressPattern.test(sentence) ? 'likely' : 'bare';
  }
  if (opens && date && time && endsWithAddress) return 'certain';
  const isDated = date || (opens && time);
  return isDated && (opens || addressPattern.test(sentence)) && (time || endsWithAddress) ? 'likely' : null;
}

/** Returns whether a short name or address precedes the verb: "Ada Lovelace <ada@example.com> wrote on …", "Ada Lovelace schrieb am …". */
function namesFirst(sentence: string): boolean {
  const verb = verbPattern.exec(sentence)?.index ?? 0;
  const address = addressPattern.exec(sentence);
  const name = sentence.slice(0, address && address.index < verb ? address.index : verb).trim();
  return name.split(/\s+/).length <= 6 && /^["'“(]?\p{Lu}|^["'“]?\p{Lo}/u.test(name);
}

/** Returns whether there is a name in addition to the verb, and the sentence is not long. */
function saysWho(sentence: string): boolean {
  const words = sentence
    .replace(verbPattern, ' ')
    .replace(/[:：\s]+$/u, '')
    .trim();
  return (
    words.length > 1 &&
    words.split(/\s+/).length <= (hasDate(sentence) || addressPattern.test(sentence) ? 30 : 9)
  );
}

const runOnPattern = /^(.{20,300}?[:：])[ \u00a0]{2,}(?=\S)/;

/** Returns the length of a sentence that has its quotation on the same line, as Yahoo's app writes it, or 0 for any other line. */
export function runOnAttribution(line: string): number {
  const sentence = line.includes('@') ? runOnPattern.exec(line)?.[1] : undefined;
  return sentence !== undefined && weighAttribution(sentence) === 'certain' ? sentence.length : 0;
}
