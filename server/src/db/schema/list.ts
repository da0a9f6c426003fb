import { Tables } from './0001-tables.ts';
import { Destinations } from './0002-destinations.ts';
import { Actors } from './0003-actors.ts';
import { Fences } from './0004-fences.ts';
import { NoSearch } from './0005-no-search.ts';
import { SigningKeys } from './0006-signing-keys.ts';
import { Domains } from './0007-domains.ts';
import { DmarcReports } from './0009-dmarc-reports.ts';
import { Search } from './0010-search.ts';
import { AttachmentTexts } from './0011-attachment-texts.ts';
import { SearchVectors } from './0012-search-vectors.ts';
import { CodesByWorkspace } from './0013-codes-by-workspace.ts';
import { People } from './0014-people.ts';
import { Records } from './0015-records.ts';
import { UsedTickets } from './0016-used-tickets.ts';
import { Control } from './0017-control.ts';
import { AuditChain } from './0018-audit-chain.ts';
import { EventsOfInbox } from './0019-events-of-inbox.ts';
import { ApprovalMail } from './0020-approval-mail.ts';
import { Writers } from './0021-writers.ts';
import { AuditBegan } from './0022-audit-began.ts';
import { CountsOfMessages } from './0023-counts-of-messages.ts';
import { UnparsedMessages } from './0025-unparsed-messages.ts';
import { ThreadIndex } from './0026-thread-index.ts';
import { MoreEvents } from './0027-more-events.ts';
import { WorkspaceTitles } from './0028-workspace-titles.ts';
import { EndsOfKeys } from './0029-ends-of-keys.ts';
import { HiddenText } from './0030-hidden-text.ts';

/**
 * Every migration, oldest first. Once released, a migration is never edited, and its name never used again. Functions are not
 * among them: `functions/` has the latest text of each.
 */
export const migrations = [
  { name: '0001-tables', class: Tables },
  { name: '0002-destinations', class: Destinations },
  { name: '0003-actors', class: Actors },
  { name: '0004-fences', class: Fences },
  { name: '0005-no-search', class: NoSearch },
  { name: '0006-signing-keys', class: SigningKeys },
  { name: '0007-domains', class: Domains },
  { name: '0009-dmarc-reports', class: DmarcReports },
  { name: '0010-search', class: Search },
  { name: '0011-attachment-texts', class: AttachmentTexts },
  { name: '0012-search-vectors', class: SearchVectors },
  { name: '0013-codes-by-workspace', class: CodesByWorkspace },
  { name: '0014-people', class: People },
  { name: '0015-records', class: Records },
  { name: '0016-used-tickets', class: UsedTickets },
  { name: '0017-control', class: Control },
  { name: '0018-audit-chain', class: AuditChain },
  { name: '0019-events-of-inbox', class: EventsOfInbox },
  { name: '0020-approval-mail', class: ApprovalMail },
  { name: '0021-writers', class: Writers },
  { name: '0022-audit-began', class: AuditBegan },
  { name: '0023-counts-of-messages', class: CountsOfMessages },
  { name: '0025-unparsed-messages', class: UnparsedMessages },
  { name: '0026-thread-index', class: ThreadIndex },
  { name: '0027-more-events', class: MoreEvents },
  { name: '0028-workspace-titles', class: WorkspaceTitles },
  { name: '0029-ends-of-keys', class: EndsOfKeys },
  { name: '0030-hidden-text', class: HiddenText },
];
