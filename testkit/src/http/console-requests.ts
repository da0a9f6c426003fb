import type { Named } from './route-requests.ts';

/** A request for a route of the console's own router. Its id is one that nothing has, or that of a thing of the workspace. */
interface ConsoleRequest {
  id?: string;
  named?: Named;
  /** The level of a policy, where the path has one. */
  level?: string;
  body?: object;
  query?: string;
}

/** A valid request for every route of the console's own router, by its name. */
export const consoleRequests: Record<string, ConsoleRequest> = {
  'session.get': {},
  'session.signIn': { body: { email: 'nobody@people.example', password: 'not the secret' } },
  'session.signOut': {},
  'session.requestReset': { body: { email: 'nobody@people.example' } },
  'session.completeReset': { body: { token: 'unknown', password: 'a long new secret' } },
  'session.showInvitation': { body: { token: 'unknown' } },
  'session.acceptInvitation': { body: { token: 'unknown', password: 'a long new secret' } },
  'me.update': { body: { name: 'Changed' } },
  'me.updateMembership': { id: 'wsp_01m8h5s25zeam9gvxh9rynrznw', body: { approval_mail: true } },
  'me.changePassword': { body: { current: 'not the secret', password: 'a long new secret' } },
  'me.sessions': {},
  'me.endSession': { id: 'ses_01m8h5t6t8ejabxgatp9jhjdns' },
  'me.endOtherSessions': {},
  'me.beginSecondFactor': { body: { password: 'not the secret' } },
  'me.confirmSecondFactor': { body: { code: '123456' } },
  'me.removeSecondFactor': { body: { password: 'not the secret' } },
  'passkeys.signInOptions': {},
  'passkeys.signIn': { body: { ticket: 'unknown', response: {} } },
  'passkeys.list': {},
  'passkeys.addOptions': { body: { password: 'not the secret' } },
  'passkeys.add': { body: { ticket: 'unknown', name: 'A passkey', response: {} } },
  'passkeys.remove': { id: 'psk_01m8h5t6t8ejabxgatp9jhjdns', body: { password: 'not the secret' } },
  'keys.list': {},
  'keys.create': { body: { name: 'A key' } },
  'keys.update': { id: 'key_01m8h5t6t8ejabxgatp9jhjdns', body: { read_only: true } },
  'keys.works': { id: 'key_01m8h5t6t8ejabxgatp9jhjdns' },
  'keys.revoke': { id: 'key_01m8h5t6t8ejabxgatp9jhjdns', body: {} },
  'adminTokens.list': {},
  'adminTokens.create': {
    body: { name: 'A token', rights: ['keys'], expires_at: new Date(Date.now() + 3_600_000).toISOString() },
  },
  'adminTokens.revoke': { id: 'adm_01m8h5t6t8ejabxgatp9jhjdns', body: {} },
  'people.members': {},
  'people.setRole': { body: { role: 'owner' } },
  'people.removeMember': {},
  'people.invitations': {},
  'people.invite': { body: { email: 'ada@people.example', role: 'member' } },
  'people.revokeInvitation': { id: 'inv_01m8h5t6t8ejabxgatp9jhjdns' },
  'workspace.update': { body: { title: 'Changed' } },
  'workspace.audit': {},
  'workspace.auditCheck': {},
  'workspace.auditExport': { query: '?after=0' },
  'control.get': {},
  'control.setDisclosure': { body: { disclosure: 'header' } },
  'control.policies': {},
  'control.effective': {},
  'control.setPolicy': { level: 'inbox', named: 'inbox', body: { lines: { send: 'never' } } },
  'control.pause': { body: { level: 'inbox', subject_id: 'inb_01m8h5t6t8ejabxgatp9jhjdns' } },
  'control.resume': { body: { level: 'inbox', subject_id: 'inb_01m8h5t6t8ejabxgatp9jhjdns' } },
  'records.requests': { query: '?status=2xx&path=/v1' },
  'records.events': { query: '?events=message.received' },
  'records.decisions': { query: '?query=example' },
  'records.unknownRecipients': { query: '?query=example' },
  'records.deliveryBody': { named: 'delivery' },
  'records.usage': { query: '?days=7' },
  'records.zoneFile': { named: 'domain' },
  'records.doctor': {},
  'mail.inboxes': {},
  'mail.threads': {},
  'approvals.list': { query: '?state=held' },
  'approvals.get': { named: 'held' },
  'approvals.decide': {
    body: {
      decision: 'refuse',
      messages: [{ message_id: 'msg_01m8h5t6t8ejabxgatp9jhjdns', content_hash: '0'.repeat(64) }],
    },
  },
  'approvalLinks.show': { body: { token: 'unknown' } },
  'approvalLinks.decide': { body: { token: 'unknown', content_hash: '0'.repeat(64), decision: 'approve' } },
};
