import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { invalidField, unavailable } from '../lib/api-error.ts';
import { readSesNotification } from '../mail/aws/ses-notification.ts';
import type { SnsMessage } from '../mail/aws/sns-message.ts';
import { createSnsReader, SnsAway, SnsRefused } from '../mail/aws/sns-reader.ts';
import { recordSesReport } from './record-ses-report.ts';

/** When Amazon SNS is asked to bring a notification again. */
const comeAgainSeconds = 5;

/** For so long an unknown message may be one whose id is not written down yet. */
const youngMs = 5 * 60_000;

/**
 * Answers `POST /hooks/ses`: 200 once what Amazon SNS brought is durable, 400 for what did not come from it, 503 for what is to be
 * brought again.
 */
export const answerSesHook = (deps: Deps, ses: { region: string; topicArns: string[] }): RequestHandler => {
  const reader = createSnsReader({ ...ses, agent: deps.httpsAgent, now: () => deps.clock.now() });
  return async (req, res) => {
    try {
      const message = await reader.read(typeof req.body === 'string' ? req.body : '');
      if (message.Type === 'SubscriptionConfirmation') {
        await reader.confirm(message);
        deps.log.info({ topic: message.TopicArn }, 'a subscription to Amazon SNS was confirmed');
      } else if (message.Type === 'UnsubscribeConfirmation') {
        deps.log.warn({ topic: message.TopicArn }, 'a subscription to Amazon SNS has ended');
      } else await take(deps, message);
    } catch (error) {
      throw toApiError(deps, error);
    }
    res.json({ status: 'ok' });
  };
};

const take = async (deps: Deps, { Message, MessageId }: SnsMessage): Promise<void> => {
  const report = readSesNotification(Message);
  if (!report) return deps.log.warn({ notification: MessageId }, 'Amazon SNS brought no notification of SES');
  if (report.outcomes.length === 0 || (await recordSesReport(deps, report))) return;
  // Who was told that SES took the message writes that down at the same moment, and may still be at it.
  const { providerMessageId, sentAt } = report;
  if (deps.clock.now().getTime() - sentAt.getTime() < youngMs) throw unavailable(undefined, comeAgainSeconds);
  deps.log.info({ providerMessageId }, 'Amazon SES reported on a message that is not known here');
};

const toApiError = (deps: Deps, error: unknown): unknown => {
  if (error instanceof SnsRefused) return invalidField(error.field, error.message);
  if (!(error instanceof SnsAway)) return error;
  deps.log.warn({ err: error }, 'Amazon SNS could not be asked');
  return unavailable(error, comeAgainSeconds);
};
