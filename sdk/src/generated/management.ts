// Generated from the contract by scripts/sdk-types.ts. Do not edit.

import type {
  DroppedRecipient,
  EffectivePolicy,
  Message,
  Plan,
  RawMessage,
  SendMode,
} from './types.ts';

/** The path of the management API. */
export const managementPath = '/manage/v1';

/** Method and path of every route, by its resource and method. */
export const managementRoutes = {
  'keys.list': 'GET /keys',
  'keys.create': 'POST /keys',
  'keys.update': 'PATCH /keys/:id',
  'keys.works': 'GET /keys/:id/works',
  'keys.revoke': 'POST /keys/:id/revoke',
  'control.get': 'GET /control',
  'control.setDisclosure': 'PATCH /control',
  'control.policies': 'GET /policies',
  'control.effective': 'GET /policies/effective',
  'control.setPolicy': 'PUT /policies/:level/:id',
  'control.pause': 'POST /pauses',
  'control.resume': 'POST /resumes',
  'approvals.list': 'GET /approvals',
  'approvals.get': 'GET /approvals/:id',
  'approvals.decide': 'POST /approvals/decide',
  'people.members': 'GET /members',
  'people.setRole': 'PATCH /members/:id',
  'people.removeMember': 'DELETE /members/:id',
  'people.invitations': 'GET /invitations',
  'people.invite': 'POST /invitations',
  'people.revokeInvitation': 'DELETE /invitations/:id',
  'usage.get': 'GET /usage',
  'workspace.update': 'PATCH /workspace',
  'workspaces.list': 'GET /workspaces',
  'workspaces.create': 'POST /workspaces',
  'workspaces.get': 'GET /workspaces/:id',
  'workspaces.update': 'PATCH /workspaces/:id',
  'workspaces.delete': 'DELETE /workspaces/:id',
} as const;

