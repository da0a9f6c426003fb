import { stemOf } from './stem-of.ts';
import { tokensOf } from './tokens-of.ts';
import { VectorBuilder, type Weight } from './vector-builder.ts';

/** An address of a message, with the name that belongs to it. */
export interface DocumentAddress {
  address: string;
  name?: string | null;
}

/** What is indexed of one message. */
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
  /** What the author wrote. */
  newText: string;
  /** Quoted history and the like. */
  restText: string;
  files: { name: string; text: string | null }[];
}

/** A message as the index stores it. */
export interface SearchDocument {
  /** A literal of the type tsvector. */
  vector: string;
  /** The words for the vocabulary, each once: without stems, facets and bigrams, at most 24 characters long. */
  words: string[];
}

const charactersMax = 200_000;
const recipientsMax = 200;
const filesMax = 100;

/**
 * Returns the lexemes, all of which a message has if the value of an operator matches it: `f` for `from:`, `t` for `to:`, `s` for `subject:`, `n` for
 * `filename:`. Returns none for a value without words.
 */
export function facetLexemes(facet: 'f' | 't' | 's' | 'n', value: string): string[] {
  const lexemes = tokensOf(value).map(({ words }) => `${facet}:${words[0]}`);
  return [...new Set(lexemes)];
}

/** Returns what the index stores of a message. At most 200,000 characters and 4,000 lexemes are read, those of subject and addresses first. */
export function searchDocument(fields: DocumentFields): SearchDocument {
  const builder = new VectorBuilder();
  addFacets(builder, fields);
  let left = charactersMax;
  const add = (text: string, weight: Weight) => {
    const read = text.slice(0, left);
    left -= read.length;
    builder.addText(tokensOf(read), weight);
  };
  add(fields.subject, 'A');
  for (const { address, name } of [fields.from, ...fields.recipients.slice(0, recipientsMax)]) {
    add(address, 'B');
    if (name) add(name, 'B');
  }
  for (const { name } of fields.files.slice(0, filesMax)) add(name, 'B');
  add(fields.newText, 'C');
  add(fields.restText, 'D');
  for (const { text } of fields.files.slice(0, filesMax)) if (text !== null) add(text, 'D');
  return builder.finish();
}

function addFacets(builder: VectorBuilder, fields: DocumentFields): void {
  const { workspaceId, inboxId, bucketId, blockId, direction, hasAttachment } = fields;
  builder.addFacet(`@b${bucketId.toString(36)}`);
  builder.addFacet(`@k${blockId.toString(36)}`);
  builder.addFacet(`@w${workspaceId}`);
  builder.addFacet(`in:${inboxId}`);
  builder.addFacet(`is:${direction}`);
  if (hasAttachment) builder.addFacet('has:attachment');
  for (const lexeme of addressFacets('f', fields.from)) builder.addFacet(lexeme);
  for (const recipient of fields.recipients.slice(0, recipientsMax)) {
    for (const lexeme of addressFacets('t', recipient)) builder.addFacet(lexeme);
  }
  for (const { words } of tokensOf(fields.subject)) {
    for (const word of words) {
      builder.addFacet(`s:${word}`);
      const stem = stemOf(word);
      if (stem !== word) builder.addFacet(`s:~${stem}`);
    }
  }
  for (const { name } of fields.files.slice(0, filesMax)) {
    for (const { words } of tokensOf(name)) for (const word of words) builder.addFacet(`n:${word}`);
  }
}

function addressFacets(facet: 'f' | 't', { address, name }: DocumentAddress): string[] {
  return [address, name ?? '']
    .flatMap((text) => tokensOf(text))
    .flatMap(({ words }) => words.map((word) => `${facet}:${word}`));
}
