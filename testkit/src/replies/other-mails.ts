/*
 * Mail that is not a reply: notices, codes, orders, journeys, newsletters, and first messages of people. Each has something that looks like
 * a quotation, a signature or the sentence above a quotation, and all of it is the message.
 */
import { seededRandom } from '../lib/seeded-random.ts';
import type { LaidOut } from './reply-draft.ts';

export interface OtherMail extends LaidOut {
  kind: string;
  subject: string;
}

/** The words that fill a template. */
interface Words {
  name: string;
  address: string;
  code: string;
  number: string;
  day: string;
  time: string;
  site: string;
}

type Template = (words: Words) => string;

const notices: Record<string, Template> = {
  code: (w) =>
    `Hello,\n\nwe received a sign-in attempt for ${w.address} on ${w.day} at ${w.time}. Your code is:\n\n${w.code}\n\nIf this was not you, ignore this mail.`,
  'code, dated': (w) =>
    `On ${w.day} at ${w.time}, ${w.name} <${w.address}> asked for a code:\n\n${w.code}\n\nIt expires in ten minutes.`,
  order: (w) =>
    `Your order ${w.number} of ${w.day}, ${w.time} (account ${w.address}) contains:\n\n2 x pump\n1 x hose\n\nTotal: 25.00 EUR`,
  'order, German': (w) =>
    `Am ${w.day} um ${w.time} hat ${w.name} <${w.address}> bestellt:\n\n2 Pumpen\n1 Schlauch\n\nSumme: 25,00 EUR\n\nVon meinem iPhone gesendet wurde diese Bestellung nicht.`,
  journey: (w) =>
    `Your journey\n\nFrom: Berlin\nTo: Munich\nDate: ${w.day} ${w.time}\nSubject: booking ${w.number}\n\nPlease be at the platform in time.`,
  comment: (w) =>
    `${w.name} wrote on ${w.day} at ${w.time}:\n\nThe pump is broken again.\n\nAnswer at https://${w.site}/tickets/${w.number}`,
  'comment with an address': (w) =>
    `On ${w.day} at ${w.time} ${w.name} <${w.address}> wrote:\n\nThe pump is broken again.\n\n-- \nTickets of ${w.site}`,
  ticket: (w) =>
    `##- Please type your answer above this line -##\n\nYour request (${w.number}) was received.\n\n-----Original Message-----\nFrom: ${w.name} <${w.address}>\nSent: ${w.day} ${w.time}\nTo: help@${w.site}\nSubject: broken pump\n\nThe pump is broken.`,
  bounce: (w) =>
    `Your message could not be delivered to ${w.address}:\n\n550 5.1.1 no such user\n\n----- Original message -----\nFrom: ${w.name} <${w.address}>\nTo: x@${w.site}\nSubject: hello\nDate: ${w.day} ${w.time}\n\nHello!`,
  alert: (w) =>
    `[FIRING] disk of ${w.site}\n\n> / is 97 % full\n> /var is 12 % full\n\nSince: ${w.day} ${w.time}\n\n--\nmonitoring`,
  'alert, quoted': (w) =>
    `${w.site} said at ${w.time} on ${w.day}:\n\n> connection refused\n\nWe look into it.`,
  log: (w) =>
    `From: cron\nDate: ${w.day}\nSubject: backup ${w.number}\n\nAll 12 files were copied.\n________________________________\nNext run: ${w.time}`,
  invitation: (w) =>
    `${w.name} <${w.address}> invites you:\n\n${w.day}, ${w.time}\n\nWhere: https://${w.site}/meet/${w.number}`,
};

