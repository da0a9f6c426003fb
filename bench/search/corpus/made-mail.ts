/** The languages of the corpus. */
export type Language = 'en' | 'de' | 'fr' | 'es' | 'ja' | 'zh' | 'ko';

/** An address with its name. */
export interface Person {
  name: string;
  address: string;
}

/** A file of a mail. The kind of file follows from its name, and its content from its text. */
export interface MadeFile {
  name: string;
  text: string;
}

/** One mail of the corpus. */
export interface MadeMail {
  /** `leak/2` is the second mail of the conversation `leak`. */
  id: string;
  conversation: string;
  language: Language;
  /** `story`, or the kind of mail that a template makes. */
  topic: string;
  at: Date;
  /** The local part of the inbox, which is the sender if `sent`, else the recipient. */
  inbox: string;
  sent: boolean;
  correspondent: Person;
  subject: string;
  /** The new text. */
  text: string;
  /** The history below the new text, empty if there is none. */
  quoted: string;
  labels: string[];
  files: MadeFile[];
  /** The id of the mail that it answers. */
  answers: string | null;
}

/** The domain of the inboxes, as the server sets it by default. */
export const mailDomain = 'postrider.test';

/** Returns the text of a mail with its history. */
export function fullBody({ text, quoted }: MadeMail): string {
  return quoted === '' ? text : `${text}\n\n${quoted}`;
}

/** Returns the sender of a mail. */
export function findSender({ sent, inbox, correspondent }: MadeMail): Person {
  return sent ? { name: 'Tidewater Instruments', address: `${inbox}@${mailDomain}` } : correspondent;
}
