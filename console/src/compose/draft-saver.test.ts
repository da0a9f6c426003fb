import type { CreateDraftParams, Draft, UpdateDraftParams } from 'postrider';
import { describe, expect, it } from 'vitest';
import { ConsoleError, NoAnswerError } from '../lib/problem.ts';
import { type DraftFields, emptyFields } from './draft-fields.ts';
import { DraftSaver, refusedRecipients } from './draft-saver.ts';

type Failure = (params: UpdateDraftParams) => Error | null;

/** Drafts in memory, with a log of the requests. `fail` decides on the failure of a request. */
function memoryStore(fail: Failure = () => null) {
  const log: string[] = [];
  const drafts = new Map<string, Draft>();
  const seen: string[] = [];
  let states = 0;
  let open = 0;
  const save = async (id: string, params: UpdateDraftParams, line: string): Promise<Draft> => {
    open += 1;
    log.push(open > 1 ? `${line} at the same time` : line);
    await new Promise((done) => setTimeout(done, 1));
    open -= 1;
    const error = fail(params);
    if (error) throw error;
    const before = drafts.get(id) ?? {
      id,
      inbox_id: 'inb_1',
      status: 'draft',
      metadata: {},
      attachments: [],
    };
    const { seen_updated_at, ...changes } = params;
    if (seen_updated_at) seen.push(seen_updated_at);
    drafts.set(id, { ...before, ...changes, updated_at: `state ${++states}` } as Draft);
    return drafts.get(id) as Draft;
  };
  return {
    log,
    drafts,
    /** The versions that the person saw, as updates named them. */
    seen,
    create: (params: CreateDraftParams) => save(`dft_${drafts.size + 1}`, params, `create ${params.text}`),
    update: (id: string, params: UpdateDraftParams) =>
      drafts.has(id)
        ? save(id, params, `update ${id} ${changedNames(params)}`)
        : Promise.reject(new ConsoleError(404, null, { error: 'not_found' })),
    delete: async (id: string) => void drafts.delete(id),
    read: async () => [],
  };
}

const changedNames = ({ seen_updated_at, ...changes }: UpdateDraftParams) => Object.keys(changes).join();

/** Starts a saver, of a draft if one is given. */
function start({ fail, draft }: { fail?: Failure; draft?: Draft } = {}) {
  const store = memoryStore(fail);
  if (draft) store.drafts.set(draft.id, draft);
  const saver = new DraftSaver(store, { kind: 'new' }, draft ? { draft } : { fields: emptyFields('inb_1') });
  function save(change: Partial<DraftFields>) {
    saver.change(change);
    return saver.flush();
  }
  return { store, saver, save };
}

const malformed = (path: string) =>
  new ConsoleError(400, null, { error: 'invalid_request', issues: [{ path, message: 'is wrong' }] });