const people: Record<string, Template> = {
  question: (w) =>
    `Hello ${w.name},\n\nOn ${w.day} at ${w.time} your colleague wrote:\n\nthe price is 25 EUR.\n\nIs that still so?\n\n-- \nBob\n+49 30 ${w.number}`,
  'sent from': (w) =>
    `Three boxes left today.\n\nSent from my iPhone\n\nP.S.: ${w.number} is the number.\n\nSent from our warehouse`,
  minutes: (w) =>
    `Minutes of ${w.day}\n\n${w.time} ${w.name} (${w.address}) said:\n\nwe should wait.\n\n---\n\nNext: pumps.\n\n--\n1. price\n2. date`,
  citation: (w) => `As ${w.name} writes:\n\n> Pumps are\n> alive.\n\nWhat do you say?\n\nYours,\nBob`,
  'citation, French': (w) =>
    `Bonjour,\n\nLe ${w.day} à ${w.time}, ${w.name} m’a écrit ceci :\n\nla pompe est cassée.\n\nQue faire ?\n\nEnvoyé de mon iPhone`,
  'citation, Spanish': (w) =>
    `Hola:\n\nEl ${w.day} a las ${w.time}, ${w.name} (${w.address}) escribió:\n\nla bomba no funciona.\n\n¿Qué hacemos?`,
  'citation, Russian': (w) =>
    `Здравствуйте!\n\n${w.day} в ${w.time} ${w.name} <${w.address}> написал:\n\nнасос сломан.\n\nЧто делать?\n\n-- \nИгорь`,
  'citation, Japanese': (w) =>
    `お世話になっております。\n\n2026年1月5日 ${w.time} ${w.name} <${w.address}>:\n\nポンプが壊れました。\n\nご確認ください。`,
  code: (w) =>
    `This fails:\n\n>>> pump(${w.number})\n> error at ${w.time}\n\n$ cat log\nFrom: a\nTo: b\nSubject: c\n\nAny idea?`,
  pasted: (w) =>
    `Please look at this:\n\nFrom: ${w.name} <${w.address}>\nSent: ${w.day} ${w.time}\nTo: Bob\nSubject: pump\n\nThe pump is broken.\n\nWhat do I answer?`,
  'passed on': (w) =>
    `---------- Forwarded message ---------\nFrom: ${w.name} <${w.address}>\nDate: ${w.day} at ${w.time}\nSubject: pump\nTo: <bob@${w.site}>\n\nThe pump is broken.`,
  newsletter: (w) =>
    `News of ${w.day}\n\n"The best pump of the year", ${w.name} wrote:\n\nread on at https://${w.site}/${w.number}\n\n_______________________________________________\nUnsubscribe: https://${w.site}/off\n\n--\n${w.site}, Berlin`,
};

const htmlShapes: Record<string, (text: string) => string> = {
  paragraphs: (text) =>
    text
      .split('\n\n')
      .map((paragraph) => `<p>${toHtml(paragraph)}</p>`)
      .join(''),
  'a citation in blockquote': (text) =>
    `${toHtml(text)}<blockquote>What they say: very good.</blockquote><p>Buy now.</p>`,
  'rows of a table': (text) =>
    `<table>${text
      .split('\n')
      .map((line) => `<tr><td>${toHtml(line)}</td></tr>`)
      .join('')}</table>`,
  'classes of clients': (text) =>
    `<div class="gmail_default">${toHtml(text)}</div><div class="gmail_signature">${toHtml('Bob\nExample Ltd.')}</div><div id="appendonsend"></div>`,
};

function toHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\n', '<br>');
}

const names = ['Ada Lovelace', 'Jörg Müller', 'Hélène Dupont', 'José García', 'Игорь Петров', '田中 一郎'];
const days = [
  'Jan 5, 2026',
  '5 January 2026',
  '05.01.2026',
  '2026-01-05',
  'Monday, January 5, 2026',
  '1/5/26',
];
const times = ['10:00 AM', '10:00', '23:59:59', '9:05 PM'];
const subjects = [
  'Your code',
  'Order',
  'Notice',
  'Hello',
  'A question',
  'Rechnung',
  'Reise',
  'News',
  'Regarding pumps',
  'Answer needed',
];

/** Returns mails, which are the same for the same seed. About half of them are HTML, some with an additional text. */
export function makeOtherMails(count: number, seed: number): OtherMail[] {
  const random = seededRandom(seed);
  const pick = <Item>(items: Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const templates = [...Object.entries(notices), ...Object.entries(people)];
  const shapes = Object.entries(htmlShapes);
  return Array.from({ length: count }, (_, at) => {
    const [kind, template] = templates[at % templates.length] as [string, Template];
    const number = String(1_000 + Math.floor(random() * 9_000));
    const text = template({
      name: pick(names),
      address: pick(['ada@example.com', 'a.long.address@department.of.pumps.example.com']),
      code: String(100_000 + Math.floor(random() * 900_000)),
      number,
      day: pick(days),
      time: pick(times),
      site: 'pumps.example',
    });
    const subject = `${pick(subjects)} ${number}`;
    const [shape, toShape] = pick(shapes);
    const form = random();
    if (form < 0.5) return { kind: `${kind}, text`, subject, text };
    const html = toShape(text);
    return form < 0.8
      ? { kind: `${kind}, ${shape}`, subject, html }
      : { kind: `${kind}, both`, subject, text, html };
  });
}
