import type { Draft, UpdateDraftParams } from 'postrider';
import { describeProblem, errorCode, type FieldIssue } from '../lib/problem.ts';
import {
  type DraftFields,
  type DraftStore,
  type Purpose,
  readFields,
  writeMetadata,
} from './draft-fields.ts';

/** The progress of saving. */
export interface SavingState {
  /** The draft as it was last saved; null before the first time. */
  draft: Draft | null;
  phase: 'saved' | 'changed' | 'saving' | 'failed';
  error: unknown;
  /** The recipients that the API refuses, each with the reason. They are not saved. */
  refused: ReadonlyMap<string, string>;
}

const pauseMs = 800;
const kinds = ['to', 'cc', 'bcc'] as const;
const content = [...kinds, 'subject', 'text', 'html', 'reply_to_message_id', 'attachments'] as const;

/**
 * Keeps a draft equal to what a person writes. It saves after a short pause, one request at a time, and only the changes. A failure keeps
 * everything, and the next change or `flush` tries again.
 */
export class DraftSaver {
  #state: SavingState;
  #wanted: DraftFields;
  #saved: DraftFields | null;
  /** The draft in the last state that the person saw the whole of. Others may change it later. */
  #seen: Draft | null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<Draft> | null = null;
  /** Drafts that another one has taken the place of, and that are not deleted yet. */
  #replaced: Draft[] = [];
  readonly #watchers = new Set<() => void>();
  readonly #store: DraftStore;
  readonly #purpose: Purpose;

  constructor(store: DraftStore, purpose: Purpose, from: { draft: Draft } | { fields: DraftFields }) {
    const draft = 'draft' in from ? from.draft : null;
    this.#store = store;
    this.#purpose = purpose;
    this.#wanted = 'draft' in from ? readFields(from.draft) : from.fields;
    this.#saved = draft && this.#wanted;
    this.#seen = draft;
    this.#state = { draft, phase: 'saved', error: null, refused: new Map() };
  }

  /** The current state. A change creates a new object. */
  readonly state = (): SavingState => this.#state;

  /** The text of the person, saved or not. */
  readonly fields = (): DraftFields => this.#wanted;

  /** Calls a function after each change of the state or the fields, and returns a function that stops it. */
  readonly watch = (onChange: () => void): (() => void) => {
    this.#watchers.add(onChange);
    return () => this.#watchers.delete(onChange);
  };

  /** Receives the text that the person has written, and saves it after a pause. A changed text also replaces the formatted version. */
  change(changed: Partial<DraftFields>): void {
    const isRewritten = changed.text !== undefined && changed.text !== this.#wanted.text;
    this.#wanted = { ...this.#wanted, ...(isRewritten && { html: '' }), ...changed };
    this.#put({ phase: this.#running ? 'saving' : 'changed' });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush().catch(() => undefined), pauseMs);
  }

