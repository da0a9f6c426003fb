/** The text of every message that is sent. */
export const sentText = 'Hello Ada,\nyour order has shipped and will be with you on Thursday.\n'.repeat(6);

/** A request to send a message that is like no other one. */
export const makeMessage = (inboxId: string, number: number) => ({
  method: 'POST' as const,
  path: '/v1/messages',
  body: JSON.stringify({
    inbox_id: inboxId,
    to: [`person-${number}@receiver.example`],
    subject: `Your order ${number} has shipped`,
    text: sentText,
    html: `<p>${sentText}</p>`,
    client_id: `order-${number}`,
  }),
});
