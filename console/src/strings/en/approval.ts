import type { ApprovalState, DecisionProblem, HiddenPart } from '@postrider/contract/console';

/** A message that waits for approval: its content, and the decision. */
export const approvalText = {
  noSubject: '(no subject)',
  back: 'Approvals',
  about: {
    key: (key: string, inbox: string) => `The agent with the key “${key}” wants to send this from ${inbox}.`,
    keyOf: (key: string, writer: string, inbox: string) =>
      `The agent with the key “${writer}” wrote this draft, and the agent with the key “${key}” wants to send it from ${inbox}.`,
    personOf: (writer: string, inbox: string) =>
      `The agent with the key “${writer}” wrote this draft, and a person sent it from ${inbox}.`,
    person: (inbox: string) => `An agent wrote this draft, and a person sent it from ${inbox}.`,
  },
  held: 'Held',
  left: {
    days: (days: number) => `${days} days left`,
    hours: (hours: number) => `${hours} h left`,
    minutes: (minutes: number) => `${minutes} min left`,
    over: 'No time left',
  },
  kinds: { to: 'To', cc: 'Cc', bcc: 'Bcc' },
  bccHelp: 'The others do not see this recipient.',
  recipients: 'Recipients',
  from: 'From',
  replyTo: 'Replies go to',
  subject: 'Subject',
  /** Of recipients. */
  named: (name: string) => `The message calls this recipient “${name}”`,
  standing: {
    proven: (day: string, domain: string) => `Wrote to this inbox on ${day}, proven for ${domain}`,
    unproven: (day: string) =>
      `Wrote to this inbox on ${day}, but without proof: anyone could have written it`,
    stranger: 'Has never written to this inbox, and has never received mail from it',
    onlyWrittenTo: 'Has never written to this inbox, but has received mail from it',
    elsewhere: (writer: string) => `The reply goes to a different address from the one that wrote, ${writer}`,
  },
  warnings: {
    label: 'Check this first',
    hidden:
      'This message has parts that are not shown here, or that others do not see. Its source has all of it.',
    parts: {
      outlook: (part: string) => `Only Outlook shows “${part}”.`,
      not_outlook: (part: string) => `Outlook does not show “${part}”.`,
      some_programs: (part: string) => `Not shown here, but shown by some mail programs: “${part}”.`,
      some_screens: (part: string) => `Only on some screens, in some programs or on paper: “${part}”.`,
    } satisfies Record<HiddenPart['readers'], (part: string) => string>,
    showSource: 'Show the source',
    diverted: (address: string, writer: string) =>
      `The email came from ${writer} and asks for replies to ${address}. The reply goes there, not to the writer.`,
    answers_elsewhere: (addresses: string) => `Replies to this message go to ${addresses}, not to the inbox.`,
    unproven_writer: (writer: string) =>
      `Nothing proves that ${writer} wrote the original message. Somebody else may be behind it.`,
    added: (addresses: string) => `The original message does not name ${addresses}.`,
    no_text:
      'There is only a formatted version. Programs that show plain text show nothing, or make their own text from it.',
    texts_differ: 'The formatted version and the plain text say different things. Read both.',
    file: (name: string, type: string) =>
      `The file ${name} is declared as ${type}, but its name suggests another kind of file.`,
    link: (shown: string, leadsTo: string) => `A link shows ${shown} and leads to ${leadsTo}.`,
  },
  content: 'Content',
  formatted: 'Formatted version',
  plain: 'Plain text',
  noBody: 'The message has no text.',
  frame: (subject: string) => `The formatted version of “${subject}”`,
  images: (count: number) =>
    count === 1
      ? '1 image on another server is not loaded.'
      : `${count} images on other servers are not loaded.`,
  imagesHelp: 'Loading images tells other servers that somebody is reading this.',
  showImages: 'Show images',
  showAllText: (lines: number) => `Show all ${lines} lines`,
  showAllHtml: 'Show all of it',
  cutHtml:
    'The formatted version cannot be shown in full, so it cannot be approved here. The source has all of it.',
  answers: (writer: string, day: string) => `Reply to ${writer}, ${day}`,
  answersGone: 'Reply to a deleted message',
  original: 'The original message',
  showOriginal: 'Show the original message',
  openThread: 'Show the whole conversation',
  source: 'Headers and source',
  htmlSource: 'Source of the formatted version',
  headers: 'Header fields',
  download: 'Download as .eml',
  hash: 'Fingerprint',
  hashHelp: 'The SHA-256 of the message and its recipients. Only a message with this fingerprint is sent.',
  copyHash: 'Copy the fingerprint',
  actions: {
    label: 'Decision',
    approve: 'Approve',
    refuse: 'Refuse',
    showFirst: 'Press “Show all” first. Only what was shown in full can be approved.',
    loading: 'The message is still loading.',
    notShown: 'The formatted version cannot be shown right now. Only what was shown can be approved.',
    showAgain: 'Show again',
    openSource: 'Press “Show the source” first. The message has parts that are not shown here.',
    keys: 'Ctrl+Enter approves, R refuses. On a Mac, ⌘+Enter approves.',
  },
  refusal: {
    title: 'Refuse this message',
    titleOfMany: (count: number) => `Refuse ${count} messages`,
    reason: 'Reason',
    help: 'Optional. The agent reads it and can write another message.',
    suggestions: ['Wrong recipient', 'Wrong facts', 'Wrong tone'],
    suggestionsLabel: 'Common reasons',
    confirm: 'Refuse',
  },
  done: {
    approved: 'Approved. It is sent now.',
    leftOut: (addresses: string) =>
      `It is not sent to ${addresses}: suppressed, blocked or disallowed while it was waiting.`,
    refused: 'Refused. The agent is told.',
    next: 'Go to the next one',
    all: 'Back to the list',
  },
  problems: {
    changed: 'The message has changed since it was shown. Review it again, then decide.',
    decided: 'Somebody else has already decided.',
    expired: 'Nobody approved it in time, so it was not sent.',
    not_found: 'The message was deleted, so there is nothing to decide.',
  } satisfies Record<DecisionProblem, string>,
  states: { held: 'Waiting', approved: 'Approved', refused: 'Refused', expired: 'Expired' } satisfies Record<
    ApprovalState,
    string
  >,
  outcome: {
    approved: (by: string, time: string) => `Approved by ${by}, ${time}`,
    refused: (by: string, time: string) => `Refused by ${by}, ${time}`,
    expired: 'Nobody approved it within 72 hours, so it was not sent.',
    reason: (reason: string) => `Reason: ${reason}`,
    operator: 'the operator',
  },
};

/** The page that a link of a mail about a held message leads to. */
export const approveLinkText = {
  loading: 'A message is waiting for you',
  title: 'Send this message?',
  lead: (workspace: string) =>
    `An agent of the workspace “${workspace}” wants to send this. Nothing is sent until somebody approves it.`,
  asPerson: (person: string, email: string) => `You decide as ${person} (${email}).`,
  over: { approved: 'This was approved', refused: 'This was refused', expired: 'This has expired' },
  subject: (subject: string) => `Its subject is “${subject}”.`,
  expired: {
    title: 'This link no longer works',
    message:
      'The link may be incomplete, the message may have been deleted, or you may no longer be in the workspace. Look for the message in the console.',
  },
  broken: { title: 'This link is incomplete', message: 'Open the complete link from the email again.' },
  console: 'Open the console',
};
