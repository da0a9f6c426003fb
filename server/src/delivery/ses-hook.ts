import type { RequestHandler } from 'express';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { invalidField, unavailable } from '../lib/api-error.ts';
import { readSesNotification, type SesOutcome, type SesReport } from '../mail/aws/ses-notification.ts';
import { readSesReceived, type SesReceived } from '../mail/aws/ses-received.ts';
import type { SnsMessage } from '../mail/aws/sns-message.ts';
import { createSnsReader, SnsAway, SnsRefused } from '../mail/aws/sns-reader.ts';
import {
  type DeliveryChange,
  decideComplaint,
  event,
  type Reported,
  settled,
  underway,
} from './delivery-outcome.ts';
import { type RecipientKey, recordOutcome } from './recipient-state.ts';
import { decideReported } from './report-outcome.ts';

/** The time that Amazon SNS is asked to wait before it sends a notification again. */
const comeAgainSeconds = 5;

/** The time for which an unknown message may be one whose id is not recorded yet. */
const youngMs = 5 * 60_000;

/**
 * Responds to `POST /hooks/ses`: 200 once a notification of Amazon SNS is durable, 400 if it did not come from there, 503 if it should
 * be sent again. `takeMail` takes mail that SES received.
 */
export function answerSesHook(
  deps: Deps,
  ses: { region: string; topicArns: string[] },
  takeMail: (received: SesReceived) => Promise<void>,
): RequestHandler {
  const reader = createSnsReader({ ...ses, agent: deps.httpsAgent, now: () => deps.clock.now() });
  return async (req, res) => {
    try {
      const message = await reader.read(typeof req.body === 'string' ? req.body : '');
      if (message.Type === 'SubscriptionConfirmation') {
        await reader.confirm(message);
        deps.log.info({ topic: message.TopicArn }, 'a subscription to Amazon SNS was confirmed');
      } else if (message.Type === 'UnsubscribeConfirmation') {
        deps.log.warn({ topic: message.TopicArn }, 'a subscription to Amazon SNS has ended');
      } else await take(deps, message, takeMail);
    } catch (error) {
      throw toApiError(deps, error);
    }
    res.json({ status: 'ok' });
  };
}

async function take(
  deps: Deps,
  { Message, MessageId }: SnsMessage,
  takeMail: (received: SesReceived) => Promise<void>,
): Promise<void> {
  const received = readSesReceived(Message);
  if (received) return takeMail(received);
  const report = readSesNotification(Message);
  if (!report)
    return deps.log.warn(
      { notification: MessageId },
      'a message from Amazon SNS is not a notification of SES',
    );
  if (report.outcomes.length === 0 || (await recordSesReport(deps, report))) return;
  // The process that handed the message to SES may still be recording its id.
  const { providerMessageId, sentAt } = report;
  if (deps.clock.now().getTime() - sentAt.getTime() < youngMs) throw unavailable(undefined, comeAgainSeconds);
  deps.log.info({ providerMessageId }, 'Amazon SES reported on an unknown message');
}

function toApiError(deps: Deps, error: unknown): unknown {
  if (error instanceof SnsRefused) return invalidField(error.field, error.message);
  if (!(error instanceof SnsAway)) return error;
  deps.log.warn({ err: error }, 'Amazon SNS could not be asked');
  return unavailable(error, comeAgainSeconds);
}

/**
 * Records a report of Amazon SES on a message, once for each recipient however often it arrives. Resolves once that is durable.
 * Returns false if no recipient has this id of the provider, or none yet.
 */
async function recordSesReport(deps: Deps, report: SesReport): Promise<boolean> {
  const keys = await findRecipients(deps, report.providerMessageId);
  const at = deps.clock.now();
  const found = report.outcomes.flatMap(({ address, outcome }) =>
    keys
      .filter((key) => address === null || key.address === address)
      .map((key) => ({ key, change: decideSesOutcome(outcome, { recipient: key.address, at }) })),
  );
  if (keys.length > 0 && found.length === 0) {
    const { providerMessageId } = report;
    deps.log.info({ providerMessageId }, 'Amazon SES reported on addresses that the message was not sent to');
  }
  await Promise.all(
    found.map(async ({ key, change }) => {
      const changed = await recordOutcome(deps, key, change, at, null);
      const { messageId, address: recipient } = key;
      deps.log.info({ messageId, recipient, status: change.status, changed }, 'Amazon SES reported');
    }),
  );
  return keys.length > 0;
}

async function findRecipients(deps: Deps, providerMessageId: string): Promise<RecipientKey[]> {
  const rows = await acrossWorkspaces(deps, 'a provider knows a message by its own id, and no workspace')
    .selectFrom('message_recipients')
    .select(['workspace_id', 'message_id', 'address'])
    .where('provider_message_id', '=', providerMessageId)
    .execute();
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    messageId: row.message_id,
    address: row.address,
  }));
}

/** Returns the outcome that a notification of Amazon SES means for a recipient. */
function decideSesOutcome(outcome: SesOutcome, reported: Reported): DeliveryChange {
  switch (outcome.kind) {
    case 'delivery':
      return decideReported(outcome, reported);
    case 'complaint':
      return decideComplaint(outcome.feedbackType, reported);
    case 'rejection':
      return {
        ...settled('rejected', outcome.reason),
        fromStatuses: [...underway, 'sent'],
        isEvidence: true,
        events: [event(reported, 'message.rejected', { reason: outcome.reason })],
      };
  }
}
