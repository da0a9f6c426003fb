import type { APIPromise } from '../calls/api-promise.ts';
import type { RequestOptions } from '../calls/request.ts';
import type { Member, NewInvitation } from '../generated/management.ts';
import { type AnswerOf, type BodyOf, ManagementResource } from './resource.ts';

/** Members and invitations of the workspace. A token cannot change an owner. */
export class People extends ManagementResource {
  /**
   * Returns the members of the workspace, in the order in which they joined.
   *
   * @example
   * const { members } = await manager.people.members();
   * console.log(members.map(({ email, role }) => `${email}: ${role}`));
   */
  members(options?: RequestOptions): APIPromise<AnswerOf<'people.members'>> {
    return this.call('people.members', {}, options);
  }

  /**
   * Sets the role of a member. A token cannot make or change an owner.
   *
   * @example
   * await manager.people.setRole('usr_01m7yyvjvve8jaq5s0hvhdb6px', { role: 'member' });
   */
  setRole(id: string, params: BodyOf<'people.setRole'>, options?: RequestOptions): APIPromise<Member> {
    return this.call('people.setRole', { params: { id }, body: params }, options);
  }

  /**
   * Removes a member and ends their sessions at once.
   *
   * @example
   * await manager.people.removeMember('usr_01m7yyvjvve8jaq5s0hvhdb6px');
   */
  removeMember(id: string, options?: RequestOptions): APIPromise<void> {
    return this.call('people.removeMember', { params: { id } }, options);
  }

  /**
   * Returns the invitations that can still be accepted, newest first.
   *
   * @example
   * const { invitations } = await manager.people.invitations();
   * console.log(invitations.map(({ email }) => email));
   */
  invitations(options?: RequestOptions): APIPromise<AnswerOf<'people.invitations'>> {
    return this.call('people.invitations', {}, options);
  }

  /**
   * Invites a member and returns the link, which only this response contains.
   *
   * @example
   * const { link } = await manager.people.invite({ email: 'grace@example.com', role: 'member' });
   * console.log(link);
   */
  invite(params: BodyOf<'people.invite'>, options?: RequestOptions): APIPromise<NewInvitation> {
    return this.call('people.invite', { body: params }, options);
  }

  /**
   * Revokes an invitation.
   *
   * @example
   * await manager.people.revokeInvitation('inv_01m7yyvjvve8jaq5s0hvhdb6px');
   */
  revokeInvitation(id: string, options?: RequestOptions): APIPromise<void> {
    return this.call('people.revokeInvitation', { params: { id } }, options);
  }
}
