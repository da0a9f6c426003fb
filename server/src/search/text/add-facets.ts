import type { DocumentAddress, DocumentFields } from './document-fields.ts';
import { indexedStems, type StemScheme } from './stem-of.ts';
import { tokensOf } from './tokens-of.ts';
import type { VectorBuilder } from './vector-builder.ts';

const lineLengthMax = 2_000;

/**
 * Returns the lexemes of the inbox, the direction and the files of a message. The vocabulary counts them, so that a search knows how many
 * messages its filters leave.
 */
export function countedFacets({ inboxId, direction, hasAttachment }: DocumentFields): string[] {
  return [`in:${inboxId}`, `is:${direction}`, ...(hasAttachment ? ['has:attachment'] : [])];
}

/** Adds the lexemes that do not stand in a text: the bucket, the workspace, the inbox, and for each operator the words of its field. */
export function addFacets(builder: VectorBuilder, fields: DocumentFields, scheme: StemScheme): void {
  const { workspaceId, bucketId, blockId } = fields;
  builder.addFacet(`@b${bucketId.toString(36)}`);
  builder.addFacet(`@k${blockId.toString(36)}`);
  builder.addFacet(`@w${workspaceId}`);
  for (const facet of countedFacets(fields)) builder.addFacet(facet);
  addAddress(builder, 'f', fields.from);
  for (const word of wordsOf(fields.subject)) {
    builder.addFacet(`s:${word}`);
    for (const stem of indexedStems(word, scheme)) builder.addFacet(`s:${stem}`);
  }
  for (const { name } of fields.files) for (const word of wordsOf(name)) builder.addFacet(`n:${word}`);
  for (const recipient of fields.recipients) addAddress(builder, 't', recipient);
}

function addAddress(builder: VectorBuilder, facet: 'f' | 't', { address, name }: DocumentAddress): void {
  for (const word of [...wordsOf(address), ...wordsOf(name ?? '')]) builder.addFacet(`${facet}:${word}`);
}

function wordsOf(line: string): string[] {
  return tokensOf(line.slice(0, lineLengthMax)).flatMap(({ words }) => words);
}
