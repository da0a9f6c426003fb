/*
 * Links in mails about held messages. A link is signed for one person, one message, and the hash and the expiry of its approval. These are
 * read from the database, so any change of them invalidates the link. It only shows a page; the person decides there.
 */

import type { Plan } from '@postrider/contract';
import type { DecisionResult, LinkedApproval } from '@postrider/contract/console';
import { consolePath } from '@postrider/contract/console';
import { linkExpiry } from '../attachments/attachment.view.ts';
import type { Context } from '../context.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { signFileToken } from '../files/signed-url.ts';
import { ApiError, isApiError } from '../lib/api-error.ts';
import { type DerivedKeys, hex, sign, verifySignature } from '../lib/crypto/primitives.ts';
import { isId } from '../lib/ids.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import type { ApprovalRow, Decided } from './approval.ts';
import { decideApprovals } from './decide-approvals.ts';
import { getSummary } from './list-approvals.ts';
import { readApproval } from './read-approval.ts';

const purpose = 'links about held messages';
const tokenPattern = /^([\w-]{8})\.([0-9a-z]{26})([0-9a-z]{26})([0-9a-z]{26})\.([\w-]{43})$/;

/** The permission that a link carries. */
type Grant = Pick<ApprovalRow, 'workspace_id' | 'message_id' | 'content_hash' | 'expires_at'> & {
  personId: string;
};

/** Returns the token of a link with which a person decides about a held message. */
export function approvalToken(keys: DerivedKeys, grant: Grant): string {
  const ids = [grant.workspace_id, grant.personId, grant.message_id].map((id) => id.slice(4)).join('');
  const signed = `${keys.keyId}.${ids}`;
  return `${signed}.${sign(keys.key(purpose), textToSign(signed, grant))}`;
}

function textToSign(signed: string, { content_hash, expires_at }: Grant): string {
  return `${signed} ${hex(content_hash)} ${expires_at.getTime()}`;
}

/** A link that is good: the person, who is in the workspace, and the context of that. */
interface OpenedLink {
  ctx: Context;
  messageId: string;
  person: LinkedApproval['person'] & { id: string };
  workspace: string;
}

/**
 * Returns the content of the page of a link: the whole held message, or only the decision once there is one.
 *
 * @throws ApiError `link_expired` if the link is changed or unknown, the message was deleted or the person is no longer in the workspace.
 */
export async function showLinked(deps: Deps, token: string): Promise<LinkedApproval> {
  const { ctx, messageId, person, workspace } = await openLink(deps, token);
  try {
    const summary = await getSummary(ctx, messageId);
    const isOpen = summary.state === 'held' && new Date(summary.expires_at) > ctx.clock.now();
    const approval = isOpen ? await readApproval(ctx, messageId) : null;
    return {
      workspace,
      person: { name: person.name, email: person.email },
      summary,
      approval,
      frame_url:
        approval && approval.message.body_html !== null
          ? linkedFramePath(ctx, ctx.workspaceId, messageId)
          : null,
    };
  } catch (error) {
    throw isApiError(error, 'not_found') ? new ApiError('link_expired') : error;
  }
}

/**
 * Decides about the message of a link, once.
 *
 * @throws ApiError `link_expired` as `showLinked`.
 */
export async function decideLinked(
  deps: Deps,
  {
    token,
    content_hash,
    ...decision
  }: Pick<Decided, 'decision' | 'reason'> & { token: string; content_hash: string },
  from: { address: string | null; requestId: string | null },
): Promise<DecisionResult> {
  const { ctx, messageId, person } = await openLink(deps, token);
  const actor = { kind: 'person' as const, id: person.id, ...from };
  const shown = { message_id: messageId, content_hash };
  const [result] = await decideApprovals(ctx, [shown], { ...decision, actor, by: 'link' });
  if (!result || result.problem === 'not_found') throw new ApiError('link_expired');
  return result;
}

async function openLink(deps: Deps, token: string): Promise<OpenedLink> {
  const [, keyId, workspace = '', person = '', message = '', signature = ''] = tokenPattern.exec(token) ?? [];
  const ids = { workspaceId: `wsp_${workspace}`, personId: `usr_${person}`, messageId: `msg_${message}` };
  const isWellFormed =
    isId('wsp', ids.workspaceId) && isId('usr', ids.personId) && isId('msg', ids.messageId);
  const found = isWellFormed && keyId === deps.keys.keyId ? await findGrant(deps, ids) : undefined;
  if (!found) throw new ApiError('link_expired');
  const signed = token.slice(0, token.lastIndexOf('.'));
  const grant = { ...found, personId: ids.personId };
  if (!verifySignature(deps.keys.key(purpose), textToSign(signed, grant), signature))
    throw new ApiError('link_expired');
  return {
    ctx: {
      ...deps,
      workspaceId: ids.workspaceId,
      plan: found.plan as Plan,
      isTest: found.is_test,
      scope: wholeWorkspace,
      actor: { kind: 'person', id: ids.personId, sessionId: null },
      requestId: null,
    },
    messageId: ids.messageId,
    person: { id: ids.personId, name: found.person_name, email: found.email },
    workspace: found.workspace,
  };
}

/** Returns the content of a link to an approval, if the person is in its workspace. */
function findGrant(
  deps: Deps,
  { workspaceId, personId, messageId }: { workspaceId: string; personId: string; messageId: string },
) {
  return acrossWorkspaces(deps, 'a link names its workspace')
    .selectFrom('approvals')
    .innerJoin('memberships', 'memberships.workspace_id', 'approvals.workspace_id')
    .innerJoin('people', 'people.id', 'memberships.person_id')
    .innerJoin('workspaces', 'workspaces.id', 'approvals.workspace_id')
    .select(['approvals.workspace_id', 'message_id', 'content_hash', 'expires_at'])
    .select(['people.name as person_name', 'email', 'workspaces.title as workspace', 'plan', 'is_test'])
    .where('approvals.workspace_id', '=', workspaceId)
    .where('message_id', '=', messageId)
    .where('person_id', '=', personId)
    .executeTakeFirst();
}

/** The path of the pages of HTML mail for people without a session. A token follows. */
export const linkedFramesPath = `${consolePath}/mail/linked`;

/**
 * Returns the path of the page of an HTML mail for a person without a session who has a link to its approval. The path itself is the
 * permission, as with links to files, and expires just as soon. A link to a file, which keys receive, does not open such a page, because
 * the page is at the console's own address.
 */
export function linkedFramePath(
  deps: Pick<Deps, 'keys' | 'address' | 'clock' | 'timeScale'>,
  workspaceId: string,
  messageId: string,
): string {
  const grant = { workspaceId, fileId: messageId, expiresAt: linkExpiry(deps) };
  return `${linkedFramesPath}/${signFileToken(deps.keys, grant, 'frames of mail')}`;
}
