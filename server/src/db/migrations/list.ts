import { ClaimByIndex } from './claim-by-index.ts';
import { CompressTexts } from './compress-texts.ts';
import { CutFields } from './cut-fields.ts';
import { Drafts } from './drafts.ts';
import { FollowInBatches } from './follow-in-batches.ts';
import { Instance } from './instance.ts';
import { LabelsAndSuppressions } from './labels-and-suppressions.ts';
import { ListTerms } from './list-terms.ts';
import { MailUsage } from './mail-usage.ts';
import { OrderEvents } from './order-events.ts';
import { PlanUsage } from './plan-usage.ts';
import { ProviderIds } from './provider-ids.ts';
import { RecordDelivery } from './record-delivery.ts';
import { Rules } from './rules.ts';
import { Schema } from './schema.ts';
import { SequenceEvents } from './sequence-events.ts';
import { ShareWebhookPlaces } from './share-webhook-places.ts';
import { StoreInBatches } from './store-in-batches.ts';
import { StoreMessage } from './store-message.ts';
import { StoreTextsApart } from './store-texts-apart.ts';
import { ThreadLabels } from './thread-labels.ts';
import { Webhooks } from './webhooks.ts';

/** Every migration, oldest first. A name is never changed and never used again. */
export const migrations = [
  { name: '0001-schema', class: Schema },
  { name: '0002-store-message', class: StoreMessage },
  { name: '0003-record-delivery', class: RecordDelivery },
  { name: '0004-sequence-events', class: SequenceEvents },
  { name: '0005-labels-and-suppressions', class: LabelsAndSuppressions },
  { name: '0006-rules', class: Rules },
  { name: '0007-drafts', class: Drafts },
  { name: '0008-plan-usage', class: PlanUsage },
  { name: '0009-thread-labels', class: ThreadLabels },
  { name: '0010-list-terms', class: ListTerms },
  { name: '0011-order-events', class: OrderEvents },
  { name: '0012-webhooks', class: Webhooks },
  { name: '0013-provider-ids', class: ProviderIds },
  { name: '0014-follow-in-batches', class: FollowInBatches },
  { name: '0015-compress-texts', class: CompressTexts },
  { name: '0016-store-in-batches', class: StoreInBatches },
  { name: '0017-claim-by-index', class: ClaimByIndex },
  { name: '0018-store-texts-apart', class: StoreTextsApart },
  { name: '0019-mail-usage', class: MailUsage },
  { name: '0020-share-webhook-places', class: ShareWebhookPlaces },
  { name: '0021-instance', class: Instance },
  { name: '0022-cut-fields', class: CutFields },
];
