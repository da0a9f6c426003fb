import { readTokens, type Token } from './read-tokens.ts';
import { detectStemScheme, indexedStems, type StemScheme } from './word-forms.ts';

/** An address of a message, with the name that belongs to it. */
interface DocumentAddress {
  address: string;
  name?: string | null;
}

/** The parts of a message that are indexed. */
export interface DocumentFields {
  workspaceId: string;
  inboxId: string;
  bucketId: number;
  blockId: number;
  direction: 'inbound' | 'outbound';
  hasAttachment: boolean;
  subject: string;
  from: DocumentAddress;
  recipients: DocumentAddress[];
  /** The text that the author wrote. */
  newText: string;
  /** Quoted history and the like. */
  restText: string;
  files: { name: string; text: string | null }[];
}

/** A message as the index stores it. */
interface SearchDocument {
  /** A literal of the type tsvector. */
  vector: string;
  /**
   * The words for the vocabulary, each once: without stems and characters in pairs, 2 to 24 UTF-16 units long. Of the facets, the inbox,
   * the direction and that it has files.
   */
  words: string[];
}

const charactersMax = 200_000;
const lineLengthMax = 2_000;
const recipientsMax = 100;
const filesMax = 100;
const lexemesMax = 4_000;
/** The lexemes that subject, addresses and file names may take, so that the text always has its share. */
const headLexemesMax = 1_500;
const vocabularyLengthMin = 2;
const vocabularyLengthMax = 24;

/**
 * Returns the indexed form of a message. At most 200,000 characters are read and 4,000 lexemes kept, in addition to the facets: subject,
 * addresses and file names first, then the new text, quoted text and the texts of files.
 */
export function searchDocument(fields: DocumentFields): SearchDocument {
  const { from, newText, restText } = fields;
  const builder = new VectorBuilder();
  let left = charactersMax;
  const read = (text: string, lengthMax = charactersMax) => {
    const cut = text.slice(0, Math.min(left, lengthMax));
    left -= cut.length;
    return readTokens(cut);
  };
  const subject = read(fields.subject, lineLengthMax);
  const recipients = fields.recipients.slice(0, recipientsMax);
  const files = fields.files.slice(0, filesMax);
  const readNames = (names: string[]) => names.map((name) => read(name, lineLengthMax));
  const senderNames = readNames(listNames([from]));
  const recipientNames = readNames(listNames(recipients));
  const fileNames = readNames(files.map(({ name }) => name));
  const body = read(newText);
  const scheme = detectStemScheme([...subject, ...body.slice(0, 1_000)]);

  addFacets(builder, { ...fields, recipients, files }, scheme);
  const add = (tokens: ReturnType<typeof readTokens>, weight: Weight, most = lexemesMax) =>
    builder.addText(tokens, weight, scheme, most);
  add(subject, 'A', headLexemesMax);
  for (const name of [...senderNames, ...fileNames]) add(name, 'B', headLexemesMax);
  // A search for a person is more often about mail from that person than about mail to them.
  for (const name of recipientNames) add(name, 'C', headLexemesMax);
  add(body, 'C');
  for (const text of [restText, ...files.map((file) => file.text ?? '')]) add(read(text), 'D');
  const { vector, words } = builder.finish();
  return { vector, words: [...countedFacets(fields), ...[...words].filter(isVocabulary)] };
}

function listNames(people: DocumentAddress[]): string[] {
  return people.flatMap(({ address, name }) => [address, name ?? '']);
}

/** Numbers of tracking links are unlike in every message, and nobody types the beginning of one. */
function isVocabulary(word: string): boolean {
  if (word.length < vocabularyLengthMin || word.length > vocabularyLengthMax || word.includes('/'))
    return false;
  return word.length < 16 || countChanges(word) <= 5;
}

function countChanges(word: string): number {
  let changes = 0;
  let wasDigit = false;
  for (const character of word) {
    const isDigit = character >= '0' && character <= '9';
    if (isDigit !== wasDigit) changes += 1;
    wasDigit = isDigit;
  }
  return changes;
}

/**
 * Returns the lexemes of the inbox, the direction and the files of a message. The vocabulary counts them, so that a search knows how many
 * messages its filters leave.
 */
