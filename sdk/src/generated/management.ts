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
         * mail came from this server, and addresses that an outbound allow rule names, even if the rule is
         * older than the policy. Or a list of addresses and domains; a domain includes its subdomains.
         */
        recipients?: 'anyone' | 'known' | string[];
        /** The maximum number of emails per hour, counted once for each recipient; null for no limit. */
        per_hour?: number | null;
        /** The maximum number of emails in 24 hours, counted once for each recipient; null for no limit. */
        per_day?: number | null;
        /**
         * The maximum number of emails per hour in one thread, counted once for each recipient; null for no
         * limit.
         */
        per_thread_hour?: number | null;
        /**
         * The maximum number of emails to one recipient in 24 hours, whatever their outcome; null for no
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
         * mail came from this server, and addresses that an outbound allow rule names, even if the rule is
         * older than the policy. Or a list of addresses and domains; a domain includes its subdomains.
         */
        recipients?: 'anyone' | 'known' | string[];
        /** The maximum number of emails per hour, counted once for each recipient; null for no limit. */
        per_hour?: number | null;
        /** The maximum number of emails in 24 hours, counted once for each recipient; null for no limit. */
        per_day?: number | null;
        /**
         * The maximum number of emails per hour in one thread, counted once for each recipient; null for no
         * limit.
         */
        per_thread_hour?: number | null;
        /**
         * The maximum number of emails to one recipient in 24 hours, whatever their outcome; null for no
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
      /** An email address. Case is ignored. */
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
      /** The title of the workspace, for people. */
      title: string;
    };
    answer: {
      /** The workspace. */
      id: string;
      /** The title, for people. */
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
  /** The prefix and the last characters of the key. */
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
  /** The inboxes that the key can use; null for all, an empty list for none. */
  inbox_ids: string[] | null;
  /** Whether the key can only read. */
  read_only: boolean;
  /** When the key expires; null for never. */
  expires_at: string | null;
  /** The settings of the key's own policy. */
  policy: {
    send?: SendMode;
    /**
     * The allowed recipients. `known`: addresses that have written to the inbox, if DMARC passed or the mail
     * came from this server, and addresses that an outbound allow rule names, even if the rule is older than
     * the policy. Or a list of addresses and domains; a domain includes its subdomains.
     */
    recipients?: 'anyone' | 'known' | string[];
    /** The maximum number of emails per hour, counted once for each recipient; null for no limit. */
    per_hour?: number | null;
    /** The maximum number of emails in 24 hours, counted once for each recipient; null for no limit. */
    per_day?: number | null;
    /**
     * The maximum number of emails per hour in one thread, counted once for each recipient; null for no
     * limit.
     */
    per_thread_hour?: number | null;
    /** The maximum number of emails to one recipient in 24 hours, whatever their outcome; null for no limit. */
    per_recipient_day?: number | null;
    /** The maximum number of recipients of one message; null for no limit. */
    recipients_max?: number | null;
  };
}

export interface ApiKeyIn {
  name?: string | undefined;
  inbox_ids?: string[] | null | undefined;
  read_only?: boolean | undefined;
  /** When it expires. */
  expires_at?: string | null | undefined;
  policy?: {
    send?: SendMode;
    /**
     * The allowed recipients. `known`: addresses that have written to the inbox, if DMARC passed or the mail
     * came from this server, and addresses that an outbound allow rule names, even if the rule is older than
     * the policy. Or a list of addresses and domains; a domain includes its subdomains.
     */
    recipients?: 'anyone' | 'known' | string[];
    /** The maximum number of emails per hour, counted once for each recipient; null for no limit. */
    per_hour?: number | null;
    /** The maximum number of emails in 24 hours, counted once for each recipient; null for no limit. */
    per_day?: number | null;
    /**
     * The maximum number of emails per hour in one thread, counted once for each recipient; null for no
     * limit.
     */
    per_thread_hour?: number | null;
    /** The maximum number of emails to one recipient in 24 hours, whatever their outcome; null for no limit. */
    per_recipient_day?: number | null;
    /** The maximum number of recipients of one message; null for no limit. */
    recipients_max?: number | null;
  } | undefined;
}

