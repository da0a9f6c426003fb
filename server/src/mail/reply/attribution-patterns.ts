/*
 * The sentence by which mail clients announce what they quote, by language. Every test is made on a line, or a few joined
 * lines, of bounded length, so that no pattern can run away.
 */

/** Where only the verb is given, it stands before the colon or after the date. */
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
/** A word that such a sentence begins with and a date after it, or a date. */
const openingPattern = new RegExp(
  `^[${invisible}-]*(?:(?:${openingWords})(?![\\p{L}]).{0,60}?\\d|(?:${openingWords})\\s+\\p{L}{2,12}[.,]?\\s*$|(?:${weekdays})[a-zäöü]{0,7}[.,]{0,2}\\s+(?:\\p{L}{1,12}[.,]?\\s+)?\\d|\\d{1,2}[./-]\\s?\\d{1,2}[./-]|\\d{1,2}\\.?\\s(?:de\\s)?\\p{L}{3,12}\\.?,?\\s(?:de\\s)?\\d{4}|\\d{4}[年./-]|\\d{4}년)`,
  'iu',
);

const beginningPattern = new RegExp(
  `^[${invisible}-]*(?:(?:${openingWords})(?!\\p{L})|(?:${weekdays})[a-zäöü]{0,7}[.,]{0,2}\\s)`,
  'iu',
);

/** How sure it is that a sentence announces a quotation. */
export type AttributionWeight = 'certain' | 'likely' | 'bare';

/** Longer ones are prose. */
export const attributionLengthMax = 400;

/** Whether a line can be the first of a sentence that announces a quotation: it begins with a date. */
export const opensAttribution = (line: string): boolean => openingPattern.test(line);

/** Whether a line begins with a word with which such a sentence begins, or with a day of the week. */
export const beginsAttribution = (line: string): boolean => beginningPattern.test(line);

/** Whether a line can be the last of one. */
export const closesAttribution = (line: string): boolean => {
  if (line.length > attributionLengthMax) return false;
  const end = line.slice(-160);
  return (
    colonPattern.test(end) ||
    (/[>)\]]/.test(end) && lastAddressPattern.test(end)) ||
    lastVerbPattern.test(end.slice(-24))
  );
};

/** Whether a date stands in a line. */
export const hasDate = (line: string): boolean => datePattern.test(line);

/**
 * How sure it is that a sentence announces a quotation. `certain`: it is laid out as a client does it, with date and time and the verb of
 * its language, or the address of the author in place of the verb; what follows is history even when no line of it is marked.
 * `likely`: it says less, and announces one only if a marked quotation follows. `bare`: a name and a verb, and it announces what is
 * marked on the next line.
 */
export const weighAttribution = (sentence: string): AttributionWeight | null => {
  if (sentence.length > attributionLengthMax) return null;
  const opens = opensAttribution(sentence);
  const [date, time] = [datePattern.test(sentence), timePattern.test(sentence)];
  // Some clients write no colon.
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
};

/** "Ada Lovelace <ada@example.com> wrote on …", "Ada Lovelace schrieb am …": a short name or an address, and then the verb. */
const namesFirst = (sentence: string): boolean => {
  const verb = verbPattern.exec(sentence)?.index ?? 0;
  const address = addressPattern.exec(sentence);
  const name = sentence.slice(0, address && address.index < verb ? address.index : verb).trim();
  return name.split(/\s+/).length <= 6 && /^["'“(]?\p{Lu}|^["'“]?\p{Lo}/u.test(name);
};

/** Besides the verb there is a name, and it is no long sentence. */
const saysWho = (sentence: string): boolean => {
  const words = sentence
    .replace(verbPattern, ' ')
    .replace(/[:：\s]+$/u, '')
    .trim();
  return (
    words.length > 1 &&
    words.split(/\s+/).length <= (hasDate(sentence) || addressPattern.test(sentence) ? 30 : 9)
  );
};

const runOnPattern = /^(.{20,300}?[:：])[ \u00a0]{2,}(?=\S)/;

/** Yahoo's app writes what it quotes behind the sentence: how long that is, 0 where the line is none of these. */
export const runOnAttribution = (line: string): number => {
  const sentence = line.includes('@') ? runOnPattern.exec(line)?.[1] : undefined;
  return sentence !== undefined && weighAttribution(sentence) === 'certain' ? sentence.length : 0;
};
