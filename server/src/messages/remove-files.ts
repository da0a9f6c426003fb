import type { Deps } from '../deps.ts';
import { jobNames } from '../jobs/job-names.ts';
import type { JobDefinition } from '../jobs/queue.ts';

/** Where the files are that nothing names any more. */
export interface RemoveFiles {
  keys: string[];
}

/** Removes files of messages that were deleted; those that are not there are passed over. */
export const removeFiles = (deps: Pick<Deps, 'files'>): JobDefinition<RemoveFiles> => ({
  name: jobNames.removeFiles,
  run: ({ keys }) => deps.files.delete(keys),
});