/** What each route takes and answers. */
export interface ManagementCalls {
  'keys.list': {
    query: {
      /**
       * The maximum number of items to return.
       * @default 25
       */
      limit?: number | undefined;
      /** The `next_cursor` of the previous page; opaque. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: {
      keys: ApiKey[];
      /** The `cursor` of the next page; null on the last page. */
      next_cursor: string | null;
    };
  };
  'keys.create': {
    query: undefined;
    body: CreateApiKey;
    answer: NewApiKey;
  };
  'keys.update': {
    query: undefined;
    body: ApiKeyIn;
    answer: ChangedApiKey;
  };
  'keys.works': {
    query: undefined;
    body: undefined;
    answer: KeyWorks;
  };
  'keys.revoke': {
    query: undefined;
    body: {
      keep?: boolean | undefined;
    };
    answer: RevokedApiKey;
  };
  'control.get': {
    query: undefined;
    body: undefined;
    answer: Control;
  };
  'control.setDisclosure': {
    query: undefined;
    body: {
      disclosure: 'none' | 'header' | 'footer';
    };
    answer: {
      disclosure: 'none' | 'header' | 'footer';
    };
  };
  'control.policies': {
    query: {
      /**
       * The maximum number of items to return.
       * @default 25
       */
      limit?: number | undefined;
      /** The `next_cursor` of the previous page; opaque. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: {
      policies: PolicyEntry[];
      /** The `cursor` of the next page; null on the last page. */
      next_cursor: string | null;
    };
  };
  'control.effective': {
    query: {
      /** The id of the key, the inbox or the workspace. */
      inbox_id?: string | undefined;
      /** The id of the key, the inbox or the workspace. */
      key_id?: string | undefined;
    };
    body: undefined;
    answer: EffectivePolicy;
  };
  'control.setPolicy': {
    query: undefined;
    body: {
      lines: {
        send?: SendMode;
        /**
         * The allowed recipients. `known`: addresses that have written to the inbox, if DMARC passed or the
         * mail came from this server, and addresses that an outbound allow rule names, even a rule older than
         * the policy. Or a list of addresses and of domains, which include their subdomains.
         */
        recipients?: 'anyone' | 'known' | string[];
        /** The maximum number of mails per hour, counted once for each recipient; null for no limit. */
        per_hour?: number | null;
        /** The maximum number of mails in 24 hours, counted once for each recipient; null for no limit. */
        per_day?: number | null;
        /**
         * The maximum number of mails per hour in one thread, counted once for each recipient; null for no
         * limit.
         */
        per_thread_hour?: number | null;
        /**
         * The maximum number of mails to one recipient in 24 hours, whatever their outcome; null for no
         * limit.
         */
        per_recipient_day?: number | null;
        /** The maximum number of recipients of one message; null for no limit. */
        recipients_max?: number | null;
      };
    };
    answer: {
      lines: {
        send?: SendMode;
        /**
         * The allowed recipients. `known`: addresses that have written to the inbox, if DMARC passed or the
         * mail came from this server, and addresses that an outbound allow rule names, even a rule older than
         * the policy. Or a list of addresses and of domains, which include their subdomains.
         */
        recipients?: 'anyone' | 'known' | string[];
        /** The maximum number of mails per hour, counted once for each recipient; null for no limit. */
        per_hour?: number | null;
        /** The maximum number of mails in 24 hours, counted once for each recipient; null for no limit. */
        per_day?: number | null;
        /**
         * The maximum number of mails per hour in one thread, counted once for each recipient; null for no
         * limit.
         */
        per_thread_hour?: number | null;
        /**
         * The maximum number of mails to one recipient in 24 hours, whatever their outcome; null for no
         * limit.
         */
        per_recipient_day?: number | null;
        /** The maximum number of recipients of one message; null for no limit. */
        recipients_max?: number | null;
      };
      held_webhooks: HeldWebhook[];
    };
  };
  'control.pause': {
    query: undefined;
    body: {
      level: 'key' | 'inbox' | 'workspace';
      /** The id of the key, the inbox or the workspace. */
      subject_id: string;
      /** Shown to people. */
      reason?: string | undefined;
    };
    answer: {
      under_way: number;
    };
  };
  'control.resume': {
    query: undefined;
    body: {
      level: 'key' | 'inbox' | 'workspace';
      /** The id of the key, the inbox or the workspace. */
      subject_id: string;
    };
    answer: {
      resumed: boolean;
    };
  };
  'approvals.list': {
    query: {
      /**
       * The maximum number of items to return.
       * @default 25
       */
      limit?: number | undefined;
      /** The `next_cursor` of the previous page; opaque. */
      cursor?: string | undefined;
      state?: 'held' | 'approved' | 'refused' | 'expired' | undefined;
      inbox_id?: string | undefined;
    };
    body: undefined;
    answer: {
      approvals: ApprovalSummary[];
      /** The `cursor` of the next page; null on the last page. */
      next_cursor: string | null;
    };
  };
  'approvals.get': {
    query: undefined;
    body: undefined;
    answer: Approval;
  };
  'approvals.decide': {
    query: undefined;
    body: DecideForPeople;
    answer: {
      results: DecisionResult[];
    };
  };
  'people.members': {
    query: undefined;
    body: undefined;
    answer: {
      members: Member[];
    };
  };
  'people.setRole': {
    query: undefined;
    body: {
      role: 'owner' | 'member';
    };
    answer: Member;
  };
  'people.removeMember': {
    query: undefined;
    body: {};
    answer: void;
  };
  'people.invitations': {
    query: undefined;
    body: undefined;
    answer: {
      invitations: Invitation[];
    };
  };
  'people.invite': {
    query: undefined;
    body: {
      /** An email address. Upper and lower case are the same. */
      email: string;
      role: 'owner' | 'member';
    };
    answer: NewInvitation;
  };
  'people.revokeInvitation': {
    query: undefined;
    body: {};
    answer: void;
  };
  'usage.get': {
    query: {
      /** @default 30 */
      days?: number | undefined;
    };
    body: undefined;
    answer: {
      days: UsageDay[];
    };
  };
  'workspace.update': {
    query: undefined;
    body: {
      /** What people call the workspace. */
      title: string;
    };
    answer: {
      /** The workspace. */
      id: string;
      /** What people call it. */
      title: string;
    };
  };
  'workspaces.list': {
    query: {
      /**
       * The maximum number of items to return.
       * @default 25
       */
      limit?: number | undefined;
      /** The `next_cursor` of the previous page; opaque. */
      cursor?: string | undefined;
    };
    body: undefined;
    answer: WorkspacePage;
  };
  'workspaces.create': {
    query: undefined;
    body: CreateWorkspace;
    answer: ManagedWorkspace;
  };
  'workspaces.get': {
    query: undefined;
    body: undefined;
    answer: ManagedWorkspace;
  };
  'workspaces.update': {
    query: undefined;
    body: UpdateWorkspace;
    answer: ManagedWorkspace;
  };
  'workspaces.delete': {
    query: undefined;
    body: undefined;
    answer: void;
  };
}

