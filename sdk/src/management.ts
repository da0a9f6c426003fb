/*
 * The client of the management API, for the back ends of the people in control. It creates keys, sets policies, pauses sending, and decides
 * on held messages. Agents do not need it, and the management API refuses their keys.
 */

export type {
  ApiKey,
  ApiKeyIn,
  Approval,
  ApprovalSummary,
  ChangedApiKey,
  Control,
  Correspondent,
  CreateApiKey,
  CreateWorkspace,
  DecideForPeople,
  DecisionResult,
  HeldWebhook,
  Invitation,
  KeyWorks,
  ManagedWorkspace,
  ManagementCalls,
  Member,
  NewApiKey,
  NewInvitation,
  PauseEntry,
  PolicyEntry,
  RevokedApiKey,
  UpdateWorkspace,
  UsageDay,
  Waiting,
  WorkspacePage,
} from './generated/management.ts';
export type { AdminRight } from './generated/types.ts';
export { Management, type ManagementOptions } from './management/client.ts';
