/** The text of every message that is sent. */
export const sentText = 'Hello Ada,\nyour order has shipped and will be with you on Thursday.\n'.repeat(6);

/** Returns a request to send a message, which differs for each number. */
export function makeMessage(inboxId: string, number: number, domain = 'receiver.example') {
  return {
    method: 'POST' as const,
    path: '/v1/messages',
    body: JSON.stringify({
      inbox_id: inboxId,
      to: [`person-${number}@${domain}`],
      subject: `Your order ${number} has shipped`,
      text: sentText,
      html: `<p>${sentText}</p>`,
      client_id: `order-${number}`,
    }),
  };
}
