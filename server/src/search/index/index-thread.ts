import { WorkThread } from '../../lib/concurrency/work-thread.ts';
import type { Bucket } from './choose-bucket.ts';
import type { DocumentRow } from './read-documents.ts';

/** 4 MB of text take 0.5 s. A single message takes at most 0.1 s unless it is hostile. */
const limits = { heapMb: 192, processorMs: 10_000, idleMs: 300_000 };

/** The worker in this folder, which is TypeScript in the workspace and JavaScript in a build. */
const worker = new URL(
  import.meta.url.endsWith('.ts') ? './index-worker.ts' : './index-worker.js',
  import.meta.url,
);

/** The documents of a job, and its number, by which `learn` refers to it. */
export interface MadeDocuments {
  job: number;
  lists: Record<keyof IndexAnswer, Buffer>;
}

/** Makes documents in a separate thread. */
export interface DocumentThread {
  /** @throws WorkStopped if it takes too much memory or processor time, fails, or could not be run. */
  make(messages: IndexJob['messages'], extent: Extent): Promise<MadeDocuments>;
  /** Passes on the reply of the database about the words of a job. */
  learn(learned: Learned): void;
  /** Has the thread forget words that the vocabulary has no longer. */
  forget(workspaceId: string, words: string[]): void;
  close(): Promise<void>;
}

/** Creates the thread, which starts with its first job. */
export function createDocumentThread(): DocumentThread {
  const thread = new WorkThread<IndexJob, IndexAnswer>(worker, limits);
  let number = 0;
  let learned: Learned[] = [];
  let forgotten: IndexJob['forgotten'] = [];
  return {
    make: async (messages, extent) => {
      const job: IndexJob = { number: ++number, messages, extent, learned, forgotten };
      learned = [];
      forgotten = [];
      const lists = await thread.run(job);
      const buffers = Object.entries(lists).map(([name, list]) => [name, Buffer.from(list.buffer)]);
      return { job: job.number, lists: Object.fromEntries(buffers) as MadeDocuments['lists'] };
    },
    learn: (each) => void learned.push(each),
    forget: (workspaceId, words) => void forgotten.push({ workspaceId, words }),
    close: () => thread.close(),
  };
}

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
