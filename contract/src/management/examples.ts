import { brand } from '../brand.ts';
import { exampleIds } from '../fields/scalars.ts';
import type { NamedExamples } from '../openapi/example.ts';
import { namedExamples as apiExamples } from '../openapi/examples.ts';

const at = '2026-11-20T09:30:00.000Z';
const owner = { id: 'usr_01m7yyvjvve8jaq5s0hvhdb6px', name: 'Ada Lovelace', email: 'ada@example.com' };
const doer = { id: owner.id, name: owner.name };
const keyId = 'key_01m7yyvjvve8jaq5s0hvhdb6px';
const key = {
  id: keyId,
  name: 'support-agent',
  hint: `${brand.keyPrefix.live}…x7Qa`,
  created_by: owner,
  created_at: at,
  last_used_at: null,
  revoked_at: null,
  inbox_ids: [exampleIds.inbox],
  read_only: false,
  expires_at: null,
  policy: { send: 'approve', per_day: 100 },
};
const heldWebhook = {
  id: exampleIds.webhook,
  url: 'https://agent.example.com/hooks',
  key_id: keyId,
  key_name: key.name,
};
const works = {
  webhooks: [{ id: exampleIds.webhook, url: heldWebhook.url }],
  drafts: [
    {
      id: exampleIds.draft,
      inbox_id: exampleIds.inbox,
      subject: 'Your order has shipped',
      scheduled_at: '2026-11-23T08:00:00.000Z',
    },
  ],
  draft_count: 1,
};
const keys = {
  ApiKey: key,
  NewApiKey: { ...key, key: `${brand.keyPrefix.live}…` },
  CreateApiKey: { name: 'support-agent', inbox_ids: [exampleIds.inbox], policy: { send: 'approve' } },
  ApiKeyIn: { read_only: true, expires_at: '2026-12-31T00:00:00Z' },
  HeldWebhook: heldWebhook,
  ChangedApiKey: { ...key, held_webhooks: [heldWebhook] },
  KeyWorks: works,
  RevokedApiKey: { ...key, revoked_at: at, ...works, kept: false },
};

const policy = {
  level: 'workspace',
  subject_id: exampleIds.workspace,
  name: 'Acme',
  lines: { send: 'approve', per_day: 100 },
  updated_at: at,
  updated_by: doer,
};
const pause = {
  level: 'inbox',
  subject_id: exampleIds.inbox,
  name: `support@${brand.defaults.mailDomain}`,
  reason: 'It writes nonsense',
  paused_at: at,
  paused_by: doer,
};
const control = {
  PolicyEntry: policy,
  PauseEntry: pause,
  Waiting: { under_way: 0, recipients: 3, scheduled_drafts: 1, held: 2 },
  Control: { policy, disclosure: 'header', pauses: [pause], waiting: null },
};

const hash = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const summary = {
  message_id: exampleIds.message,
  thread_id: exampleIds.thread,
  inbox_id: exampleIds.inbox,
  inbox_address: `support@${brand.defaults.mailDomain}`,
  to: ['ada@example.com'],
  cc: [],
  bcc: [],
  subject: 'Your order has shipped',
  snippet: 'Hello Ada, your order has shipped.',
  answers: null,
  attachments: 0,
  held_at: at,
  expires_at: '2026-11-23T09:30:00.000Z',
  state: 'held',
  content_hash: hash,
  key: { id: keyId, name: key.name },
  writer: null,
  decided_at: null,
  decided_by: null,
  reason: null,
};
const correspondent = {
  address: 'ada@example.com',
  name: null,
  wrote_before: true,
  proven: true,
  verified_domain: 'example.com',
  last_wrote_at: at,
  proven_at: at,
  is_new: false,
  reply_to_of: null,
};
const approvals = {
  ApprovalSummary: summary,
  Correspondent: correspondent,
  Approval: {
    ...summary,
    message: apiExamples.Message,
    raw: { url: 'https://mail.example.com/files/…', expires_at: at, size_bytes: 1_024 },
    headers: [{ name: 'Subject', value: 'Your order has shipped', is_added: false }],
    attachment_hashes: [],
    correspondents: [correspondent],
  },
  DecideForPeople: {
    decision: 'approve',
    messages: [{ message_id: exampleIds.message, content_hash: hash }],
    decided_by: 'Ada Lovelace (chat user U17)',
  },
  DecisionResult: { message_id: exampleIds.message, problem: null, state: 'approved', left_out: [] },
};

const invitation = {
  id: 'inv_01m7yyvjvve8jaq5s0hvhdb6px',
  email: 'grace@example.com',
  role: 'member',
  invited_by: owner.id,
  created_at: at,
  expires_at: '2026-11-27T09:30:00.000Z',
};
const people = {
  Member: {
    person_id: owner.id,
    name: owner.name,
    email: owner.email,
    role: 'owner',
    has_second_factor: true,
    joined_at: at,
    last_seen_at: at,
  },
  Invitation: invitation,
  NewInvitation: { ...invitation, link: 'https://mail.example.com/console/invitation#…', mailed: true },
  UsageDay: {
    day: '2026-11-20',
    sent: 12,
    received: 30,
    delivered: 11,
    bounced: 1,
    complained: 0,
    storage_bytes: 20_480,
  },
};

/** Examples by the names of schemas, in addition to those of the API. */
export const namedExamples: NamedExamples = {
  ...apiExamples,
  ...keys,
  ...control,
  ...approvals,
  ...people,
};