/**
 * Everything that people see before they decide. In names, subjects and headers, characters that change the
 * direction of text are shown as, for example, `[U+202E]`.
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
   * The message that it replies to, with its texts cut at 64 KiB; null if there is none, or if it was
   * deleted.
   */
  answers: Message | null;
  /** The number of attachments. */
  attachments: number;
  /** A time in UTC. */
  held_at: string;
  /** A time in UTC. */
  expires_at: string;
  state: 'held' | 'approved' | 'refused' | 'expired';
  /** The SHA-256 of the bytes and recipients to be sent. A decision must include it. */
  content_hash: string;
  /** The key that sent the message; null if a person sent the draft of a key. */
  key: {
    id: string;
    name: string;
  } | null;
  /** The key that wrote the draft, if somebody else sent it; otherwise null. */
  writer: {
    id: string;
    name: string;
  } | null;
  /** A time in UTC. */
  decided_at: string | null;
  /** The person or the admin token that decided; null for the operator, or if nobody has decided. */
  decided_by: {
    id: string;
    name: string;
  } | null;
  /** The reason for the refusal. */
  reason: string | null;
  message: Message;
  raw: RawMessage;
  headers: {
    name: string;
    value: string;
    /** Whether the sender added this header; otherwise, the server wrote it. */
    is_added: boolean;
  }[];
  /** The SHA-256 of each attachment, in the order of `message.attachments`. */
  attachment_hashes: string[];
  correspondents: Correspondent[];
}

/** A message that is or was held for approval, as lists show it. */
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
  /** The number of attachments. */
  attachments: number;
  /** A time in UTC. */
  held_at: string;
  /** A time in UTC. */
  expires_at: string;
  state: 'held' | 'approved' | 'refused' | 'expired';
  /** The SHA-256 of the bytes and recipients to be sent. A decision must include it. */
  content_hash: string;
  /** The key that sent the message; null if a person sent the draft of a key. */
  key: {
    id: string;
    name: string;
  } | null;
  /** The key that wrote the draft, if somebody else sent it; otherwise null. */
  writer: {
    id: string;
    name: string;
  } | null;
  /** A time in UTC. */
  decided_at: string | null;
  /** The person or the admin token that decided; null for the operator, or if nobody has decided. */
  decided_by: {
    id: string;
    name: string;
  } | null;
  /** The reason for the refusal. */
  reason: string | null;
}

