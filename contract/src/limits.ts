import * as z from 'zod';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const kib = 1_024;
const mib = 1_024 * kib;
const gib = 1_024 * mib;

/**
 * All fixed limits, sizes and times of the service. Each name ends with its unit, before `Max`; `MB` in the documentation means 1,048,576
 * bytes. A value equal to a limit named `…Max` is allowed, and one above it is refused.
 */
export const limits = {
  // One outbound message
  recipientsMax: 50,
  subjectCharactersMax: 998,
  bodyTextBytesMax: 5 * mib,
  bodyHtmlBytesMax: 5 * mib,
  referencesMax: 50,
  customHeadersMax: 25,
  attachmentsMax: 100,
  attachmentBytesMax: 7_340_032,
  composedBytesMax: 10_485_760,
  clientIdCharactersMax: 255,
  idempotencyWindowMs: 24 * hour,
  idempotencyWaitMs: 30 * second,
  deliveryExpiryMs: 48 * hour,
  /** The same if this server sends to the servers of recipients itself (RFC 5321, section 4.5.4.1: 4 to 5 days). */
  directDeliveryExpiryMs: 5 * day,
  /** How long to wait for the reply to a message that was transferred completely (RFC 5321, section 4.5.3.2.6). */
  finalReplyWaitMs: 10 * minute,
  /**
   * The answers that an inbox sends within the window to one address, and in one thread for each of up to five correspondents in it. Two
   * machines could exchange more.
   */
  loopAnswersMax: 20,
  loopWindowMs: 10 * minute,

  // People in control of sending
  heldMessagesPerWorkspaceMax: 1_000,
  policyPatternsMax: 1_000,
  policyCapMax: 1_000_000,
  approvalMs: 72 * hour,
  approvalReasonCharactersMax: 1_000,

  // Requests
  requestBytesMax: mib,
  requestWithAttachmentsBytesMax: 34 * mib,
  /** A request above this is `payload_too_large` even if its attachments are within their limit. */
  requestBesideAttachmentsBytesMax: 10.5 * mib,
  jsonValuesMax: 10_000,
  jsonOutsideStringsBytesMax: mib,
  jsonDepthMax: 32,
  /** A body above this is a large one. Only a few large bodies are accepted at once. */
  largeRequestBytes: 256 * kib,
  largeRequestsPerWorkspaceMax: 2,
  /** A body or response counts as one more request for each further part of this size, including an incomplete last one. */
  bytesPerRequest: 256 * kib,
  unreadBytesPerWorkspaceMax: 32 * mib,
  pageItemsDefault: 25,
  pageItemsMax: 100,
  /** The messages that one page of a list examines if several filters are combined. The next page continues after them. */
  listCandidatesMax: 5_000,
  waitSecondsMax: 60,
  waitingRequestsPerWorkspaceMax: 100,
  socketsPerWorkspaceMax: 100,
  deliveriesByHandPerWorkspaceMax: 10,

  // Contents of responses
  snippetCharactersMax: 200,
  listedBodyBytesMax: 64 * kib,
  listedAddressesMax: 100,
  listedReferencesMax: 20,
  threadMessagesMax: 200,
  /** A list or a page of events ends early above this. A single item may be larger. */
  answerBytesMax: 4 * mib,
  downloadLinkMs: 15 * minute,

  // Inbound mail
  inboundBytesMax: 25 * mib,
  receivedLinesMax: 50,
  /** The listed files of one email. Further files stay in its original and are not listed. */
  inboundAttachmentsMax: 100,
  redeliveryWindowMs: 72 * hour,
  /** The share of the plan's `mail_bytes` that one sender may fill in one inbox within the window. */
  mailOfSenderShareMax: 0.1,
  mailOfSenderWindowMs: day,

  // Contents of a workspace
  labelsPerWorkspaceMax: 1_000,
  labelsPerMessageMax: 50,
  draftsPerWorkspaceMax: 10_000,
  rulesPerWorkspaceMax: 10_000,
  webhooksPerWorkspaceMax: 50,
  webhookInboxesMax: 100,
  domainsPerWorkspaceMax: 1_000,
  addressHoldMs: 30 * day,
  /** The addresses that a workspace holds after their deletion: this number, or the number of inboxes of its plan if that is higher. */
  heldAddressesMax: 25,
  eventsKeptMs: 30 * day,

  // Names and texts
  localPartCharactersMax: 64,
  displayNameCharactersMax: 128,
  labelNameCharactersMax: 64,
  filenameCharactersMax: 255,
  metadataKeysMax: 20,
  metadataKeyCharactersMax: 40,
  metadataValueCharactersMax: 500,
  searchQueryCharactersMax: 1_000,
  urlCharactersMax: 2_048,

  // Webhook deliveries
  webhookRetryDelaysMs: [0, 5 * second, 30 * second, 2 * minute, 15 * minute, hour, 6 * hour, 24 * hour],
  webhookRetryJitter: 0.1,
  webhookTimeoutMs: 10 * second,
  webhookAnswerBytesMax: 64 * kib,
  webhookDisabledAfterMs: 5 * day,
  webhookSecretOverlapMs: 24 * hour,
} as const;

