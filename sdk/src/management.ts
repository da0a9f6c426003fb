/*
 * The client of the management API, for back ends of the people in control: it makes keys, sets policies, pauses and decides about held
 * messages. Agents do not need it, and their keys are refused there.
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
