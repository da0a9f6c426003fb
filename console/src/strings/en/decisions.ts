const again = 'The sender will try again.';

/** The log of decisions on incoming mail. */
export const decisionsText = {
  title: 'Delivery log',
  about:
    'Why did an email not arrive? This log lists every email offered to an inbox in the last 30 days, with the reply of the server. Search for an address to see what was sent to it, too.',
  search: 'Sender, recipient, host or reply',
  sent: {
    title: 'Sent to this address',
    noSubject: '(no subject)',
    said: (detail: string) => `The server said: ${detail}`,
    help: 'Mail that this workspace sent. Suppressed and blocked recipients are left out of a send, so they are not listed here.',
  },
  verdictFilter: 'Decision',
  allVerdicts: 'All decisions',
  sections: {
    failed: 'Refused or deferred',
    passed: 'Accepted',
    unknown: 'To unknown addresses',
    unknownAbout:
      'Mistyped and guessed addresses at all domains of this server that no other workspace has verified. Only the owners who run the server can see these.',
  },
  verdicts: { accepted: 'Accepted', refused: 'Refused', deferred: 'Deferred', repeated: 'Repeated' },
  columns: { time: 'Time', decision: 'Decision', mail: 'Mail' },
  from: (sender: string) => `From ${sender}`,
  to: (recipient: string) => `To ${recipient}`,
  noSender: 'an empty sender',
  noRecipient: 'no recipient',
  by: (host: string, address: string) => `by ${host} (${address})`,
  byAddress: (address: string) => `by ${address}`,
  show: 'Show the message',
  nearest: (address: string) => `Did the sender mean ${address}?`,
  none: (domain: string) =>
    `Mail to unknown addresses at ${domain} is refused with 550 5.1.1 and not listed, because all workspaces share this domain. Any other mail that is not here was never offered to this server: check the MX record of the domain and the logs of the sender.`,
  unknown: (address: string) => `No inbox has the address ${address}.`,
  reasons: {
    accepted: { meaning: 'The email was stored.', remedy: null },
    repeated: { meaning: 'The same email had already arrived, so it was not stored again.', remedy: null },
    unknownAddress: {
      meaning: 'No inbox has this address.',
      remedy: 'Check the spelling, or create an inbox with it.',
    },
    malformedAddress: { meaning: 'The address is malformed.', remedy: 'The sender must correct it.' },
    unauthentic: {
      meaning: 'The email fails DMARC, and the domain of its author asks receivers to refuse such mail.',
      remedy: 'The owner of the domain must correct SPF or DKIM. A forwarder may have changed the email.',
    },
    blockedByRule: { meaning: 'A rule blocks the sender.', remedy: 'Change the rule if the mail is wanted.' },
    tooLarge: { meaning: 'The email is larger than 25 MB.', remedy: 'The sender must send a smaller one.' },
    loop: {
      meaning: 'The email passed through more than 50 servers, so it is in a loop.',
      remedy: 'Look for two addresses that forward to each other.',
    },
    full: {
      meaning: 'The workspace already stores as much mail as its plan allows.',
      remedy: `Delete mail, or change the plan. ${again}`,
    },
    senderFilledShare: {
      meaning: 'This sender has filled a tenth of the mail storage within a day.',
      remedy: again,
    },
    serverBusy: { meaning: 'The server was short of storage or could not process the email.', remedy: again },
    tooManyMessages: { meaning: 'The host sent too many messages at once.', remedy: again },
    tooManyConnections: {
      meaning: 'The host opened too many connections or made too many errors.',
      remedy: again,
    },
    timeout: { meaning: 'The host was silent for too long.', remedy: again },
    shuttingDown: { meaning: 'The server was restarting.', remedy: again },
    otherRefusal: { meaning: 'The email was refused permanently.', remedy: null },
    otherDeferral: { meaning: 'The email was deferred.', remedy: again },
  },
  empty: {
    title: 'No mail has been offered yet',
    message:
      'When a host offers mail for an inbox, the decision appears here. Try it with one of the first two examples. Mail between inboxes of this server, or from its simulator, does not go over SMTP, so it has no entry here.',
    swaks: 'swaks',
    telnet: 'telnet, line by line',
    simulator: 'TypeScript, with a reply from the simulator',
  },
};
