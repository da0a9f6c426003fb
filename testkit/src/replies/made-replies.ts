/*
 * Replies whose new text is known, made from what people write in sixteen languages, with the layouts of two dozen mail clients. Half of
 * them is for tuning. The other half has other clients and other texts, and no pattern was chosen by its results.
 */
import { seededRandom } from '../lib/seeded-random.ts';
import { heldOutClients } from './clients-held-out.ts';
import { tunedClients } from './clients-tuned.ts';
import type { Language } from './language.ts';
import { chinese, czech, japanese, polish, russian, turkish } from './languages-east.ts';
import { danish, dutch, finnish, swedish } from './languages-north.ts';
import { english, french, german, italian, portuguese, spanish } from './languages-west.ts';
import { type Client, draftOf, type LaidOut, type Layout, quotedLines } from './reply-draft.ts';
import { type Half, trickyBodies } from './tricky-bodies.ts';

export const languages: Language[] = [
  english,
  german,
  french,
  spanish,
  italian,
  portuguese,
  dutch,
  swedish,
  danish,
  finnish,
  polish,
  czech,
  russian,
  turkish,
  japanese,
  chinese,
];

/** A reply with its new text. */
export interface MadeReply extends LaidOut {
  half: Half;
  client: string;
  language: string;
  layout: Layout;
  subject: string;
  /** The author's text, by paragraphs. */
  expected: string[];
  /** The quoted text, line by line. */
  history: string[];
}

const halves: Record<Half, { clients: Client[]; bodies: [number, number] }> = {
  tuned: { clients: tunedClients, bodies: [0, 3] },
  'held out': { clients: heldOutClients, bodies: [3, 6] },
};

const subjects: Record<string, string> = { de: 'Pumpe', fr: 'Pompe', ru: 'Насос', ja: 'ポンプ', zh: '水泵' };

/** Returns replies, which are the same for the same seed: every client in every language, as often as `rounds` says. */
export function makeReplies(half: Half, seed: number, rounds = 1): MadeReply[] {
  const random = seededRandom(seed);
  const pick = <Item>(items: Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const { clients, bodies } = halves[half];
  const replies: MadeReply[] = [];
  for (let round = 0; round < rounds; round += 1)
    for (const client of clients)
      for (const language of languages) {
        const layout = pick(client.layouts);
        const texts = random() < 0.35 ? trickyBodies[half] : language.bodies.slice(...bodies);
        // Answers between quoted lines need two paragraphs.
        const own = pick(layout === 'inline' ? texts.filter(({ length }) => length > 1) : texts);
        const quoted = {
          date: new Date(
            Date.UTC(
              2026,
              10,
              1 + Math.floor(random() * 28),
              8 + Math.floor(random() * 10),
              Math.floor(random() * 60),
            ),
          ),
          name: language.correspondent,
          address: pick(['anna@example.com', 'a.long.address@department.of.pumps.example.com']),
        };
        const signature =
          client.signs && random() < 0.5 ? [language.author, 'Example Ltd.', '+49 30 1234567'] : null;
        const subject = `${language.reply}${subjects[language.code] ?? 'Pump'}`;
        const isLong = random() < 0.4;
        const draft = draftOf({ language, body: own, layout, signature, quoted, subject, isLong });
        replies.push({
          half,
          client: client.name,
          language: language.code,
          layout,
          subject,
          expected: own,
          history: quotedLines(draft).filter(Boolean),
          ...client.layOut(draft),
        });
      }
  return replies;
}
