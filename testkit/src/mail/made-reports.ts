/** The content of a delivery status notification. A field that is null is left out. */
export interface MadeStatus {
  recipient: string;
  action?: string;
  status?: string | null;
  diagnostic?: string | null;
  /** The header of the message that it is about. */
  returned?: string[];
}

const boundary = 'report-boundary';

function makeReport(type: string, parts: string[][]): string[] {
  return [
    'From: Mail Delivery Subsystem <mailer-daemon@mx.remote.example>',
    'To: somebody@postrider.test',
    'Subject: Undelivered Mail Returned to Sender',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=${type}; boundary="${boundary}"`,
    '',
    ...parts.flatMap((part) => [`--${boundary}`, ...part]),
    `--${boundary}--`,
  ];
}

const words = ['Content-Type: text/plain', '', 'Your message could not be delivered.', ''];

function returnedPart(lines: string[]) {
  return ['Content-Type: text/rfc822-headers', '', ...lines, ''];
}

/** Returns the lines of a report on delivery, as a mail server writes it (RFC 3464). */
export function deliveryReport({
  recipient,
  action = 'failed',
  status = '5.1.1',
  diagnostic = `550 ${status} No such user`,
  returned = [],
}: MadeStatus): string[] {
  return makeReport('delivery-status', [
    words,
    [
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.remote.example',
      '',
      `Final-Recipient: rfc822; ${recipient}`,
      `Action: ${action}`,
      ...(status === null ? [] : [`Status: ${status}`]),
      ...(diagnostic === null ? [] : [`Diagnostic-Code: smtp; ${diagnostic}`]),
      '',
    ],
    returnedPart(returned),
  ]);
}

/** Returns the lines of a feedback report (RFC 5965). */
export function feedbackReport(type: string, fields: string[] = [], returned: string[] = []): string[] {
  return makeReport('feedback-report', [
    words,
    [
      'Content-Type: message/feedback-report',
      '',
      `Feedback-Type: ${type}`,
      'User-Agent: SomeProvider/1.0',
      'Version: 1',
      ...fields,
      '',
    ],
    returnedPart(returned),
  ]);
}

/** Returns the lines of an automatic reply while the owner of a mailbox is away. It is not a report, whatever its words are. */
export function vacationAnswer(subject: string): string[] {
  return [
    'From: Ada <ada@remote.example>',
    `Subject: ${subject}`,
    '',
    '550 5.1.1 I am away. Final-Recipient: rfc822; ada@remote.example. Action: failed',
  ];
}
