import { readdirSync, readFileSync } from 'node:fs';
import type { Language, MadeMail, Person } from './made-mail.ts';
import { quoteHistory } from './quote-history.ts';
import { readSections, type Section } from './read-sections.ts';

const folder = new URL('./stories/', import.meta.url);

/** Returns the mails that are written by hand, which the judged queries ask for. */
export function tellStories(): MadeMail[] {
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      const { sections } = readSections(readFileSync(new URL(name, folder), 'utf8'));
      const told = new Map<string, MadeMail>();
      for (const section of sections) {
        const mail = tellMail(section, readLanguage(name, section), told);
        told.set(mail.id, mail);
      }
      return [...told.values()];
    });
}

function tellMail(section: Section, language: Language, told: Map<string, MadeMail>): MadeMail {
  const { head: id, fields, files, parts } = section;
  const [conversation = id, number] = id.split('/');
  const before =
    number === undefined ? null : number === '2' ? conversation : `${conversation}/${Number(number) - 1}`;
  const answered = before === null ? null : told.get(before);
  if (answered === undefined) throw new Error(`${id} answers ${before}, which is not above it.`);
  const sender = fields.get('from');
  return {
    id,
    conversation,
    language,
    topic: 'story',
    at: new Date(`${require(section, 'at').replace(' ', 'T')}:00Z`),
    inbox: require(section, 'to'),
    sent: sender === undefined,
    correspondent: readPerson(sender ?? require(section, 'sent')),
    subject: fields.get('subject') ?? `Re: ${answered?.subject ?? ''}`,
    text: parts[0]?.text ?? '',
    quoted: answered ? quoteHistory(answered) : '',
    labels: fields.get('labels')?.split(', ') ?? [],
    files: files.map(({ name, text }) => ({ name, text })),
    answers: before,
  };
}

function require({ head, fields }: Section, name: string): string {
  const value = fields.get(name);
  if (value === undefined) throw new Error(`${head} has no "${name}".`);
  return value;
}

/** The name of a file begins with its language. Chinese and Korean share one. */
function readLanguage(file: string, { head }: Section): Language {
  return (file.startsWith('zh-ko') ? head : file).slice(0, 2) as Language;
}

function readPerson(text: string): Person {
  const [, name, address] = /^(.+) <(.+)>$/.exec(text) ?? [];
  if (!name || !address) throw new Error(`"${text}" is not "Name <address>".`);
  return { name, address };
}
