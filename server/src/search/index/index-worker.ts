/* Runs in a worker thread: turns batches of messages into what the database function takes, and remembers which words the vocabulary has. */
import { parentPort } from 'node:worker_threads';
import { giveWay } from '../../lib/concurrency/give-way.ts';
import type { IndexAnswer, IndexJob } from './index-job.ts';

/** The messages to the thread and its replies. */
export type { IndexAnswer, IndexJob } from './index-job.ts';

const port = parentPort;
if (!port) throw new Error('This file runs in a worker thread.');
giveWay();
// Loading runs at the lower priority, too.
const { createDocumentMaker } = await import('./make-documents.ts');

const makeDocuments = createDocumentMaker();

port.on('message', (job: IndexJob) => {
  const answer: IndexAnswer = makeDocuments(job);
  port.postMessage(
    answer,
    Object.values(answer).map((list) => list.buffer),
  );
});
