import type { consoleContract } from '@postrider/contract/console';

type Contract = typeof consoleContract;

/** The name of a route of the console's own API, such as `keys.list`. */
export type RouteName = {
  [Resource in keyof Contract]: `${Resource}.${keyof Contract[Resource] & string}`;
}[keyof Contract];

/** The route of the contract with this name, as a type. */
export type RouteOf<Name extends RouteName> = Name extends `${infer Resource}.${infer Method}`
  ? Resource extends keyof Contract
    ? Method extends keyof Contract[Resource]
      ? Contract[Resource][Method]
      : never
    : never
  : never;

type Line<Route> = Route extends { method: infer Method extends string; path: infer Path extends string }
  ? `${Method} ${Path}`
  : never;

/**
 * Method and path of each route. The contract itself stays on the server, because its schemas are larger than all pages together. The
 * type keeps this table equal to the contract.
 */
export const consoleRoutes: { [Name in RouteName]: Line<RouteOf<Name>> } = {
  'session.get': 'GET /console/api/session',
  'session.signIn': 'POST /console/api/session',
  'session.signOut': 'DELETE /console/api/session',
  'session.requestReset': 'POST /console/api/password-resets',
  'session.completeReset': 'POST /console/api/password-resets/complete',
  'session.showInvitation': 'POST /console/api/invitations/show',
  'session.acceptInvitation': 'POST /console/api/invitations/accept',
  'me.update': 'PATCH /console/api/me',
  'me.updateMembership': 'PATCH /console/api/me/workspaces/:id',
  'me.changePassword': 'POST /console/api/me/password',
  'me.sessions': 'GET /console/api/me/sessions',
  'me.endSession': 'DELETE /console/api/me/sessions/:id',
  'me.endOtherSessions': 'DELETE /console/api/me/sessions',
  'me.beginSecondFactor': 'POST /console/api/me/second-factor',
  'me.confirmSecondFactor': 'POST /console/api/me/second-factor/confirm',
  'me.removeSecondFactor': 'DELETE /console/api/me/second-factor',
  'passkeys.signInOptions': 'POST /console/api/session/passkey-options',
  'passkeys.signIn': 'POST /console/api/session/passkey',
  'passkeys.list': 'GET /console/api/me/passkeys',
  'passkeys.addOptions': 'POST /console/api/me/passkeys/options',
  'passkeys.add': 'POST /console/api/me/passkeys',
  'passkeys.remove': 'DELETE /console/api/me/passkeys/:id',
  'keys.list': 'GET /console/api/keys',
  'keys.create': 'POST /console/api/keys',
  'keys.update': 'PATCH /console/api/keys/:id',
  'keys.works': 'GET /console/api/keys/:id/works',
  'keys.revoke': 'POST /console/api/keys/:id/revoke',
  'adminTokens.list': 'GET /console/api/admin-tokens',
  'adminTokens.create': 'POST /console/api/admin-tokens',
  'adminTokens.revoke': 'POST /console/api/admin-tokens/:id/revoke',
  'people.members': 'GET /console/api/members',
  'people.setRole': 'PATCH /console/api/members/:id',
  'people.removeMember': 'DELETE /console/api/members/:id',
  'people.invitations': 'GET /console/api/invitations',
  'people.invite': 'POST /console/api/invitations',
  'people.revokeInvitation': 'DELETE /console/api/invitations/:id',
  'workspace.update': 'PATCH /console/api/workspace',
  'workspace.audit': 'GET /console/api/audit',
  'workspace.auditCheck': 'GET /console/api/audit/check',
  'workspace.auditExport': 'GET /console/api/audit/export',
  'control.get': 'GET /console/api/control',
  'control.setDisclosure': 'PATCH /console/api/control',
  'control.policies': 'GET /console/api/policies',
  'control.effective': 'GET /console/api/policies/effective',
  'control.setPolicy': 'PUT /console/api/policies/:level/:id',
  'control.pause': 'POST /console/api/pauses',
  'control.resume': 'POST /console/api/resumes',
  'records.requests': 'GET /console/api/requests',
  'records.events': 'GET /console/api/events',
  'records.decisions': 'GET /console/api/decisions',
  'records.unknownRecipients': 'GET /console/api/unknown-recipients',
  'records.deliveryBody': 'GET /console/api/deliveries/:id/body',
  'records.usage': 'GET /console/api/usage',
  'records.zoneFile': 'GET /console/api/domains/:id/zone',
  'records.doctor': 'GET /console/api/doctor',
  'mail.inboxes': 'GET /console/api/inboxes',
  'mail.threads': 'GET /console/api/threads',
  'approvals.list': 'GET /console/api/approvals',
  'approvals.get': 'GET /console/api/approvals/:id',
  'approvals.decide': 'POST /console/api/approvals/decide',
  'approvalLinks.show': 'POST /console/api/approval-link',
  'approvalLinks.decide': 'POST /console/api/approval-link/decide',
};
