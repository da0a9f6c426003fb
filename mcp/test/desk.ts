import type { TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox, Message } from 'postrider';

/** Returns a text without the marks around what came from outside. */
export function plain(text: string): string {
  return text.replace(/<\/?untrusted-[0-9a-f]{8}>/g, '');
}

/** The steps that tests of sending do beside the tools. */
export interface Desk {
  /** Returns what an inbox has sent, newest first. */
  sentBy(inbox: Inbox): Promise<Message[]>;
  /** Delivers a mail of Ada and returns it. */
  mailTo(inbox: Inbox, subject: string, more?: object): Promise<Message>;
}

/** Returns what works on a server that may be started later. */
export function makeDesk(server: () => TestServer): Desk {
  return {
    sentBy: async ({ id }) => {
      const query = { inbox_id: id, direction: 'outbound', limit: 100 } as const;
      return (await server().client.messages.list(query)).messages;
    },
    mailTo: async (inbox, subject, more = {}) => {
      const { client, smtpPort, filed } = server();
      await sendMail(smtpPort, {
        from: 'Ada <ada@remote.example>',
        to: inbox.address,
        subject,
        text: 'Where is my order?',
        envelope: { from: 'ada@remote.example', to: inbox.address },
        ...more,
      });
      await filed();
      return (await client.messages.list({ inbox_id: inbox.id, subject })).messages[0]!;
    },
  };
}
