/** The pages of domains. */
export const domainsText = {
  title: 'Domains',
  about: 'Domains that your inboxes have addresses at, and that your mail is signed by.',
  back: 'Domains',
  create: 'Add a domain',
  columns: { hostname: 'Domain', status: 'Status', records: 'Records', dmarc: 'DMARC', added: 'Added' },
  recordsFound: (found: number, all: number) => `${found} of ${all}`,
  kinds: { byo: 'Own domain', subdomain: 'Dedicated subdomain' },
  status: { pending: 'Waiting for DNS', verifying: 'Verifying', verified: 'Verified', failed: 'Failed' },
  empty: {
    title: 'No domains yet',
    message: (mailDomain: string) =>
      `Your inboxes are at ${mailDomain}. Add a domain of your own, publish six DNS records, and they can be at your domain.`,
    memberMessage: (mailDomain: string) =>
      `Your inboxes are at ${mailDomain}. Owners of the workspace add other domains here.`,
  },
  form: {
    title: 'Add a domain',
    kind: 'Kind of domain',
    own: 'Own domain',
    subdomain: 'Dedicated subdomain',
    hostname: 'Domain',
    hostnameHelp:
      'A subdomain such as mail.example.com is a good choice: the mail of your people at example.com stays where it is.',
    label: 'Name',
    labelHelp: (mailDomain: string) =>
      `Your inboxes are then at this name before .${mailDomain}, with a reputation of its own. We publish its DNS records.`,
    submit: 'Add the domain',
    planOwn: (plan: string) =>
      `Own domains need the Pro plan or higher, and this workspace is on ${plan}. The people who run this server can change the plan.`,
    planSubdomain: (plan: string) =>
      `A dedicated subdomain needs the Scale plan or higher, and this workspace is on ${plan}. The people who run this server can change the plan.`,
    plans: { free: 'Free', pro: 'Pro', scale: 'Scale', business: 'Business' },
  },
  actions: {
    verify: 'Check now',
    verified: 'All records are right.',
    incomplete: (count: number) =>
      count === 1 ? 'One record is not right yet.' : `${count} records are not right yet.`,
    delete: 'Delete',
    deleteTitle: (hostname: string) => `Delete ${hostname}?`,
    deleteMessage:
      'Its DKIM key is gone, and mail to it is not accepted any more. To add it again you publish other records. A domain that inboxes use cannot be deleted: delete these inboxes first.',
    deleteConfirm: 'Delete the domain',
    deleted: (hostname: string) => `${hostname} is deleted.`,
  },
  statusTitle: 'Status',
  timeline: {
    title: 'Progress',
    added: 'Added',
    found: (found: number, all: number) => `${found} of ${all} records found`,
    foundAll: 'All records found',
    verified: 'Verified',
    notYet: 'Not yet',
    explain: {
      pending:
        'Publish the records below. We look for them by ourselves: every minute at first, then less often, for 72 hours.',
      verifying: 'Some records are right. Publish the others.',
      verified: 'Mail can be sent and received. We check the records once a day.',
      failed:
        'The records were not found within 72 hours, so we look only once a day. Publish them, then check now.',
      lost: 'A record is missing that was there before. Mail still leaves, but a domain that misses one for a day fails.',
      lostForGood:
        'Records that sending depends on are missing, so no mail leaves from this domain. Publish them again.',
    },
    next: 'Next look',
    soon: 'The first look is within a minute.',
  },
  records: {
    title: 'DNS records',
    about:
      'Publish these at the DNS provider of the domain. Many providers add the domain to each name by themselves: then leave that part out.',
    type: 'Type',
    name: 'Name',
    value: 'Value',
    priority: 'Priority',
    found: 'Found',
    notLooked: 'We have not looked yet.',
    asked: (server: string) => `Asked ${server}`,
    looked: 'Looked',
    toDo: 'What to do',
    copyName: (purpose: string) => `Copy the name of the record for ${purpose}`,
    copyValue: (purpose: string) => `Copy the value of the record for ${purpose}`,
    status: { pending: 'Not found yet', verified: 'Right', failed: 'Wrong' },
    purposes: {
      ownership: 'Ownership',
      dkim: 'DKIM',
      spf: 'SPF',
      dmarc: 'DMARC',
      mail_from: 'Bounces',
      inbound: 'Incoming mail',
    },
    purposeHelp: {
      ownership: 'Proves that the domain is yours.',
      dkim: 'The key that receivers verify the signature of your mail with.',
      spf: 'Says that this server may send for your return path.',
      dmarc: 'Says what receivers do with mail that fails SPF and DKIM.',
      mail_from: 'Where receivers return mail that cannot be delivered.',
      inbound: 'Brings mail for the domain to this server.',
    },
    advice: {
      pending:
        'Add this record. After a change at the provider it can take some minutes until its servers have it.',
      failed: {
        ownership: 'Replace the value with the one above.',
        dkim: 'Replace the record with the one above, and keep no other DKIM key at this name.',
        spf: 'Keep one SPF record at this name, with everything that the one above has.',
        dmarc: 'Keep one DMARC record at this name, with at least the policy of the one above.',
        mail_from: 'Make the host above the only one, or the preferred one.',
        inbound:
          'Make the host above the preferred one. Mail to the domain goes elsewhere until then; sending works without this record.',
      },
      weaker: 'Publish the stricter policy. Until then receivers follow the weaker one.',
    },
  },
  zone: {
    title: 'Zone file',
    about: 'All records in the format that DNS providers import (RFC 1035).',
    show: 'Show the zone file',
    download: 'Download',
  },
  dmarc: {
    title: 'DMARC policy',
    about:
      'Begin with none, look at the reports, and become stricter when all of your mail passes. You can go back at any time.',
    policies: {
      none: { name: 'none', about: 'Receivers only report.' },
      quarantine: { name: 'quarantine', about: 'Receivers put mail that fails into spam.' },
      reject: { name: 'reject', about: 'Receivers refuse mail that fails.' },
    },
    current: 'Current',
    up: (policy: string) => `Go on to ${policy}`,
    down: (policy: string) => `Go back to ${policy}`,
    upTitle: (policy: string) => `Set the policy to ${policy}?`,
    upMessage:
      'The DMARC record below changes, and it applies once you have published it. Mail of your domain that other services send must pass SPF or DKIM, too.',
    upConfirm: (policy: string) => `Set ${policy}`,
    done: (policy: string) => `The policy is ${policy}. Publish the new DMARC record.`,
    doneByUs: (policy: string) => `The policy is ${policy}.`,
    reports: 'Reports of receivers',
    noReports:
      'No receiver has sent a report yet. Large ones send one a day, if they get mail from the domain.',
  },
};
