/** The parts of mails in a language. */
export interface Language {
  code: string;
  locale: string;
  /** The person who answers, and the one who wrote before. */
  author: string;
  correspondent: string;
  /** The text of the correspondent: two questions. */
  questions: [string, string];
  /** Texts that people write, by paragraphs. The first half is for tuning, and the second is held out. */
  bodies: string[][];
  /**
   * Sentences that announce a quotation, as in Gmail, Apple Mail and Thunderbird, with weekday, day, month, year, time, name and address.
   */
  gmail: Announce;
  apple: Announce;
  thunderbird: Announce;
  /** From, Sent, To and Subject as Outlook writes them, and its line above a message that is answered. */
  labels: [string, string, string, string];
  original: string;
  /** The lines that apps add: the iPhone, Samsung's app and Outlook on a telephone. */
  iphone: string;
  samsung: string;
  outlookMobile: string;
  reply: string;
}

/** A date and a person, as the sentence before a quotation names them. */
export interface Quoted {
  date: Date;
  name: string;
  address: string;
}

export type Announce = (quoted: Quoted, parts: DateParts) => string;

/** The parts of a date as a locale writes them. */
export interface DateParts {
  weekday: string;
  weekdayLong: string;
  day: string;
  month: string;
  monthLong: string;
  year: string;
  time: string;
  numeric: string;
}

export function datePartsOf(date: Date, { locale }: Pick<Language, 'locale'>): DateParts {
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options }).format(date);
  const ofDate = (month: 'short' | 'long') =>
    new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month, year: 'numeric' })
      .formatToParts(date)
      .find(({ type }) => type === 'month')?.value ?? '';
  return {
    weekday: part({ weekday: 'short' }),
    weekdayLong: part({ weekday: 'long' }),
    day: String(date.getUTCDate()),
    month: ofDate('short'),
    monthLong: ofDate('long'),
    year: String(date.getUTCFullYear()),
    time: part({ hour: 'numeric', minute: '2-digit' }),
    numeric: part({ day: '2-digit', month: '2-digit', year: 'numeric' }),
  };
}