/** An API key. */
export interface ApiKey {
  id: string;
  name: string;
  /** The prefix and the last characters. */
  hint: string;
  /** The person who created it; null for a key that the server, its configuration or the command line created. */
  created_by: {
    id: string;
    name: string;
    email: string;
  } | null;
  /** A time in UTC. */
  created_at: string;
  /** A time in UTC. */
  last_used_at: string | null;
  /** A time in UTC. */
  revoked_at: string | null;
  /** The inboxes for which it is; null for all, an empty list for none. */
  inbox_ids: string[] | null;
  /** Whether it changes nothing and sends nothing. */
  read_only: boolean;
  /** From then on it is refused; null for never. */
  expires_at: string | null;
  /** The lines of its own policy. */
  policy: {
    send?: SendMode;
    /**
     * The allowed recipients. `known`: addresses that have written to the inbox, if DMARC passed or the mail
     * came from this server, and addresses that an outbound allow rule names, even a rule older than the
     * policy. Or a list of addresses and of domains, which include their subdomains.
     */
    recipients?: 'anyone' | 'known' | string[];
    /** The maximum number of mails per hour, counted once for each recipient; null for no limit. */
    per_hour?: number | null;
    /** The maximum number of mails in 24 hours, counted once for each recipient; null for no limit. */
    per_day?: number | null;
    /** The maximum number of mails per hour in one thread, counted once for each recipient; null for no limit. */
    per_thread_hour?: number | null;
    /** The maximum number of mails to one recipient in 24 hours, whatever their outcome; null for no limit. */
    per_recipient_day?: number | null;
    /** The maximum number of recipients of one message; null for no limit. */
    recipients_max?: number | null;
  };
}

export interface ApiKeyIn {
  name?: string | undefined;
  inbox_ids?: string[] | null | undefined;
  read_only?: boolean | undefined;
  /** From then on it is refused. */
  expires_at?: string | null | undefined;
  policy?: {
    send?: SendMode;
    /**
     * The allowed recipients. `known`: addresses that have written to the inbox, if DMARC passed or the mail
     * came from this server, and addresses that an outbound allow rule names, even a rule older than the
     * policy. Or a list of addresses and of domains, which include their subdomains.
     */
    recipients?: 'anyone' | 'known' | string[];
    /** The maximum number of mails per hour, counted once for each recipient; null for no limit. */
    per_hour?: number | null;
    /** The maximum number of mails in 24 hours, counted once for each recipient; null for no limit. */
    per_day?: number | null;
    /** The maximum number of mails per hour in one thread, counted once for each recipient; null for no limit. */
    per_thread_hour?: number | null;
    /** The maximum number of mails to one recipient in 24 hours, whatever their outcome; null for no limit. */
    per_recipient_day?: number | null;
    /** The maximum number of recipients of one message; null for no limit. */
    recipients_max?: number | null;
  } | undefined;
}

/**
 * All that people see before they decide. In names, subjects and headers, controls of the direction of text
 * stand as `[U+202E]`.
 */
