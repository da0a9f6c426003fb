import { intList, textList } from '../../db/prepared.ts';
import { htmlToPlainText } from '../../mail/parse/html-to-plain-text.ts';
import { extractReply } from '../../mail/reply/extract-reply.ts';
import { type DocumentFields, searchDocument } from '../text/search-document.ts';
import { typoHashes } from '../text/word-forms.ts';
import type { Extent, IndexAnswer, IndexJob, Learned } from './index-thread.ts';

const wordsMax = 400_000;
/**
 * Counts are exact up to twice this number. A larger one grows at random, in steps of this share of itself, so that a common word is seldom
 * written.
 */
const stepShare = 32;

type Words = Map<string, number>;

/**
 * Roughly how many messages have each word of the vocabulary, as far as that is remembered. Words are forgotten if 200,000 others were used
 * since.
 */
class WordCounts {
  #young = new Map<string, Words>();
  #old = new Map<string, Words>();
  #youngSize = 0;

  /** Returns the number of messages with a word; undefined if it is not remembered. */
  get(workspaceId: string, word: string): number | undefined {
    const young = this.#young.get(workspaceId)?.get(word);
    if (young !== undefined) return young;
    const old = this.#old.get(workspaceId)?.get(word);
    if (old !== undefined) this.set(workspaceId, word, old);
    return old;
  }

  set(workspaceId: string, word: string, count: number): void {
    const words = this.#young.get(workspaceId) ?? new Map<string, number>();
    if (!words.has(word)) this.#youngSize += 1;
    words.set(word, count);
    this.#young.set(workspaceId, words);
    if (this.#youngSize * 2 < wordsMax) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngSize = 0;
  }

  forget(workspaceId: string, words: string[]): void {
    for (const words_ of [this.#young.get(workspaceId), this.#old.get(workspaceId)])
      for (const word of words) words_?.delete(word);
  }

  /** Counts one more message with a remembered word. Returns by how much its count in the database must increase, which is usually 0. */
  count(workspaceId: string, word: string, count: number): number {
    const step = Math.max(1, Math.floor(count / stepShare));
    if (Math.random() * step >= 1) return 0;
    this.set(workspaceId, word, count + step);
    return step;
  }
}

/** The words of a job that are written to the vocabulary, as lists of the same length. */
interface Counted {
  /** The messages that have them, counted from 1 as the database does. */
  messages: number[];
  words: string[];
  /** The increase of a word's count; null for an unknown word. */
  adds: (number | null)[];
  variants: (string | null)[];
}

/** Creates the function that makes the documents of a job. It remembers the vocabulary from one job to the next. */
export function createDocumentMaker(): (job: IndexJob) => IndexAnswer {
  const counts = new WordCounts();
  const unlearned = new Map<number, { workspaceIds: string[]; words: string[] }>();
  const learn = ({ job, places, counts: numbers }: Learned) => {
    const question = unlearned.get(job);
    for (const [index, place] of places.entries()) {
      // The database counts places from 1.
      const [workspaceId, word] = [question?.workspaceIds[place - 1], question?.words[place - 1]];
      if (workspaceId !== undefined && word !== undefined) counts.set(workspaceId, word, numbers[index] ?? 1);
    }
  };
  return ({ number, messages, extent, learned, forgotten }) => {
    for (const each of learned) learn(each);
    for (const job of unlearned.keys()) if (job < number - 2) unlearned.delete(job);
    for (const { workspaceId, words } of forgotten) counts.forget(workspaceId, words);
    const counted: Counted = { messages: [], words: [], adds: [], variants: [] };
    const documents = messages.map(({ row, place }, index) => {
      const document = searchDocument(documentFields({ row, place }, extent));
      countWords(
        counts,
        counted,
        { workspaceId: row.workspace_id, message: index + 1, isNew: row.bucket === null },
        document.words,
      );
      return document;
    });
    const workspaceIds = counted.messages.map((message) => messages[message - 1]?.row.workspace_id ?? '');
    unlearned.set(number, { workspaceIds, words: counted.words });
    return {
      vectors: listBytes(textList(documents.map(({ vector }) => vector))),
      wordMessages: listBytes(intList(counted.messages)),
      words: listBytes(textList(counted.words)),
      adds: listBytes(intList(counted.adds)),
      variants: listBytes(textList(counted.variants)),
    };
  };
}

/** Adds the words of one message that are unknown, and those known ones whose number is to grow. Only a new message is counted. */
function countWords(
  counts: WordCounts,
  counted: Counted,
  { workspaceId, message, isNew }: { workspaceId: string; message: number; isNew: boolean },
  words: string[],
): void {
  for (const word of words) {
    const number = counts.get(workspaceId, word);
    const add = number === undefined ? null : isNew ? counts.count(workspaceId, word, number) : 0;
    if (add === 0) continue;
    counted.messages.push(message);
    counted.words.push(word);
    counted.adds.push(add);
    counted.variants.push(`{${typoHashes(workspaceId, word).join(',')}}`);
  }
}

function documentFields({ row, place }: IndexJob['messages'][number], extent: Extent): DocumentFields {
  const isWhole = extent === 'whole';
  const hasWords = extent !== 'facets';
  return {
    workspaceId: row.workspace_id,
    inboxId: row.inbox_id ?? '',
    bucketId: place.number,
    blockId: place.block,
    direction: row.direction,
    hasAttachment: row.has_attachments,
    subject: hasWords ? row.subject : '',
    from: { address: row.from_addr, name: hasWords ? row.from_name : null },
    recipients: hasWords ? [...new Set(row.recipients)].map((address) => ({ address })) : [],
    files: isWhole ? row.files.map(({ filename, text }) => ({ name: filename, text })) : [],
    ...(isWhole ? splitTexts(row) : { newText: '', restText: '' }),
  };
}

function splitTexts(row: IndexJob['messages'][number]['row']) {
  const { direction, subject, body_text, body_html, extracted_text } = row;
  const body = body_text ?? (body_html === null ? '' : htmlToPlainText(body_html));
  // A message that is sent is stored without its new text, although it may quote the mail that it answers.
  const newText = extracted_text ?? (direction === 'outbound' ? extractReply(body, null, { subject }) : null);
  return newText === null
    ? { newText: body, restText: '' }
    : { newText, restText: cutNewText(body, newText) };
}

function listBytes(list: Buffer): Uint8Array<ArrayBuffer> {
  // A small Buffer shares its memory with others, which must not be handed over.
  return new Uint8Array(list);
}

/** Returns the parts of a body that are not in its new text: quoted history, signatures and the like. */
export function cutNewText(body: string, newText: string): string {
  const at = newText === '' ? -1 : body.indexOf(newText);
  if (at >= 0) return `${body.slice(0, at)}\n${body.slice(at + newText.length)}`.trim();
  const lines = new Map<string, number>();
  for (const line of newText.split('\n')) lines.set(line.trim(), (lines.get(line.trim()) ?? 0) + 1);
  const isRest = (line: string) => {
    const left = lines.get(line.trim()) ?? 0;
    if (left > 0) lines.set(line.trim(), left - 1);
    return left === 0;
  };
  return body.split('\n').filter(isRest).join('\n').trim();
}
