/*
 * Runs in a worker thread. Turns batches of messages into the input of the database function, and remembers which words the vocabulary has.
 */
import { serveJobs } from '../../lib/concurrency/serve-jobs.ts';
import type { IndexAnswer, IndexJob } from './index-thread.ts';

await serveJobs<IndexJob, IndexAnswer>(async () => {
  const { createDocumentMaker } = await import('./make-documents.ts');
  const makeDocuments = createDocumentMaker();
  return (job, reply) => {
    const answer = makeDocuments(job);
    reply(
      answer,
      Object.values(answer).map((list) => list.buffer),
    );
  };
});
