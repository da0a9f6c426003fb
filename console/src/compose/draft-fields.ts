import type { Attachment, CreateDraftParams, Draft, Postrider, UpdateDraftParams } from 'postrider';

/** A file of a draft: one that the person has just added, or one that the server has. */
export type DraftFile = { id: string; name: string; bytes: number } & (
  | { source: File; stored?: undefined }
  | { source?: undefined; stored: Attachment }
);

/** The fields that a person writes. */
export interface DraftFields {
  inboxId: string;
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  text: string;
  /** The formatted version; empty for none. */
  html: string;
  files: DraftFile[];
  /** Only for a forward: whether its files are included. */
  withFiles: boolean;
}

/** The purpose of a message. */
export type Purpose =
  | { kind: 'new' }
  | { kind: 'reply'; messageId: string }
  | { kind: 'forward'; messageId: string };

/** The API has no drafts of forwards, so these keys in the metadata of a draft say what it forwards, and whether with its files. */
const keys = { forward: 'console_forward', withoutFiles: 'console_forward_without_files' };

/** Returns the purpose of a draft. */
export function readPurpose({ reply_to_message_id, metadata }: Draft): Purpose {
  const forwarded = metadata[keys.forward];
  if (forwarded !== undefined) return { kind: 'forward', messageId: forwarded };
  return reply_to_message_id === null ? { kind: 'new' } : { kind: 'reply', messageId: reply_to_message_id };
}

/** Returns the metadata of a draft. What others wrote into it before stays. */
export function writeMetadata(
  purpose: Purpose,
  { withFiles }: DraftFields,
  before: Draft['metadata'] = {},
): Record<string, string> {
  const { [keys.forward]: _, [keys.withoutFiles]: __, ...others } = before;
  if (purpose.kind !== 'forward') return others;
  return { ...others, [keys.forward]: purpose.messageId, ...(!withFiles && { [keys.withoutFiles]: 'yes' }) };
}

/** Returns the fields of a draft that a person has written. */
export function readFields(draft: Draft): DraftFields {
  return {
    inboxId: draft.inbox_id,
    to: draft.to,
    cc: draft.cc,
    bcc: draft.bcc,
    subject: draft.subject ?? '',
    text: draft.text ?? '',
    html: draft.html ?? '',
    files: draft.attachments.map((stored) => ({
      id: stored.id,
      name: stored.filename,
      bytes: stored.size_bytes,
      stored,
    })),
    withFiles: draft.metadata[keys.withoutFiles] === undefined,
  };
}

/** Returns fields with nothing written. */
export function emptyFields(inboxId: string): DraftFields {
  return { inboxId, to: [], cc: [], bcc: [], subject: '', text: '', html: '', files: [], withFiles: true };
}

/** Returns a draft's file for one of the person's. */
export function addedFile(source: File): DraftFile {
  // Two files may have the same name, and one file may be added twice.
  const id = `new-${++added}`;
  return { id, name: source.name, bytes: source.size, source };
}

let added = 0;

/** The place where drafts are stored. */
export interface DraftStore {
  create(params: CreateDraftParams): PromiseLike<Draft>;
  update(id: string, params: UpdateDraftParams): PromiseLike<Draft>;
  delete(id: string): PromiseLike<unknown>;
  /** Returns files in the form that a request takes. */
  read(files: readonly DraftFile[]): Promise<NonNullable<CreateDraftParams['attachments']>>;
}

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
