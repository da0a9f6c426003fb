import type { Deps } from '../deps.ts';
import { jobNames } from '../jobs/job-names.ts';
import type { JobDefinition } from '../jobs/queue.ts';

/** The keys of files that nothing refers to any more. */
export interface RemoveFiles {
  keys: string[];
}

/** Removes files of deleted messages. Missing files are ignored. */
export function removeFiles(deps: Pick<Deps, 'files'>): JobDefinition<RemoveFiles> {
  return {
    name: jobNames.removeFiles,
    run: ({ keys }) => deps.files.delete(keys),
  };
}
