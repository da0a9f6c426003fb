import { findSender, fullBody, type Language, type MadeMail } from './made-mail.ts';

const attributions: Record<Language, (who: string, on: string) => string> = {
  en: (who, on) => `On ${on}, ${who} wrote:`,
  de: (who, on) => `Am ${on} schrieb ${who}:`,
  fr: (who, on) => `Le ${on}, ${who} a écrit :`,
  es: (who, on) => `El ${on}, ${who} escribió:`,
  ja: (who, on) => `${on} ${who}:`,
  zh: (who, on) => `${on} ${who} 写道:`,
  ko: (who, on) => `${on} ${who} 작성:`,
};
const locales: Record<Language, string> = {
  en: 'en-GB',
  de: 'de-DE',
  fr: 'fr-FR',
  es: 'es-ES',
  ja: 'ja-JP',
  zh: 'zh-CN',
  ko: 'ko-KR',
};

/** Returns a mail as the history below its answer, as mail programs quote it. */
export function quoteHistory(mail: MadeMail): string {
  const { name, address } = findSender(mail);
  const on = mail.at.toLocaleString(locales[mail.language], {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  const lines = fullBody(mail).split('\n');
  return [
    attributions[mail.language](`${name} <${address}>`, on),
    ...lines.map((line) => `> ${line}`.trimEnd()),
  ].join('\n');
}
