import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';

/** One record of a made report. By default it is mail of a forger, which fails. */
export interface MadeRecord {
  source?: string;
  count?: number | string;
  dkim?: 'pass' | 'fail';
  spf?: 'pass' | 'fail';
  headerFrom?: string;
  /** The selector of a signature by the author's domain that passed. */
  selector?: string;
  /** The domain of the envelope. */
  envelope?: string;
}

/** A made report on a domain. */
export interface MadeReport {
  domain: string;
  records: MadeRecord[];
  orgName?: string;
  reportId?: string;
  /** The begin of its day. */
  begin?: Date;
}

/** The receivers whose reports are made as they write them. */
export type Receiver = 'google' | 'yahoo' | 'microsoft';

const daySeconds = 86_400;
const toSeconds = (at: Date) => Math.floor(at.getTime() / 1_000);

/** Returns the XML of a report, in the spelling of RFC 7489 that large receivers use. */
export function dmarcXml(report: MadeReport): string {
  const {
    domain,
    records,
    orgName = 'google.com',
    reportId = '7041985367286109438',
    begin = new Date(),
  } = report;
  return [
    '<?xml version="1.0" encoding="UTF-8" ?>',
    '<feedback>',
    '  <report_metadata>',
    `    <org_name>${orgName}</org_name>`,
    '    <email>noreply-dmarc-support@google.com</email>',
    '    <extra_contact_info>https://support.google.com/a/answer/2466580</extra_contact_info>',
    `    <report_id>${reportId}</report_id>`,
    '    <date_range>',
    `      <begin>${toSeconds(begin)}</begin>`,
    `      <end>${toSeconds(begin) + daySeconds - 1}</end>`,
    '    </date_range>',
    '  </report_metadata>',
    '  <policy_published>',
    `    <domain>${domain}</domain>`,
    '    <adkim>r</adkim><aspf>r</aspf><p>none</p><sp>none</sp><pct>100</pct><np>none</np>',
    '  </policy_published>',
    ...records.map((record) => recordXml(domain, record)),
    '</feedback>',
    '',
  ].join('\n');
}

function recordXml(domain: string, record: MadeRecord): string {
  const { source = '203.0.113.66', count = 1, dkim = 'fail', spf = 'fail' } = record;
  const { headerFrom = domain, selector, envelope = headerFrom } = record;
  const signature =
    selector === undefined
      ? ''
      : `<dkim><domain>${headerFrom}</domain><result>pass</result><selector>${selector}</selector></dkim>`;
  return `  <record>
    <row>
      <source_ip>${source}</source_ip>
      <count>${count}</count>
      <policy_evaluated>
        <disposition>none</disposition>
        <dkim>${dkim}</dkim>
        <spf>${spf}</spf>
      </policy_evaluated>
    </row>
    <identifiers><header_from>${headerFrom}</header_from></identifiers>
    <auth_results>
      ${signature}<spf><domain>${envelope}</domain><result>${spf}</result></spf>
    </auth_results>
  </record>`;
}

/** Returns the mail of a receiver with a report, in the receiver's own format. */
export function reportMail(receiver: Receiver, report: MadeReport, to = 'dmarc@mx.example'): string {
  const { domain, begin = new Date() } = report;
  const period = `${toSeconds(begin)}!${toSeconds(begin) + daySeconds - 1}`;
  switch (receiver) {
    case 'google': {
      const name = `google.com!${domain}!${period}`;
      const zip = Buffer.from(zipSync({ [`${name}.xml`]: Buffer.from(dmarcXml(report)) }));
      return mailWithFile(
        {
          from: 'noreply-dmarc-support@google.com',
          to,
          domain,
          type: 'application/zip',
          name: `${name}.zip`,
        },
        zip,
      );
    }
    case 'yahoo': {
      const gz = gzipSync(dmarcXml({ orgName: 'Yahoo', ...report }));
      const name = `yahoo.com!${domain}!${period}.xml.gz`;
      const from = 'noreply@dmarc.yahoo.com';
      return mailWithFile(
        { from, to, domain, type: 'application/gzip', name, words: 'This is an aggregate report.' },
        gz,
      );
    }
    case 'microsoft': {
      const xml = dmarcXml({ orgName: 'Enterprise Outlook', ...report }).replace(
        '<feedback>',
        '<feedback xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n  <version>1.0</version>',
      );
      const name = `enterprise.protection.outlook.com!${domain}!${period}.xml.gz`;
      const from = 'DMARC Aggregate Report <dmarcreport@microsoft.com>';
      const words = 'This is a DMARC aggregate report from Microsoft Corporation.';
      return mailWithFile({ from, to, domain, type: 'application/octet-stream', name, words }, gzipSync(xml));
    }
  }
}

/** The fields of a mail that brings a file. With `words` the file is one part of several. */
export interface ReportFields {
  from: string;
  to: string;
  domain: string;
  type: string;
  name: string;
  words?: string;
}

/** Returns a mail with a file, as receivers send reports. */
export function mailWithFile({ from, to, domain, type, name, words }: ReportFields, file: Buffer): string {
  const part = [
    `Content-Type: ${type}; name="${name}"`,
    `Content-Disposition: attachment; filename="${name}"`,
    'Content-Transfer-Encoding: base64',
    '',
    ...(file.toString('base64').match(/.{1,76}/g) ?? []),
  ];
  const text = ['Content-Type: text/plain; charset="us-ascii"', '', words ?? ''];
  const content =
    words === undefined
      ? part
      : [
          'Content-Type: multipart/mixed; boundary="report"',
          '',
          '--report',
          ...text,
          '--report',
          ...part,
          '--report--',
        ];
  return [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: Report domain: ${domain} Submitter: ${from.replace(/.*@/, '').replace('>', '')} Report-ID: 7041`,
    'Date: Fri, 27 Nov 2026 03:00:00 +0000',
    `Message-ID: <${name.length}.${file.length}@reports.example>`,
    'MIME-Version: 1.0',
    ...content,
    '',
  ].join('\r\n');
}