export interface Approval {
  message_id: string;
  thread_id: string;
  inbox_id: string;
  inbox_address: string;
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  snippet: string;
  /**
   * The message that it replies to, with its texts cut at 64 KiB; null for a new conversation, or if it is
   * gone.
   */
  answers: Message | null;
  /** How many files are attached. */
  attachments: number;
  /** A time in UTC. */
  held_at: string;
  /** A time in UTC. */
  expires_at: string;
  state: 'held' | 'approved' | 'refused' | 'expired';
  /** The SHA-256 of what goes out: the bytes and the recipients. A decision names it. */
  content_hash: string;
  /** The key that sent it; null if a person sent what a key had drafted. */
  key: {
    id: string;
    name: string;
  } | null;
  /** The key that wrote it as a draft, if somebody else sent it; otherwise null. */
  writer: {
    id: string;
    name: string;
  } | null;
  /** A time in UTC. */
  decided_at: string | null;
  /** The person or the admin token; null for the operator, and if nobody has decided. */
  decided_by: {
    id: string;
    name: string;
  } | null;
  /** Why it was refused. */
  reason: string | null;
  message: Message;
  raw: RawMessage;
  headers: {
    name: string;
    value: string;
    /** Whether it is none of those that the server writes itself. */
    is_added: boolean;
  }[];
  /** The SHA-256 of each attachment, in the order of `message.attachments`. */
  attachment_hashes: string[];
  correspondents: Correspondent[];
}

/** A message that waits or waited for approval, as a row of a list. */
export interface ApprovalSummary {
  message_id: string;
  thread_id: string;
  inbox_id: string;
  inbox_address: string;
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  snippet: string;
  answers:
    | {
    id: string;
    from_addr: string;
    from_name: string | null;
    /** A time in UTC. */
    created_at: string;
  }
    | null;
  /** How many files are attached. */
  attachments: number;
  /** A time in UTC. */
  held_at: string;
  /** A time in UTC. */
  expires_at: string;
  state: 'held' | 'approved' | 'refused' | 'expired';
  /** The SHA-256 of what goes out: the bytes and the recipients. A decision names it. */
  content_hash: string;
  /** The key that sent it; null if a person sent what a key had drafted. */
  key: {
    id: string;
    name: string;
  } | null;
  /** The key that wrote it as a draft, if somebody else sent it; otherwise null. */
  writer: {
    id: string;
    name: string;
  } | null;
  /** A time in UTC. */
  decided_at: string | null;
  /** The person or the admin token; null for the operator, and if nobody has decided. */
  decided_by: {
    id: string;
    name: string;
  } | null;
  /** Why it was refused. */
  reason: string | null;
}

/** A key that was changed, with the enabled webhooks that it made if a policy was given that holds it. */
export interface ChangedApiKey {
  id: string;
  name: string;
  /** The prefix and the last characters. */
  hint: string;
  /** The person who created it; null for a key that the server, its configuration or the command line created. */
  created_by: {
    id: string;
    name: string;
    email: string;
  } | null;
  /** A time in UTC. */
  created_at: string;
  /** A time in UTC. */
  last_used_at: string | null;
  /** A time in UTC. */
  revoked_at: string | null;
  /** The inboxes for which it is; null for all, an empty list for none. */
  inbox_ids: string[] | null;
  /** Whether it changes nothing and sends nothing. */
  read_only: boolean;
  /** From then on it is refused; null for never. */
  expires_at: string | null;
  /** The lines of its own policy. */
  policy: {
    send?: SendMode;
    /**
     * The allowed recipients. `known`: addresses that have written to the inbox, if DMARC passed or the mail
     * came from this server, and addresses that an outbound allow rule names, even a rule older than the
     * policy. Or a list of addresses and of domains, which include their subdomains.
     */
    recipients?: 'anyone' | 'known' | string[];
    /** The maximum number of mails per hour, counted once for each recipient; null for no limit. */
    per_hour?: number | null;
    /** The maximum number of mails in 24 hours, counted once for each recipient; null for no limit. */
    per_day?: number | null;
    /** The maximum number of mails per hour in one thread, counted once for each recipient; null for no limit. */
    per_thread_hour?: number | null;
    /** The maximum number of mails to one recipient in 24 hours, whatever their outcome; null for no limit. */
    per_recipient_day?: number | null;
    /** The maximum number of recipients of one message; null for no limit. */
    recipients_max?: number | null;
  };
  held_webhooks: HeldWebhook[];
}

