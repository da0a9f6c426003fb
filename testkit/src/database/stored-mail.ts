import { randomBytes } from 'node:crypto';
import { type Database, openDatabase } from '../../../server/src/db/database.ts';
import { createLocalWakeups } from '../../../server/src/db/wakeups.ts';
import { createReadLimiter, type ReadLimiter } from '../../../server/src/lib/admission/message-slots.ts';
import { newId } from '../../../server/src/lib/ids.ts';
import type { Memory } from '../../../server/src/lib/memory.ts';
import type {
  MessageRecord,
  NewMessage,
  NewRecipient,
  StoreOutcome,
} from '../../../server/src/messages/store/message-record.ts';
import {
  readOutcome,
  type StoreCall,
  type StoredAnswer,
  type StoreFunction,
  storeCall,
  storeMessage,
  storeValues,
} from '../../../server/src/messages/store/store-message.ts';
import { type SendRecord, sendCall } from '../../../server/src/outbound/store-send.ts';
import { createWorkspace } from '../../../server/src/workspaces/manage-workspaces.ts';
import { freshDatabase } from './fresh-database.ts';

/** The fields of a mail that a test stores. The rest is the same for all. */
export interface StoredMail {
  inboxId: string;
  /** Its Message-ID; a new one by default. */
  own?: string;
  /** The Message-IDs that it refers to, best first. */
  named?: string[];
  at?: Date;
  recipients?: string[];
  /** Its bytes, if they are stored with it. */
  original?: Buffer;
  /** Fields of the row, such as `subject`. */
  message?: Partial<NewMessage>;
  /** Fields of the record, such as `threadId`, `client` or `fingerprint`. */
  record?: Partial<MessageRecord>;
  /** The rule that decided about it, if it is sent. */
  send?: Partial<SendRecord>;
}

/** The outcome of a mail that was stored. */
type Stored = Extract<StoreOutcome, { outcome: 'stored' }>;

