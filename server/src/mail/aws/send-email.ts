import type { SendEmailCommandInput } from '@aws-sdk/client-sesv2';
import { type SendPhase, type SendSteps, type SignedRequest, sendOnce } from './send-once.ts';
import type { SesConnection } from './ses-client.ts';

/** Thrown if a message was not accepted, or may not have been. */
export class SendEmailFailed extends Error {
  override name = 'SendEmailFailed' as const;
  /** How far the request got. */
  readonly phase: SendPhase;
  /** The HTTP status of the response; null without one. */
  readonly status: number | null;

  constructor(cause: unknown, phase: SendPhase, status: number | null) {
    super('Amazon SES did not accept a message.', { cause });
    this.phase = phase;
    this.status = status;
  }
}

/**
 * Calls `SendEmail` once and returns the id of the message at SES. The SDK makes and signs the request and reads the response, and
 * `sendOnce` sends it.
 *
 * @throws SendEmailFailed, or the error with which `onHandover` rejected; then nothing was sent.
 */
export async function sendEmail(
  { sdk, client }: SesConnection,
  input: SendEmailCommandInput,
  steps: Omit<SendSteps, 'onPhase'>,
): Promise<string | null> {
  let phase: SendPhase = 'open';
  let status: number | null = null;
  let handover: Promise<void> = Promise.resolve();
  const command = new sdk.SendEmailCommand(input);
  const send = async (request: SignedRequest) => {
    const response = await sendOnce(request, {
      ...steps,
      onHandover: () => {
        handover = steps.onHandover();
        return handover;
      },
      onPhase: (next) => {
        phase = next;
      },
    });
    status = response.statusCode;
    return { response };
  };
  command.middlewareStack.add(() => (call) => send(call.request as SignedRequest), {
    name: 'sendOnce',
    step: 'deserialize',
    priority: 'low',
  });
  try {
    const { MessageId } = await client.send(command);
    return MessageId ?? null;
  } catch (error) {
    await handover;
    throw new SendEmailFailed(error, phase, status);
  }
}