/** The settings that apply to everything in the workspace. */
export interface Control {
  policy: PolicyEntry | null;
  disclosure: 'none' | 'header' | 'footer';
  /** The widest first, and of those the newest; at most 200. */
  pauses: PauseEntry[];
  /** Null while neither the workspace nor the server is paused. */
  waiting: Waiting | null;
}

/** The history of a recipient, from mail that this inbox received. */
export interface Correspondent {
  address: string;
  /** The name of the recipient in the message; null if it gives none. */
  name: string | null;
  /** Whether the inbox received mail with this address in From. Anybody can write that. */
  wrote_before: boolean;
  /**
   * Whether some of that mail passed DMARC for the domain of the address, or came from an inbox of this
   * server.
   */
  proven: boolean;
  /** The domain for which the newest proven mail was written. */
  verified_domain: string | null;
  /** A time in UTC. */
  last_wrote_at: string | null;
  /** When the newest proven mail came. Mail after it may be forged. */
  proven_at: string | null;
  /** Whether the inbox has neither received mail from the address nor sent any to it. */
  is_new: boolean;
  /**
   * The From of the message that it replies to, if its Reply-To named this recipient instead: the reply goes
   * to somebody else than the writer.
   */
  reply_to_of: string | null;
}

export interface CreateApiKey {
  name: string;
  inbox_ids?: string[] | null | undefined;
  read_only?: boolean | undefined;
  /** From then on it is refused. */
  expires_at?: string | null | undefined;
  policy?: {
    send?: SendMode;
    /**
     * The allowed recipients. `known`: addresses that have written to the inbox, if DMARC passed or the mail
     * came from this server, and addresses that an outbound allow rule names, even a rule older than the
     * policy. Or a list of addresses and of domains, which include their subdomains.
     */
    recipients?: 'anyone' | 'known' | string[];
    /** The maximum number of mails per hour, counted once for each recipient; null for no limit. */
    per_hour?: number | null;
    /** The maximum number of mails in 24 hours, counted once for each recipient; null for no limit. */
    per_day?: number | null;
    /** The maximum number of mails per hour in one thread, counted once for each recipient; null for no limit. */
    per_thread_hour?: number | null;
    /** The maximum number of mails to one recipient in 24 hours, whatever their outcome; null for no limit. */
    per_recipient_day?: number | null;
    /** The maximum number of recipients of one message; null for no limit. */
    recipients_max?: number | null;
  } | undefined;
}

export interface CreateWorkspace {
  /** The name, which no other workspace has. */
  name: string;
  /**
   * By default `business`.
   * @default 'business'
   */
  plan?: Plan | undefined;
  /**
   * Whether its mail never leaves this server.
   * @default false
   */
  test?: boolean | undefined;
}

export interface DecideForPeople {
  decision: 'approve' | 'refuse';
  messages: {
    message_id: string;
    content_hash: string;
  }[];
  reason?: string | undefined;
  /** Who decided, in your words. The audit log has it beside the token. */
  decided_by: string;
}

/** The result of a decision about one message. */
export interface DecisionResult {
  message_id: string;
  /** Null if the decision counts. */
  problem: 'changed' | 'decided' | 'expired' | 'not_found' | null;
  /** The state now; null if there is no such message. */
  state: 'held' | 'approved' | 'refused' | 'expired' | null;
  /**
   * The recipients that do not get the approved message, because they are suppressed, blocked or not allowed
   * by now.
   */
  left_out: DroppedRecipient[];
}

/** An enabled webhook of a key that a policy holds. It was made before, and posts on. */
export interface HeldWebhook {
  id: string;
  url: string;
  key_id: string;
  key_name: string;
}

