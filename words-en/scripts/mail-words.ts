/** Words of mail, offices and software that newspapers, on which GloVe was trained, seldom use. Their vectors are kept at any rank. */
export const mailWords = `
  accrual activate activation adapter addendum amortization annex apis app apps attachments authenticate
  authentication authenticator backend backlog backup backups balances bandwidth barcode barcodes bcc benchmark
  billable billing blog blogs bookkeeper bookkeeping bookmark bounce browser browsers bug bugs calendar callback
  captcha cardholder cashback catalogue chargeback chargebacks chat checkbox checklist checkout childcare citrix click
  clickable clicked clicking clipboard cloud cms coaching codebase codec commit compiler config configuration
  configure configured connector consignee consignment contactless cookie cookies copay copywriter courier couriers
  courseware coworker coworkers coworking cpu credential credentials crm customize cvv cybersecurity dashboard
  dashboards database databases datasheet deactivate deactivated debug debugger debugging debit decrypt deductible
  deductibles dependant deploy deployment deprecated dhl diagnostics directories disbursement dispatch dispatched dns
  docker docs docx dongle download downloaded downloading downloads downtime dpi draft drafts dropbox ebay ebook
  ebooks ecommerce editable email emailed emailing emails embed encrypted encryption endpoint endpoints enroll
  enrolled enrollment escalate escalated escrow eta excel expense expenses expiration expiry export exporting faq faqs
  fax faxed fedex feedback filename files firewall firmware flyer folder folders followup font fonts footer formatting
  forwarded frontend ftp fulfillment garnishment gateway geolocation github gmail google greeting greetings gui
  guestroom gutter handbook handoff handover handset hardcopy hardware hashtag headcount headhunter helpdesk helpline
  homepage hosting hostname hotfix hotline html http https hyperlink inbox inboxes indemnity initialize inquiries
  install installer installment installments insured integration intern interns intranet inventory invite invitee
  invitees invites invoice invoiced invoices invoicing itinerary itineraries java javascript json kanban keyboard
  keyword keywords kickoff kiosk landlord landlords laptop laptops layover leaflet ledger lease lessee lessor
  letterhead licence license licensee lien linkedin linux lockout login logins logistics logo logs mailbox mailboxes
  mailer mailing malware manuals markdown markup memo memos merchandise metadata microphone middleware migration
  milestone milestones misplaced mobile modem module monitoring mortgage multimedia mute mysql namespace netbook
  newsletter newsletters noncompliance notification notifications notify offline onboard onsite opensource
  orders outage outages outbox outlook outsourcing overage overbilled overbooked overcharge overcharged overdraft
  overdue overpaid overpayment overtime packaging paperless parameter parameters parcel parcels passcode passphrase
  password passwords patch payable payables payee payer paypal payroll pdf pdfs pending permissions personalize
  phishing php pickup pixel placeholder plugin plugins podcast podcasts policyholder popup portal postage postgres
  powerpoint prepaid prepay prepayment prescription printable printer printers procurement proforma prorated proxy
  python quotation quotations readme realtor rebate rebates rebook rebooked reboot recap receipts receivable
  receivables recipients reconcile reconciliation recruiter recruiters redeploy redirect referral referrals refinance
  refund refundable refunded refunding refunds reimburse reimbursed reimbursement reimbursements reinstall remittance
  reminder reminders renewal renewals rentals reorder repo repository reschedule rescheduled rescheduling reseller
  resend resent resignation restock restocking restore resubmit resume resumes retailer retry returnable roaming
  roadmap rollback rollout router routers rsvp runtime saas salutation sandbox scan scanned scanner schema screenshot
  screenshots script scripts scrum sdk semester sender senders server servers shareable shipment shipments shipper
  signatory signature signatures signup signups sim skype slack smartphone smartphones smtp snippet software spam
  spammer spammers sprint spreadsheet spreadsheets sql ssh ssl stakeholder stakeholders standup startup startups
  statement stripe subcontractor sublease subscribe subscribed subscriber subscribers subscribing subscription
  subscriptions subtotal support surcharge surcharges syllabus sync synced synchronize tablet taskbar tax teammate
  teammates telecommute telework template templates tenancy tenant tenants terabyte testimonial thermostat thumbnail
  ticketing timeline timelines timeout timesheet timesheets timeslot timestamp timezone toggle token tokens toner
  toolbar toolkit touchpad touchscreen tracker transcript transferee troubleshoot troubleshooting tuition tutorial
  tutorials twitter typo typos unauthorized unavailability underpaid uninstall unlock unlocked unlocking unpaid unread
  unsubscribe unsubscribed unzip update updates upgrade upgraded upgrading upload uploaded uploading uploads uptime
  url urls usb usd username usernames utilities validate validation vat vendor vendors verification verified verify
  vlan voicemail voicemails voip vouchers vpn waiver walkthrough warehouse warranties warranty web webcam webcast
  webinar webinars webmail webmaster webpage webserver website websites whitelist wholesale widget widgets wifi wiki
  wireframe wireless withholding workaround workflow workflows workout workspace worksheet workstation xls xml youtube
  zip zipcode zoom
`.match(/\S+/g)!;

/** Words that GloVe does not know, with known words whose mean stands for them. */
export const coinedWords = new Map([
  ['autofill', 'automatic fill form'],
  ['autopay', 'automatic payment'],
  ['autoresponder', 'automatic reply email'],
  ['backorder', 'delayed order inventory'],
  ['backordered', 'delayed order inventory'],
  ['bugfix', 'bug fix software'],
  ['changelog', 'changes version software'],
  ['chatbot', 'chat automated assistant'],
  ['covid', 'coronavirus pandemic influenza'],
  ['devops', 'software deployment operations'],
  ['fintech', 'financial technology'],
  ['logout', 'exit login'],
  ['misconfigured', 'incorrect configuration'],
  ['offboarding', 'leaving employee'],
  ['onboarding', 'new employee orientation'],
  ['payslip', 'salary paycheck statement'],
  ['payslips', 'salaries paychecks statements'],
  ['pricelist', 'price list'],
  ['redelivery', 'delivery again'],
  ['refactor', 'rewrite code'],
  ['shopify', 'ecommerce online shop'],
  ['signin', 'login account'],
  ['unfollow', 'unsubscribe'],
  ['unsubscribing', 'unsubscribe'],
  ['userid', 'username'],
  ['webhook', 'callback url notification'],
  ['webhooks', 'callback url notifications'],
  ['whitelisted', 'whitelist'],
]);
