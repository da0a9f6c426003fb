import { defineEntity, p } from '@mikro-orm/core';
import { AdminToken } from '../admin-tokens/admin-token.entity.ts';
import { Approval } from '../approvals/approval.entity.ts';
import { Attachment, DraftFile } from '../attachments/attachment.entity.ts';
import { AuditEntry, AuditHead } from '../audit/audit-entry.entity.ts';
import {
  DmarcCount,
  Domain,
  SeenDmarcReport,
  SigningKey,
  VerifiedHostname,
} from '../domains/domain.entity.ts';
import { Draft } from '../drafts/draft.entity.ts';
import { Event, EventFollower } from '../events/event.entity.ts';
import { ApiProcess } from '../http/api-process.entity.ts';
import { SmtpDecision } from '../inbound/smtp-decision.entity.ts';
import { SpooledEnvelope } from '../inbound/spool/spooled-mail.entity.ts';
import { Address, Inbox } from '../inboxes/inbox.entity.ts';
import { ApiKey } from '../keys/key.entity.ts';
import { Label, MessageLabel } from '../labels/label.entity.ts';
import {
  AwaitedId,
  ClientId,
  InboundFingerprint,
  Message,
  MessageIdEntry,
  MessageRecipient,
  MessageTerm,
  Original,
} from '../messages/message.entity.ts';
import { UnparsedMessage } from '../parsing/unparsed-message.entity.ts';
import {
  Invitation,
  Membership,
  Passkey,
  PasswordReset,
  Person,
  PersonSession,
  UsedTicket,
} from '../people/person.entity.ts';
import { Pause, PolicyEntry, SendCount } from '../policies/policy.entity.ts';
import { ApiRequest } from '../request-log/api-request.entity.ts';
import { Rule } from '../rules/rule.entity.ts';
import {
  AttachmentText,
  EmbeddingPending,
  EmbeddingProgress,
  SearchBucket,
  SearchCode,
  SearchedMessage,
  SearchPending,
  SearchVector,
  SearchWord,
  SearchWorkspace,
  WordsGone,
} from '../search/search.entity.ts';
import { Suppression } from '../suppressions/suppression.entity.ts';
import { DeletedThread, Thread, ThreadAlias, ThreadLabel } from '../threads/thread.entity.ts';
import { AcmeAccount, AcmeChallenge, TlsCertificate } from '../tls/acme/acme.entity.ts';
import { Webhook, WebhookDelivery } from '../webhooks/webhook.entity.ts';
import { Instance } from '../workspaces/instance.entity.ts';
import { UsageDay, UsageEntry, UsageTotal } from '../workspaces/usage.entity.ts';
import { Workspace } from '../workspaces/workspace.entity.ts';

/** The process that does a kind of work for all processes, until its lease ends. `holder` is new with each process that takes over. */
const Lease = defineEntity({
  name: 'Lease',
  tableName: 'leases',
  properties: {
    name: p.text().primary(),
    holder: p.text(),
    endsAt: p.datetime(3),
  },
});

/** The functions that the database has: one row with their version and a hash of their text. */
const AppliedFunctions = defineEntity({
  name: 'AppliedFunctions',
  tableName: 'applied_functions',
  properties: {
    one: p.boolean().primary(),
    version: p.integer(),
    hash: p.text(),
  },
});

/** Every entity of the database. The ORM maps them, and the types of queries come from them. */
export const entities = [
  Workspace,
  ApiKey,
  AdminToken,
  UsageEntry,
  UsageTotal,
  UsageDay,
  Inbox,
  Address,
  Thread,
  ThreadAlias,
  DeletedThread,
  Message,
  MessageTerm,
  MessageIdEntry,
  AwaitedId,
  ClientId,
  InboundFingerprint,
  Original,
  SpooledEnvelope,
  UnparsedMessage,
  MessageRecipient,
  SmtpDecision,
  Attachment,
  AttachmentText,
  Label,
  MessageLabel,
  ThreadLabel,
  Suppression,
  Rule,
  Event,
  ApiProcess,
  ApiRequest,
  Domain,
  VerifiedHostname,
  DmarcCount,
  SeenDmarcReport,
  Draft,
  DraftFile,
  EventFollower,
  Webhook,
  WebhookDelivery,
  Instance,
  SigningKey,
  AppliedFunctions,
  Lease,
  TlsCertificate,
  AcmeAccount,
  AcmeChallenge,
  SearchPending,
  SearchWorkspace,
  SearchBucket,
  SearchedMessage,
  SearchWord,
  WordsGone,
  SearchCode,
  SearchVector,
  EmbeddingPending,
  EmbeddingProgress,
  Person,
  PersonSession,
  Membership,
  Invitation,
  PasswordReset,
  Passkey,
  UsedTicket,
  AuditEntry,
  AuditHead,
  PolicyEntry,
  SendCount,
  Pause,
  Approval,
] as const;
