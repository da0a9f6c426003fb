import { readdirSync, readFileSync } from 'node:fs';
import { seededRandom } from '@postrider/testkit/lib/seeded-random.ts';
import type { Language, MadeMail, Person } from './made-mail.ts';
import { quoteHistory } from './quote-history.ts';
import { readSections, type Section } from './read-sections.ts';
import { type Drawn, drawFirm, drawPerson, fillPlaces, type WordSource } from './word-source.ts';

const folder = new URL('./templates/', import.meta.url);
const from = Date.UTC(2024, 11, 1);
const to = Date.UTC(2026, 10, 26);
const answerMs = 20 * 3_600_000;

/** Returns the mails among which those of the stories are to be found: everyday mail that shares words with them. */
export function fillTemplates(seed: number): MadeMail[] {
  return readdirSync(folder)
    .toSorted()
    .flatMap((name, at) => {
      const { sections, lists } = readSections(readFileSync(new URL(name, folder), 'utf8'));
      const language = name.slice(0, 2) as Language;
      const source: WordSource = { language, lists, random: seededRandom(seed + at) };
      return sections.flatMap((section) => fillTemplate(section, source));
    });
}

/** The head of a template says its topic, its inbox, and the number of conversations. */
function fillTemplate(section: Section, source: WordSource): MadeMail[] {
  const [topic = '', inbox = '', count = ''] = section.head.split(' ');
  return Array.from({ length: Number(count) }, (_, at) =>
    fillConversation(section, source, {
      topic,
      inbox,
      conversation: `${source.language}-${topic}-${at + 1}`,
    }),
  ).flat();
}

type Place = Pick<MadeMail, 'topic' | 'inbox' | 'conversation'>;

function fillConversation(section: Section, source: WordSource, place: Place): MadeMail[] {
  const { random } = source;
  const mails: MadeMail[] = [];
  const kept = new Map<string, string>();
  // A part of the conversations ends with its question, as in any inbox.
  const length = 1 + Math.floor(random() * section.parts.length);
  let at = from + Math.floor((random() * (to - from)) / 60_000) * 60_000;
  for (const part of section.parts.slice(0, length)) {
    const before = mails.at(-1);
    const first = mails[0];
    const { correspondent, firm } = drawSender(part.from ?? section.fields.get('from') ?? '', source, first);
    const drawn: Drawn = { person: correspondent.name, firm, kept, numbers: new Map() };
    const fill = (text: string) => fillPlaces(text, source, drawn);
    const number = mails.length + 1;
    mails.push({
      ...place,
      id: number === 1 ? place.conversation : `${place.conversation}/${number}`,
      language: source.language,
      at: new Date(at),
      sent: part.from === 'sent',
      correspondent,
      subject: first ? `Re: ${first.subject}` : fill(section.fields.get('subject') ?? ''),
      text: fill(part.text),
      quoted: before ? quoteHistory(before) : '',
      labels: first || random() >= 0.5 ? [] : (section.fields.get('labels')?.split(', ') ?? []),
      files: first
        ? []
        : section.files
            .filter(({ percent }) => random() * 100 < percent)
            .map(({ name, text }) => ({ name: fill(name), text: fill(text) })),
      answers: before?.id ?? null,
    });
    at += Math.floor((random() * answerMs) / 60_000) * 60_000;
  }
  return mails;
}

/**
 * `person` is somebody, `first` and `sent` are the author of the first mail, to whom a sent mail goes, and `firm news` is the address
 * `news` of a firm.
 */
function drawSender(
  kind: string,
  source: WordSource,
  first: MadeMail | undefined,
): { correspondent: Person; firm: string } {
  const { name, domain } = drawFirm(source);
  if ((kind === 'first' || kind === 'sent') && first)
    return { correspondent: first.correspondent, firm: name };
  if (kind === 'person') return { correspondent: drawPerson(source), firm: name };
  return { correspondent: { name, address: `${kind.replace('firm ', '')}@${domain}` }, firm: name };
}
