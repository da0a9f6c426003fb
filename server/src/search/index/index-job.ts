import type { Bucket } from './choose-bucket.ts';
import type { DocumentRow } from './read-documents.ts';

/** How much of its messages a job indexes: all, no texts, or no words at all. */
export type Extent = 'whole' | 'subject' | 'facets';

/** The numbers of messages for words that a job did not know, by the places of the words in its answer. */
export interface Learned {
  job: number;
  places: number[];
  counts: number[];
}

/** Messages to be indexed, and what has become known of the vocabulary since the last job. */
export interface IndexJob {
  number: number;
  messages: { row: DocumentRow; place: Bucket }[];
  extent: Extent;
  learned: Learned[];
  forgotten: { workspaceId: string; words: string[] }[];
}

/** Parameters of the database function, in the binary format of lists. */
export interface IndexAnswer {
  vectors: Uint8Array<ArrayBuffer>;
  wordMessages: Uint8Array<ArrayBuffer>;
  words: Uint8Array<ArrayBuffer>;
  adds: Uint8Array<ArrayBuffer>;
  variants: Uint8Array<ArrayBuffer>;
}