/** A database with one workspace, in which mail can be stored without a server. */
export interface MailStore {
  database: Database;
  workspaceId: string;
  deps: {
    database: Database;
    db: Database['db'];
    wakeups: ReturnType<typeof createLocalWakeups>;
    readLimiter: ReadLimiter;
    memory: Memory;
  };
  inbox(): Promise<string>;
  /** Returns the record of a mail, as intake would make it. */
  record(mail: StoredMail): MessageRecord;
  store(mail: StoredMail): Promise<StoreOutcome>;
  /** Stores a mail that nothing refuses. Throws otherwise. */
  keep(mail: StoredMail): Promise<Stored>;
  /** Returns the statement that stores mails in one call of the database function, with its values. */
  storeSql(mails: StoredMail[]): [text: string, values: unknown[]];
  /** Returns the same for sends, which are stored if they are still decided. */
  sendSql(mails: StoredMail[]): [text: string, values: unknown[]];
  /** Stores mails in one call of the database function, in their order. */
  storeBatch(mails: StoredMail[]): Promise<StoreOutcome[]>;
  rows<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** Opens a new database. A larger pool is for tests of concurrency. */
export async function openMailStore(poolMax = 10, make = freshDatabase): Promise<MailStore> {
  const fresh = await make();
  const { settings } = fresh;
  const database = await openDatabase('url' in settings ? { ...settings, poolMax } : settings);
  const deps = {
    database,
    db: database.db,
    wakeups: createLocalWakeups(),
    readLimiter: createReadLimiter(),
    memory: new Map(),
  };
  const clock = { now: () => new Date() };
  const name = `store-${randomBytes(4).toString('hex')}`;
  const workspace = await createWorkspace({ ...deps, clock }, { name, plan: 'business', isTest: false });
  if (!workspace) throw new Error('The name of the workspace was taken.');
  const record = (mail: StoredMail) => makeRecord(workspace.id, mail);
  const rows = async <Row>(text: string, values: unknown[] = []) =>
    (await database.pool.query(text, values)).rows as Row[];
  const storeSql = (mails: StoredMail[]) =>
    statement(
      'store_messages',
      mails.map((mail) => storeCall(record(mail), mail.original ?? null)),
    );
  const sendSql = (mails: StoredMail[]) =>
    statement(
      'store_sends',
      mails.map((mail) => sendCall({ ...record(mail), ...undecided, ...mail.send }, mail.original ?? null)),
    );
  const store = (mail: StoredMail) =>
    storeMessage({ ...deps, workspaceId: workspace.id }, record(mail), mail.original ?? null);
  return {
    database,
    workspaceId: workspace.id,
    deps,
    inbox: () => insertInbox(database, workspace.id),
    record,
    store,
    keep: async (mail) => {
      const outcome = await store(mail);
      if (outcome.outcome !== 'stored') throw new Error(`The mail was not stored: ${outcome.outcome}`);
      return outcome;
    },
    storeSql,
    sendSql,
    storeBatch: async (mails) => {
      const answers = await rows<{ answer: StoredAnswer }>(...storeSql(mails));
      return answers.map(({ answer }) => readOutcome(answer));
    },
    rows,
    close: async () => {
      await database.close();
      await fresh.drop();
    },
  };
}

const undecided = { sendingVersion: '', counted: null, nearCaps: [] };

function statement(name: StoreFunction, calls: StoreCall[]): [string, unknown[]] {
  const values = storeValues(calls);
  return [
    `select answer from ${name}($1, $2, $3, $4, $5) with ordinality s(answer, n) order by n`,
    [values.payload, values.bodyTexts, values.bodyHtmls, values.extractedTexts, values.originals],
  ];
}

async function insertInbox(database: Database, workspaceId: string): Promise<string> {
  const id = newId('inb');
  const local_part = randomBytes(6).toString('hex');
  await database.db
    .insertInto('inboxes')
    .values({
      id,
      workspace_id: workspaceId,
      local_part,
      address: `${local_part}@postrider.test`,
      metadata: {},
      created_at: new Date(),
    })
    .execute();
  return id;
}

function makeRecord(workspaceId: string, mail: StoredMail): MessageRecord {
  const at = mail.at ?? new Date();
  const id = mail.message?.id ?? newId('msg', at);
  const own = mail.own ?? `<${id}@mail.example>`;
  const message: NewMessage = {
    ...plainMessage,
    workspace_id: workspaceId,
    id,
    inbox_id: mail.inboxId,
    direction: mail.recipients ? 'outbound' : 'inbound',
    delivery_status: mail.recipients ? 'queued' : 'received',
    message_id_header: own,
    is_read: mail.recipients !== undefined,
    created_at: at,
    ...mail.message,
  };
  return {
    message,
    ownIds: [own],
    namedIds: mail.named ?? [],
    threadId: null,
    newThreadId: newId('thr', at),
    participants: [message.from_addr],
    recipients: (mail.recipients ?? []).map((address, position) => makeRecipient(message, address, position)),
    attachments: [],
    usage: [],
    events: [],
    ...mail.record,
  };
}

const plainMessage = {
  from_addr: 'ada@example.com',
  from_name: null,
  to_addrs: ['agent@postrider.test'],
  cc_addrs: [],
  bcc_addrs: [],
  reply_to_addrs: [],
  envelope_from: 'ada@example.com',
  envelope_to: [],
  subject: 'A subject',
  body_text: 'A text',
  body_html: null,
  metadata: {},
  extracted_text: null,
  snippet: 'A text',
  in_reply_to: null,
  reference_ids: [],
  thread_index: null,
  provider_message_id: null,
  client_id: null,
  dropped: null,
  authentication: null,
  auto_submitted: false,
  hidden_text: false,
  has_attachments: false,
  size_bytes: 100,
  actor_id: null,
  writer_id: null,
  request_id: null,
  cut_fields: [],
};

function makeRecipient(message: NewMessage, address: string, position: number): NewRecipient {
  return {
    workspace_id: message.workspace_id,
    message_id: message.id,
    address,
    inbox_id: message.inbox_id,
    kind: 'to',
    position,
    status: 'queued',
    detail: null,
    sandboxed: false,
    provider_message_id: null,
    attempts: 1,
    due_at: new Date(message.created_at.getTime() + 60_000),
    resume_at: null,
    expires_at: new Date(message.created_at.getTime() + 48 * 3_600_000),
    updated_at: message.created_at,
  };
}