  /** Saves unsaved changes now, and returns the draft. Throws the error of the failed request. */
  flush(): Promise<Draft> {
    clearTimeout(this.#timer);
    this.#running ??= this.#save().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Ends the saving, such as before the draft is deleted. A request that runs ends first. */
  async stop(): Promise<Draft | null> {
    clearTimeout(this.#timer);
    await this.#running?.catch(() => undefined);
    clearTimeout(this.#timer);
    return this.#state.draft;
  }

  /** Discards unsaved changes, for example after the draft was deleted. */
  abandon(): void {
    this.#put({ phase: 'saved', error: null });
  }

  async #save(): Promise<Draft> {
    this.#put({ phase: 'saving', error: null });
    try {
      while (this.#state.draft === null || this.#saved !== this.#wanted) await this.#saveOnce();
      await this.#deleteReplaced();
      this.#put({ phase: 'saved' });
      return this.#state.draft;
    } catch (error) {
      this.#put({ phase: 'failed', error });
      throw error;
    }
  }

  async #saveOnce(): Promise<void> {
    const wanted = this.#wanted;
    const { refused } = this.#state;
    const sent = withoutRefused(wanted, refused);
    try {
      const draft = await this.#write(sent);
      this.#saved = wanted;
      this.#put({ draft });
    } catch (error) {
      const found = refusedRecipients(error, sent);
      const isDeleted = errorCode(error) === 'not_found' && this.#state.draft !== null;
      if (found.length === 0 && !isDeleted) throw error;
      // A draft that was deleted elsewhere is written anew, because the person still writes it.
      this.#put({ refused: new Map([...refused, ...found]), ...(isDeleted && { draft: null }) });
    }
  }

  async #write(fields: DraftFields): Promise<Draft> {
    const { draft } = this.#state;
    const before = this.#saved;
    if (draft && before && draft.inbox_id === fields.inboxId) {
      const change = await this.#findChange(before, fields);
      return Object.keys(change).length === 0 ? draft : this.#update(draft, change);
    }
    const created = await this.#store.create({
      inbox_id: fields.inboxId,
      ...draftTexts(fields),
      metadata: writeMetadata(this.#purpose, fields, draft?.metadata),
      ...(this.#purpose.kind === 'reply' && { reply_to_message_id: this.#purpose.messageId }),
      ...(fields.files.length > 0 && { attachments: await this.#store.read(fields.files) }),
    });
    // A draft stays with its inbox, so another sender means another draft.
    if (draft) this.#replaced.push(draft);
    this.#seen = created;
    return created;
  }

  async #update({ id }: Draft, change: UpdateDraftParams): Promise<Draft> {
    const seen = this.#seen;
    const draft = await this.#store.update(id, {
      ...change,
      ...(seen && { seen_updated_at: seen.updated_at }),
    });
    if (seen && isAsSeen(draft, seen, change)) this.#seen = draft;
    return draft;
  }

  /** A deletion that fails now is tried again with the next save. A draft inherits a time only once nothing else is sent at it. */
  async #deleteReplaced(): Promise<void> {
    for (const old of this.#replaced) {
      const isGone = await this.#store.delete(old.id).then(
        () => true,
        (error: unknown) => errorCode(error) === 'not_found',
      );
      if (!isGone) continue;
      this.#replaced = this.#replaced.filter((each) => each !== old);
      if (old.status !== 'scheduled' || this.#state.draft === null) continue;
      const draft = await this.#update(this.#state.draft, { scheduled_at: old.scheduled_at });
      this.#put({ draft });
    }
  }

  async #findChange(before: DraftFields, fields: DraftFields): Promise<UpdateDraftParams> {
    const was: Record<string, unknown> = draftTexts(withoutRefused(before, this.#state.refused));
    const changed = Object.entries(draftTexts(fields)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(was[name]),
    );
    return {
      ...Object.fromEntries(changed),
      ...(before.withFiles !== fields.withFiles && {
        metadata: writeMetadata(this.#purpose, fields, this.#state.draft?.metadata),
      }),
      ...(before.files !== fields.files && { attachments: await this.#store.read(fields.files) }),
    };
  }

  #put(changed: Partial<SavingState>): void {
    this.#state = { ...this.#state, ...changed };
    for (const watcher of this.#watchers) watcher();
  }
}

/** Returns the recipients that an error of the API is about, each with the reason. `sent` is the content of the request. */
export function refusedRecipients(
  error: unknown,
  sent: Pick<DraftFields, 'to' | 'cc' | 'bcc'>,
): [recipient: string, reason: string][] {
  if (errorCode(error) !== 'invalid_request') return [];
  return describeProblem(error).issues.flatMap((issue) => {
    const recipient = recipientAt(issue, sent);
    return recipient === undefined ? [] : [[recipient, issue.message]];
  });
}

function recipientAt({ path }: FieldIssue, sent: Pick<DraftFields, 'to' | 'cc' | 'bcc'>): string | undefined {
  const [, kind, index] = /^(to|cc|bcc)\.(\d+)$/.exec(path) ?? [];
  const found = kinds.find((each) => each === kind);
  return found && sent[found][Number(index)];
}

/** Returns whether a draft has nothing except what was seen and what a change has set. */
function isAsSeen(draft: Draft, seen: Draft, change: UpdateDraftParams): boolean {
  return content.every(
    (name) => name in change || comparablePart(draft, name) === comparablePart(seen, name),
  );
}

/** Links to files are others in each response. */
function comparablePart(draft: Draft, name: (typeof content)[number]): string {
  return JSON.stringify(name === 'attachments' ? draft.attachments.map(({ id }) => id) : draft[name]);
}

function draftTexts({ to, cc, bcc, subject, text, html }: DraftFields) {
  // A message that has only a formatted version has no text, which is not the same as an empty one.
  const isFormattedOnly = text === '' && html !== '';
  return { to, cc, bcc, subject, text: isFormattedOnly ? null : text, html: html === '' ? null : html };
}

function withoutRefused(fields: DraftFields, refused: ReadonlyMap<string, string>): DraftFields {
  if (refused.size === 0) return fields;
  const keep = (list: string[]) => list.filter((recipient) => !refused.has(recipient));
  return { ...fields, to: keep(fields.to), cc: keep(fields.cc), bcc: keep(fields.bcc) };
}