/** An invitation that was not accepted yet. */
export interface Invitation {
  id: string;
  email: string;
  role: 'owner' | 'member';
  invited_by: string | null;
  /** A time in UTC. */
  created_at: string;
  /** A time in UTC. */
  expires_at: string;
}

/** The things that a key has set up and that go on without it: its enabled webhooks and its scheduled drafts. */
export interface KeyWorks {
  webhooks: {
    id: string;
    url: string;
  }[];
  drafts: ({
    id: string;
    inbox_id: string;
    subject: string | null;
    /** A time in UTC. */
    scheduled_at: string;
  })[];
  draft_count: number;
}

/** A workspace as the operator manages it. */
export interface ManagedWorkspace {
  /** The workspace. */
  id: string;
  /** The name by which the operator knows it. It is unique. */
  name: string;
  /** What its owners call it; by default its name. */
  title: string;
  plan: Plan;
  /** Whether its mail never leaves this server. */
  test: boolean;
  /** When it was created. */
  created_at: string;
}

/** A person in the workspace. */
export interface Member {
  person_id: string;
  name: string;
  email: string;
  role: 'owner' | 'member';
  has_second_factor: boolean;
  /** A time in UTC. */
  joined_at: string;
  /** A time in UTC. */
  last_seen_at: string | null;
}

/** A key that was just created: the only time that it can be read. */
export interface NewApiKey {
  id: string;
  name: string;
  /** The prefix and the last characters. */
  hint: string;
  /** The person who created it; null for a key that the server, its configuration or the command line created. */
  created_by: {
    id: string;
    name: string;
    email: string;
  } | null;
  /** A time in UTC. */
  created_at: string;
  /** A time in UTC. */
  last_used_at: string | null;
  /** A time in UTC. */
  revoked_at: string | null;
  /** The inboxes for which it is; null for all, an empty list for none. */
  inbox_ids: string[] | null;
  /** Whether it changes nothing and sends nothing. */
  read_only: boolean;
  /** From then on it is refused; null for never. */
  expires_at: string | null;
  /** The lines of its own policy. */
  policy: {
    send?: SendMode;
    /**
     * The allowed recipients. `known`: addresses that have written to the inbox, if DMARC passed or the mail
     * came from this server, and addresses that an outbound allow rule names, even a rule older than the
     * policy. Or a list of addresses and of domains, which include their subdomains.
     */
    recipients?: 'anyone' | 'known' | string[];
    /** The maximum number of mails per hour, counted once for each recipient; null for no limit. */
    per_hour?: number | null;
    /** The maximum number of mails in 24 hours, counted once for each recipient; null for no limit. */
    per_day?: number | null;
    /** The maximum number of mails per hour in one thread, counted once for each recipient; null for no limit. */
    per_thread_hour?: number | null;
    /** The maximum number of mails to one recipient in 24 hours, whatever their outcome; null for no limit. */
    per_recipient_day?: number | null;
    /** The maximum number of recipients of one message; null for no limit. */
    recipients_max?: number | null;
  };
  key: string;
}

/** An invitation that was just made. Its link is shown once; `mailed` says whether it was also sent. */
export interface NewInvitation {
  id: string;
  email: string;
  role: 'owner' | 'member';
  invited_by: string | null;
  /** A time in UTC. */
  created_at: string;
  /** A time in UTC. */
  expires_at: string;
  link: string;
  mailed: boolean;
}

/** A pause in force. */
export interface PauseEntry {
  level: 'key' | 'inbox' | 'workspace' | 'server';
  subject_id: string;
  name: string;
  reason: string | null;
  /** A time in UTC. */
  paused_at: string;
  paused_by: {
    id: string;
    name: string | null;
  } | null;
}