/** The plans, smallest first. */
export const Plan = z
  .enum(['free', 'pro', 'scale', 'business'])
  .meta({ id: 'Plan', description: 'The plan of a workspace.', examples: ['pro'] });
export type Plan = z.infer<typeof Plan>;

function figure(description: string, example: number) {
  return z
    .int()
    .min(0)
    .meta({ description, examples: [example] });
}

/** The limits of a plan. The configuration that overrides them has the same keys. */
export const PlanLimits = z
  .object({
    inboxes: figure('The maximum number of inboxes.', 100),
    emails_per_month: figure(
      'The maximum number of messages sent in a UTC calendar month, whatever their number of recipients.',
      20_000,
    ),
    storage_bytes: figure(
      'The maximum size of stored attachments, inbound and outbound, in bytes.',
      20 * gib,
    ),
    mail_bytes: figure(
      'The maximum size of stored mail in bytes: originals and bodies, inbound and outbound.',
      40 * gib,
    ),
    requests_per_second: figure('The sustained number of requests per second.', 25),
    requests_burst: figure('The number of requests that can be sent at once.', 100),
    custom_domains: z.boolean().meta({
      description: 'Whether the plan includes custom domains.',
      examples: [true],
    }),
    semantic_search: z.boolean().meta({
      description: 'Whether the plan includes semantic and hybrid search.',
      examples: [true],
    }),
    dedicated_subdomain: z.boolean().meta({
      description: 'Whether the plan includes a dedicated subdomain.',
      examples: [false],
    }),
  })
  .meta({ id: 'PlanLimits', description: 'The limits of a workspace’s plan.' });
export type PlanLimits = z.infer<typeof PlanLimits>;

/** The limits of each plan. A server's configuration may override any of them. */
export const plans = {
  free: {
    inboxes: 5,
    emails_per_month: 5_000,
    storage_bytes: 5 * gib,
    mail_bytes: 10 * gib,
    requests_per_second: 10,
    requests_burst: 50,
    custom_domains: false,
    semantic_search: false,
    dedicated_subdomain: false,
  },
  pro: {
    inboxes: 100,
    emails_per_month: 20_000,
    storage_bytes: 20 * gib,
    mail_bytes: 40 * gib,
    requests_per_second: 25,
    requests_burst: 100,
    custom_domains: true,
    semantic_search: true,
    dedicated_subdomain: false,
  },
  scale: {
    inboxes: 1_500,
    emails_per_month: 200_000,
    storage_bytes: 100 * gib,
    mail_bytes: 200 * gib,
    requests_per_second: 100,
    requests_burst: 400,
    custom_domains: true,
    semantic_search: true,
    dedicated_subdomain: true,
  },
  business: {
    inboxes: 15_000,
    emails_per_month: 2_000_000,
    storage_bytes: 500 * gib,
    mail_bytes: 1000 * gib,
    requests_per_second: 500,
    requests_burst: 1_000,
    custom_domains: true,
    semantic_search: true,
    dedicated_subdomain: true,
  },
} as const satisfies Record<Plan, PlanLimits>;
