import type { Postrider } from 'postrider';
import type { DraftFile } from './draft-fields.ts';
import type { DraftStore } from './draft-saver.ts';

/** Returns the drafts of the API as the place where a composer saves. */
export function draftStore(api: Postrider): DraftStore {
  return {
    create: (params) => api.drafts.create(params),
    update: (id, params) => api.drafts.update(id, params),
    delete: (id) => api.drafts.delete(id),
    read: (files) => readFiles(api, files),
  };
}

/** Returns files in the form that a request takes. Those that only the server has are downloaded, because a change replaces all files. */
export function readFiles(api: Postrider, files: readonly DraftFile[]) {
  return Promise.all(
    files.map(async ({ name, source, stored }) =>
      source
        ? { filename: name, content: source }
        : { filename: name, content_type: stored.mime_type, content: await api.attachments.download(stored) },
    ),
  );
}