describe('DraftSaver', () => {
  it('sends one request at a time, and only what has changed', async () => {
    const { store, saver } = start();
    saver.change({ text: 'one' });
    const first = saver.flush();
    saver.change({ text: 'one two' });
    saver.change({ subject: 'Hello' });
    await Promise.all([first, saver.flush(), saver.flush()]);
    expect(store.log).toEqual(['create one', 'update dft_1 subject,text']);
    expect(store.drafts.get('dft_1')).toMatchObject({ subject: 'Hello', text: 'one two' });
    expect(saver.state().phase).toBe('saved');
  });

  it('keeps everything after a failure, and saves it with the next try', async () => {
    let isDown = true;
    const { saver, save } = start({ fail: () => (isDown ? new NoAnswerError() : null) });
    await expect(save({ text: 'important' })).rejects.toThrow(NoAnswerError);
    expect(saver.state().phase).toBe('failed');
    expect(saver.fields().text).toBe('important');
    isDown = false;
    expect((await saver.flush()).text).toBe('important');
  });

  it('saves the rest if the API refuses a recipient, and says why', async () => {
    const fail: Failure = ({ to = [] }) => {
      const at = (to as string[]).indexOf('nobody');
      return at === -1 ? null : malformed(`to.${at}`);
    };
    const { store, saver, save } = start({ fail });
    await save({ to: ['a@x.org', 'nobody', 'b@x.org'], text: 'Hi' });
    expect(store.drafts.get('dft_1')).toMatchObject({ to: ['a@x.org', 'b@x.org'], text: 'Hi' });
    expect(saver.fields().to).toContain('nobody');
    expect([...saver.state().refused]).toEqual([['nobody', 'is wrong']]);
  });

  it('does not try again and again for an error that no recipient causes', async () => {
    const { store, save } = start({ fail: () => malformed('subject') });
    await expect(save({ subject: 'x' })).rejects.toThrow();
    expect(store.log).toHaveLength(1);
  });

  it('writes a draft anew that was deleted elsewhere', async () => {
    const { store, save } = start();
    await save({ text: 'one' });
    store.drafts.clear();
    expect((await save({ text: 'two' })).text).toBe('two');
    expect(store.drafts.size).toBe(1);
  });

  it('moves to another draft if another inbox sends', async () => {
    const { store, save } = start();
    await save({ text: 'one' });
    await save({ inboxId: 'inb_2' });
    expect([...store.drafts.values()]).toMatchObject([{ inbox_id: 'inb_2', text: 'one' }]);
  });

  it('keeps the new draft if the old one cannot be deleted, and deletes that with the next save', async () => {
    const { store, save } = start();
    await save({ text: 'one' });
    const remove = store.delete;
    store.delete = () => Promise.reject(new NoAnswerError());
    expect(await save({ inboxId: 'inb_2' })).toMatchObject({ id: 'dft_2', inbox_id: 'inb_2' });
    store.delete = remove;
    await save({ text: 'two' });
    expect([...store.drafts.values()]).toMatchObject([{ id: 'dft_2', text: 'two' }]);
  });

  it('moves the time of a scheduled draft to the draft of another inbox once the old one is deleted', async () => {
    const draft = { ...agentDraft, status: 'scheduled', scheduled_at: '2040-01-31T09:00:00.000Z' } as Draft;
    const { store, save } = start({ draft });
    await save({ inboxId: 'inb_2' });
    expect([...store.drafts.values()]).toMatchObject([
      { inbox_id: 'inb_2', scheduled_at: draft.scheduled_at, metadata: { order: '7' } },
    ]);
  });

  it('removes the formatted version of a draft when its text changes, and not before', async () => {
    const { save } = start({ draft: agentDraft });
    expect((await save({ subject: 'Hello' })).html).toBe('<b>Hi</b>');
    expect(await save({ text: 'Good day' })).toMatchObject({ text: 'Good day', html: null });
  });

  it('says which state the person saw, which others may have changed meanwhile', async () => {
    const { store, save } = start();
    for (const text of ['one', 'two', 'three']) await save({ text });
    expect(store.seen).toEqual(['state 1', 'state 2']);
    await store.update('dft_1', { to: ['agent@x.org'] });
    for (const text of ['four', 'five']) await save({ text });
    expect(store.seen.slice(2)).toEqual(['state 3', 'state 3']);
  });
});

const agentDraft = {
  id: 'dft_agent',
  inbox_id: 'inb_1',
  to: [],
  cc: [],
  bcc: [],
  subject: null,
  text: 'Hi',
  html: '<b>Hi</b>',
  attachments: [],
  metadata: { order: '7' },
  status: 'draft',
} as unknown as Draft;

it('reads the recipient that an error is about, and no other field', () => {
  const sent = { to: ['a'], cc: [], bcc: ['b', 'c'] };
  expect(refusedRecipients(malformed('bcc.1'), sent)).toEqual([['c', 'is wrong']]);
  expect(refusedRecipients(malformed('to'), sent)).toEqual([]);
  expect(refusedRecipients(malformed('to.7'), sent)).toEqual([]);
  expect(refusedRecipients(new NoAnswerError(), sent)).toEqual([]);
});