/** A changed key. If its new policy holds its mail, also the enabled webhooks that the key created. */
export interface ChangedApiKey {
  id: string;
  name: string;
  /** The prefix and the last characters of the key. */
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
  /** The inboxes that the key can use; null for all, an empty list for none. */
  inbox_ids: string[] | null;
  /** Whether the key can only read. */
  read_only: boolean;
  /** When the key expires; null for never. */
  expires_at: string | null;
  /** The settings of the key's own policy. */
  policy: {
    send?: SendMode;
    /**
     * The allowed recipients. `known`: addresses that have written to the inbox, if DMARC passed or the mail
     * came from this server, and addresses that an outbound allow rule names, even if the rule is older than
     * the policy. Or a list of addresses and domains; a domain includes its subdomains.
     */
    recipients?: 'anyone' | 'known' | string[];
    /** The maximum number of emails per hour, counted once for each recipient; null for no limit. */
    per_hour?: number | null;
    /** The maximum number of emails in 24 hours, counted once for each recipient; null for no limit. */
    per_day?: number | null;
    /**
     * The maximum number of emails per hour in one thread, counted once for each recipient; null for no
     * limit.
     */
    per_thread_hour?: number | null;
    /** The maximum number of emails to one recipient in 24 hours, whatever their outcome; null for no limit. */
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
  /** The widest pauses first, then the newest; at most 200. */
  pauses: PauseEntry[];
  /** Null while neither the workspace nor the server is paused. */
  waiting: Waiting | null;
}

/** The history of a recipient, from mail that this inbox received. */
export interface Correspondent {
  address: string;
  /** The name that the message gives this recipient; null if it gives none. */
  name: string | null;
  /** Whether the inbox received mail with this address in From. Anyone can forge From. */
  wrote_before: boolean;
  /**
   * Whether some of that mail passed DMARC for the domain of the address, or came from an inbox of this
   * server.
   */
  proven: boolean;
  /** The verified domain of the newest proven mail. */
  verified_domain: string | null;
  /** A time in UTC. */
  last_wrote_at: string | null;
  /** When the newest proven mail arrived. Later mail may be forged. */
  proven_at: string | null;
  /** Whether the inbox has neither received mail from the address nor sent any to it. */
  is_new: boolean;
  /**
   * The From address of the original message, if its Reply-To named this recipient: the reply goes to this
   * recipient, not to its author.
   */
  reply_to_of: string | null;
}

export interface CreateApiKey {
  name: string;
  inbox_ids?: string[] | null | undefined;
  read_only?: boolean | undefined;
  /** When it expires. */
  expires_at?: string | null | undefined;
  policy?: {
    send?: SendMode;
    /**
     * The allowed recipients. `known`: addresses that have written to the inbox, if DMARC passed or the mail
     * came from this server, and addresses that an outbound allow rule names, even if the rule is older than
     * the policy. Or a list of addresses and domains; a domain includes its subdomains.
     */
    recipients?: 'anyone' | 'known' | string[];
    /** The maximum number of emails per hour, counted once for each recipient; null for no limit. */
    per_hour?: number | null;
    /** The maximum number of emails in 24 hours, counted once for each recipient; null for no limit. */
    per_day?: number | null;
    /**
     * The maximum number of emails per hour in one thread, counted once for each recipient; null for no
     * limit.
     */
    per_thread_hour?: number | null;
    /** The maximum number of emails to one recipient in 24 hours, whatever their outcome; null for no limit. */
    per_recipient_day?: number | null;
    /** The maximum number of recipients of one message; null for no limit. */
    recipients_max?: number | null;
  } | undefined;
}

export interface CreateWorkspace {
  /** The name. It is unique. */
  name: string;
  /**
   * By default `business`.
   * @default 'business'
   */
  plan?: Plan | undefined;
  /**
   * Whether the mail of the workspace always stays on this server.
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
  /** The person who decided, in your words. The audit log records it with the token. */
  decided_by: string;
}

/** The result of a decision about one message. */
export interface DecisionResult {
  message_id: string;
  /** Null if the decision took effect. */
  problem: 'changed' | 'decided' | 'expired' | 'not_found' | null;
  /** The state now; null if there is no such message. */
  state: 'held' | 'approved' | 'refused' | 'expired' | null;
  /**
   * The recipients that do not get the approved message, because they have since been suppressed, blocked or
   * disallowed.
   */
  left_out: DroppedRecipient[];
}

/** An enabled webhook of a key whose mail is now held by a policy. The webhook continues to post events. */
export interface HeldWebhook {
  id: string;
  url: string;
  key_id: string;
  key_name: string;
}

/** An invitation that has not been accepted yet. */
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

/** The enabled webhooks and scheduled drafts of a key, which keep running without it. */
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
  /** The unique name that the operator uses. */
  name: string;
  /** The title that its owners chose; by default the name. */
  title: string;
  plan: Plan;
  /** Whether the mail of the workspace always stays on this server. */
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

/** A new key, which is shown only once. */
export interface NewApiKey {
  id: string;
  name: string;
  /** The prefix and the last characters of the key. */
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
  /** The inboxes that the key can use; null for all, an empty list for none. */
  inbox_ids: string[] | null;
  /** Whether the key can only read. */
  read_only: boolean;
  /** When the key expires; null for never. */
  expires_at: string | null;
  /** The settings of the key's own policy. */
  policy: {
    send?: SendMode;
    /**
     * The allowed recipients. `known`: addresses that have written to the inbox, if DMARC passed or the mail
     * came from this server, and addresses that an outbound allow rule names, even if the rule is older than
     * the policy. Or a list of addresses and domains; a domain includes its subdomains.
     */
    recipients?: 'anyone' | 'known' | string[];
    /** The maximum number of emails per hour, counted once for each recipient; null for no limit. */
    per_hour?: number | null;
    /** The maximum number of emails in 24 hours, counted once for each recipient; null for no limit. */
    per_day?: number | null;
    /**
     * The maximum number of emails per hour in one thread, counted once for each recipient; null for no
     * limit.
     */
    per_thread_hour?: number | null;
    /** The maximum number of emails to one recipient in 24 hours, whatever their outcome; null for no limit. */
    per_recipient_day?: number | null;
    /** The maximum number of recipients of one message; null for no limit. */
    recipients_max?: number | null;
  };
  key: string;
}

/** A new invitation. Its link is shown only once; `mailed` says whether it was also sent by email. */
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

/** An active pause. */
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

/** A policy of one key, one inbox or the workspace. */
export interface PolicyEntry {
  level: 'key' | 'inbox' | 'workspace';
  subject_id: string;
  name: string;
  lines: {
    send?: SendMode;
    /**
     * The allowed recipients. `known`: addresses that have written to the inbox, if DMARC passed or the mail
     * came from this server, and addresses that an outbound allow rule names, even if the rule is older than
     * the policy. Or a list of addresses and domains; a domain includes its subdomains.
     */
    recipients?: 'anyone' | 'known' | string[];
    /** The maximum number of emails per hour, counted once for each recipient; null for no limit. */
    per_hour?: number | null;
    /** The maximum number of emails in 24 hours, counted once for each recipient; null for no limit. */
    per_day?: number | null;
    /**
     * The maximum number of emails per hour in one thread, counted once for each recipient; null for no
     * limit.
     */
    per_thread_hour?: number | null;
    /** The maximum number of emails to one recipient in 24 hours, whatever their outcome; null for no limit. */
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

/** A revoked key, its webhooks and drafts, and whether they keep running. */
export interface RevokedApiKey {
  id: string;
  name: string;
  /** The prefix and the last characters of the key. */
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
  /** The inboxes that the key can use; null for all, an empty list for none. */
  inbox_ids: string[] | null;
  /** Whether the key can only read. */
  read_only: boolean;
  /** When the key expires; null for never. */
  expires_at: string | null;
  /** The settings of the key's own policy. */
  policy: {
    send?: SendMode;
    /**
     * The allowed recipients. `known`: addresses that have written to the inbox, if DMARC passed or the mail
     * came from this server, and addresses that an outbound allow rule names, even if the rule is older than
     * the policy. Or a list of addresses and domains; a domain includes its subdomains.
     */
    recipients?: 'anyone' | 'known' | string[];
    /** The maximum number of emails per hour, counted once for each recipient; null for no limit. */
    per_hour?: number | null;
    /** The maximum number of emails in 24 hours, counted once for each recipient; null for no limit. */
    per_day?: number | null;
    /**
     * The maximum number of emails per hour in one thread, counted once for each recipient; null for no
     * limit.
     */
    per_thread_hour?: number | null;
    /** The maximum number of emails to one recipient in 24 hours, whatever their outcome; null for no limit. */
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
  /** The name. It is unique. */
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
  /** Bytes of attachments added on this day, minus those removed. */
  storage_bytes: number;
}

/**
 * The mail that waits for the end of a pause of the workspace or the server. Counts above 1,000 are not
 * exact.
 */
export interface Waiting {
  /** Recipients whose mail was already being handed to a relay when the pause began. */
  under_way: number;
  /** Recipients whose mail would otherwise be sent now. */
  recipients: number;
  scheduled_drafts: number;
  /** Messages that wait for approval. */
  held: number;
}

/** Workspaces, newest first. */
export interface WorkspacePage {
  workspaces: ManagedWorkspace[];
  /** The `cursor` of the next page; null on the last page. */
  next_cursor: string | null;
}