function countedFacets({ inboxId, direction, hasAttachment }: DocumentFields): string[] {
  return [`in:${inboxId}`, `is:${direction}`, ...(hasAttachment ? ['has:attachment'] : [])];
}

/** Adds the lexemes that do not stand in a text: the bucket, the workspace, the inbox, and for each operator the words of its field. */
function addFacets(builder: VectorBuilder, fields: DocumentFields, scheme: StemScheme): void {
  const { workspaceId, bucketId, blockId } = fields;
  builder.addFacet(`@b${bucketId.toString(36)}`);
  builder.addFacet(`@k${blockId.toString(36)}`);
  builder.addFacet(`@w${workspaceId}`);
  for (const facet of countedFacets(fields)) builder.addFacet(facet);
  addAddress(builder, 'f', fields.from);
  for (const word of readWords(fields.subject)) {
    builder.addFacet(`s:${word}`);
    for (const stem of indexedStems(word, scheme)) builder.addFacet(`s:${stem}`);
  }
  for (const { name } of fields.files) for (const word of readWords(name)) builder.addFacet(`n:${word}`);
  for (const recipient of fields.recipients) addAddress(builder, 't', recipient);
}

function addAddress(builder: VectorBuilder, facet: 'f' | 't', { address, name }: DocumentAddress): void {
  for (const word of [...readWords(address), ...readWords(name ?? '')]) builder.addFacet(`${facet}:${word}`);
}

function readWords(line: string): string[] {
  return readTokens(line.slice(0, lineLengthMax)).flatMap(({ words }) => words);
}

/** The weight of a field: A subject, B names and addresses, C new text, D the rest. */
type Weight = 'A' | 'B' | 'C' | 'D';

const facetsMax = 2_000;
/** Postgres keeps no more positions of a lexeme. */
const positionsMax = 255;
const lastPosition = 16_383;
/** Postgres refuses a vector of 1 MiB. Each position takes 2 bytes. */
const bytesMax = 900_000;
const lexemeOverhead = 8;
/** Between two fields, so that no phrase spans them. */
const fieldDistance = 8;

/** Collects the lexemes of one message. */
class VectorBuilder {
  private readonly facets = new Set<string>();
  private readonly lexemes = new Map<string, string[]>();
  private readonly words = new Set<string>();
  private bytes = 0;
  private offset = 0;

  /** Adds a lexeme without a position. */
  addFacet(lexeme: string): void {
    if (this.facets.size >= facetsMax || this.facets.has(lexeme)) return;
    this.facets.add(lexeme);
    this.bytes += Buffer.byteLength(lexeme) + lexemeOverhead;
  }

  /** Adds the tokens of a field after those of the fields before, until there are `lexemesMax` lexemes in all. */
  addText(tokens: Token[], weight: Weight, scheme: StemScheme, lexemesMax: number): void {
    for (const { words, at, cjk, emoji } of tokens) {
      const place = `${Math.min(this.offset + at, lastPosition)}${weight}`;
      for (const word of words) {
        const stems = indexedStems(word, scheme);
        // A search may use the stems alone.
        if (!this.addPlace(word, place, lexemesMax - stems.length)) continue;
        if (!cjk && !emoji) this.words.add(word);
        for (const stem of stems) this.addPlace(stem, place, lexemesMax);
      }
    }
    this.offset += (tokens.at(-1)?.at ?? 0) + fieldDistance;
  }

  /** Returns the literal of all lexemes, and the words among them. */
  finish(): { vector: string; words: Set<string> } {
    const parts = Array.from(this.facets, quote);
    for (const [lexeme, places] of this.lexemes) parts.push(`${quote(lexeme)}:${places.join(',')}`);
    return { vector: parts.join(' '), words: this.words };
  }

  /** Returns whether the lexeme is in the vector now. */
  private addPlace(lexeme: string, place: string, lexemesMax: number): boolean {
    const places = this.lexemes.get(lexeme);
    if (places === undefined) {
      const size = Buffer.byteLength(lexeme) + lexemeOverhead;
      if (this.lexemes.size >= lexemesMax || this.bytes + size > bytesMax) return false;
      this.bytes += size;
      this.lexemes.set(lexeme, [place]);
    } else if (places.length < positionsMax && this.bytes < bytesMax && places.at(-1) !== place) {
      this.bytes += 2;
      places.push(place);
    }
    return true;
  }
}

function quote(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
