/** The pages of domains. */
export const domainsText = {
  title: 'Domains',
  about: 'Domains for your inbox addresses, and for signing your mail.',
  back: 'Domains',
  create: 'Add a domain',
  columns: { hostname: 'Domain', status: 'Status', records: 'Records', dmarc: 'DMARC', added: 'Added' },
  recordsFound: (found: number, all: number) => `${found} of ${all}`,
  kinds: { byo: 'Custom domain', subdomain: 'Dedicated subdomain' },
  status: { pending: 'Waiting for DNS', verifying: 'Verifying', verified: 'Verified', failed: 'Failed' },
  empty: {
    title: 'No domains yet',
    message: (mailDomain: string) =>
      `Your inboxes use ${mailDomain}. To use your own domain, add it here and publish six DNS records.`,
    memberMessage: (mailDomain: string) =>
      `Your inboxes use ${mailDomain}. Owners of the workspace can add other domains here.`,
  },
  form: {
    title: 'Add a domain',
    kind: 'Kind of domain',
    own: 'Custom domain',
    subdomain: 'Dedicated subdomain',
    hostname: 'Domain',
    hostnameHelp:
      'Use a subdomain such as mail.example.com to leave your existing mail at example.com as it is.',
    label: 'Name',
    labelHelp: (mailDomain: string) =>
      `Your inbox addresses end in this name and .${mailDomain}, with a reputation of their own. We publish the DNS records.`,
    submit: 'Add the domain',
    planOwn: (plan: string) =>
      `Custom domains need the Pro plan or higher, and this workspace is on ${plan}. The operator of this server can change the plan.`,
    planSubdomain: (plan: string) =>
      `A dedicated subdomain needs the Scale plan or higher, and this workspace is on ${plan}. The operator of this server can change the plan.`,
    plans: { free: 'Free', pro: 'Pro', scale: 'Scale', business: 'Business' },
  },
  actions: {
    verify: 'Check now',
    verified: 'All records are correct.',
    incomplete: (count: number) =>
      count === 1 ? 'One record is not correct yet.' : `${count} records are not correct yet.`,
    delete: (hostname: string) => ({
      button: 'Delete',
      title: `Delete ${hostname}?`,
      message:
        'Its DKIM key is deleted, and mail to the domain is no longer accepted. If you add it again, you must publish new records. A domain cannot be deleted while inboxes use it: delete those inboxes first.',
      confirm: 'Delete the domain',
      done: `${hostname} was deleted.`,
    }),
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
        'Publish the records below. We check for them automatically for 72 hours: every minute at first, then less often.',
      verifying: 'Some records are correct. Publish the others.',
      verified: 'The domain can send and receive mail. We check the records once a day.',
      failed:
        'The records were not found within 72 hours, so we now check only once a day. Publish them, then choose “Check now”.',
      lost: 'A record that was there before is missing. Mail is still sent, but the domain fails if the record is still missing after a day.',
      lostForGood:
        'Records that are required for sending are missing, so no mail is sent from this domain. Publish them again.',
    },
    next: 'Next check',
    soon: 'The first check runs within a minute.',
  },
  records: {
    title: 'DNS records',
    about:
      'Publish these records at your DNS provider. Many providers append the domain to each name; in that case, leave that part out.',
    type: 'Type',
    name: 'Name',
    value: 'Value',
    priority: 'Priority',
    found: 'Found',
    notLooked: 'Not checked yet.',
    asked: (server: string) => `Asked ${server}`,
    looked: 'Checked',
    toDo: 'What to do',
    copyName: (purpose: string) => `Copy the name of the record for ${purpose}`,
    copyValue: (purpose: string) => `Copy the value of the record for ${purpose}`,
    status: { pending: 'Not found yet', verified: 'Correct', failed: 'Incorrect' },
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
      dkim: 'The key that receivers use to verify the signatures of your mail.',
      spf: 'Allows this server to send for your return path.',
      dmarc: 'Tells receivers what to do with mail that fails SPF and DKIM.',
      mail_from: 'The host to which receivers return mail that cannot be delivered.',
      inbound: 'Routes mail for the domain to this server.',
    },
    advice: {
      pending: 'Add this record. It can take a few minutes for a change to reach your provider’s servers.',
      failed: {
        ownership: 'Replace the value with the one above.',
        dkim: 'Replace the record with the one above, and remove any other DKIM key at this name.',
        spf: 'Keep only one SPF record at this name, with everything in the one above.',
        dmarc: 'Keep only one DMARC record at this name, with a policy at least as strict as the one above.',
        mail_from: 'Make the host above the only one, or the preferred one.',
        inbound:
          'Make the host above the preferred one. Until then, mail to the domain goes elsewhere. Sending works without this record.',
      },
      weaker: 'Publish the stricter policy. Until then, receivers apply the weaker one.',
    },
  },
  zone: {
    title: 'Zone file',
    about: 'All records as a zone file (RFC 1035), which many DNS providers can import.',
    show: 'Show the zone file',
    download: 'Download',
  },
  dmarc: {
    title: 'DMARC policy',
    about:
      'Start with none, read the reports, and choose a stricter policy once all of your mail passes. You can go back at any time.',
    policies: {
      none: { name: 'none', about: 'Receivers only report.' },
      quarantine: { name: 'quarantine', about: 'Receivers move failing mail to spam.' },
      reject: { name: 'reject', about: 'Receivers refuse failing mail.' },
    },
    current: 'Current',
    up: (policy: string) => ({
      button: `Move to ${policy}`,
      title: `Set the policy to ${policy}?`,
      message:
        'This changes the DMARC record below. The new policy applies once you publish the record. Mail that other services send from your domain must also pass SPF or DKIM.',
      confirm: `Set ${policy}`,
    }),
    down: (policy: string) => `Go back to ${policy}`,
    done: (policy: string) => `The policy is ${policy}. Publish the new DMARC record.`,
    doneByUs: (policy: string) => `The policy is ${policy}.`,
    reports: 'Reports from receivers',
    noReports:
      'No receiver has sent a report yet. Large receivers send one a day if they get mail from the domain.',
  },
};
