import { addFacets, countedFacets } from './add-facets.ts';
import type { DocumentAddress, DocumentFields } from './document-fields.ts';
import { stemSchemeOf } from './stem-scheme.ts';
import { tokensOf } from './tokens-of.ts';
import { VectorBuilder, type Weight } from './vector-builder.ts';

export type { DocumentFields } from './document-fields.ts';

/** A message as the index stores it. */
export interface SearchDocument {
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
 * Returns what the index stores of a message. At most 200,000 characters are read and 4,000 lexemes kept, besides the facets: subject,
 * addresses and file names first, then the new text, quoted text and the texts of files.
 */
export function searchDocument(fields: DocumentFields): SearchDocument {
  const { from, newText, restText } = fields;
  const builder = new VectorBuilder();
  let left = charactersMax;
  const read = (text: string, lengthMax = charactersMax) => {
    const cut = text.slice(0, Math.min(left, lengthMax));
    left -= cut.length;
    return tokensOf(cut);
  };
  const subject = read(fields.subject, lineLengthMax);
  const recipients = fields.recipients.slice(0, recipientsMax);
  const files = fields.files.slice(0, filesMax);
  const readNames = (names: string[]) => names.map((name) => read(name, lineLengthMax));
  const senderNames = readNames(namesOf([from]));
  const recipientNames = readNames(namesOf(recipients));
  const fileNames = readNames(files.map(({ name }) => name));
  const body = read(newText);
  const scheme = stemSchemeOf([...subject, ...body.slice(0, 1_000)]);

  addFacets(builder, { ...fields, recipients, files }, scheme);
  const add = (tokens: ReturnType<typeof tokensOf>, weight: Weight, most = lexemesMax) =>
    builder.addText(tokens, weight, scheme, most);
  add(subject, 'A', headLexemesMax);
  for (const name of [...senderNames, ...fileNames]) add(name, 'B', headLexemesMax);
  // A search for a person is rather for what they wrote than for what they got.
  for (const name of recipientNames) add(name, 'C', headLexemesMax);
  add(body, 'C');
  for (const text of [restText, ...files.map((file) => file.text ?? '')]) add(read(text), 'D');
  const { vector, words } = builder.finish();
  return { vector, words: [...countedFacets(fields), ...[...words].filter(isVocabulary)] };
}

function namesOf(people: DocumentAddress[]): string[] {
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