/** A policy that people have set at one place. */
export interface PolicyEntry {
  level: 'key' | 'inbox' | 'workspace';
  subject_id: string;
  name: string;
  lines: {
    send?: SendMode;
    /**
     * The allowed recipients. `known`: addresses that have written to the inbox, if DMARC passed or the mail
     * came from this server, and addresses that an outbound allow rule names, even a rule older than the
     * policy. Or a list of addresses and of domains, which include their subdomains.
     */
    recipients?: 'anyone' | 'known' | string[];
    /** The maximum number of mails per hour, counted once for each recipient; null for no limit. */
    per_hour?: number | null;
    /** The maximum number of mails in 24 hours, counted once for each recipient; null for no limit. */
    per_day?: number | null;
    /** The maximum number of mails per hour in one thread, counted once for each recipient; null for no limit. */
    per_thread_hour?: number | null;
    /** The maximum number of mails to one recipient in 24 hours, whatever their outcome; null for no limit. */
    per_recipient_day?: number | null;
    /** The maximum number of recipients of one message; null for no limit. */
    recipients_max?: number | null;
  };
  /** A time in UTC. */
  updated_at: string;
  updated_by: {
    id: string;
    name: string | null;
  } | null;
}

/** A key that was revoked, what it had set up, and whether that goes on. */
export interface RevokedApiKey {
  id: string;
  name: string;
  /** The prefix and the last characters. */
  hint: string;
  /** The person who created it; null for a key that the server, its configuration or the command line created. */
  created_by: {
    id: string;
    name: string;
    email: string;
  } | null;
  /** A time in UTC. */
  created_at: string;
  /** A time in UTC. */
  last_used_at: string | null;
  /** A time in UTC. */
  revoked_at: string | null;
  /** The inboxes for which it is; null for all, an empty list for none. */
  inbox_ids: string[] | null;
  /** Whether it changes nothing and sends nothing. */
  read_only: boolean;
  /** From then on it is refused; null for never. */
  expires_at: string | null;
  /** The lines of its own policy. */
  policy: {
    send?: SendMode;
    /**
     * The allowed recipients. `known`: addresses that have written to the inbox, if DMARC passed or the mail
     * came from this server, and addresses that an outbound allow rule names, even a rule older than the
     * policy. Or a list of addresses and of domains, which include their subdomains.
     */
    recipients?: 'anyone' | 'known' | string[];
    /** The maximum number of mails per hour, counted once for each recipient; null for no limit. */
    per_hour?: number | null;
    /** The maximum number of mails in 24 hours, counted once for each recipient; null for no limit. */
    per_day?: number | null;
    /** The maximum number of mails per hour in one thread, counted once for each recipient; null for no limit. */
    per_thread_hour?: number | null;
    /** The maximum number of mails to one recipient in 24 hours, whatever their outcome; null for no limit. */
    per_recipient_day?: number | null;
    /** The maximum number of recipients of one message; null for no limit. */
    recipients_max?: number | null;
  };
  webhooks: {
    id: string;
    url: string;
  }[];
  drafts: ({
    id: string;
    inbox_id: string;
    subject: string | null;
    /** A time in UTC. */
    scheduled_at: string;
  })[];
  draft_count: number;
  kept: boolean;
}

export interface UpdateWorkspace {
  /** The name, which no other workspace has. */
  name?: string | undefined;
  plan?: Plan | undefined;
}

/** The counts of one UTC day: messages sent and received, and recipients by their outcome. */
export interface UsageDay {
  day: string;
  sent: number;
  received: number;
  delivered: number;
  bounced: number;
  complained: number;
  /** Bytes of attachments that were added on the day, less those that were removed. */
  storage_bytes: number;
}

/**
 * The mail that waits for the end of a pause of the workspace or the server. Counts above 1,000 are not
 * exact.
 */
export interface Waiting {
  /** Recipients whose mail a relay is taking. It was under way when the pause began. */
  under_way: number;
  /** Recipients whose mail would be on its way now. */
  recipients: number;
  scheduled_drafts: number;
  /** Messages that people have to approve. */
  held: number;
}

/** Workspaces, newest first. */
export interface WorkspacePage {
  workspaces: ManagedWorkspace[];
  /** The `cursor` of the next page; null on the last page. */
  next_cursor: string | null;
}
