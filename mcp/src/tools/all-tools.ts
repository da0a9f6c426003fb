import type { Settings } from '../settings.ts';
import type { Tool } from '../tool.ts';
import { addDomain, getDomain } from './domains.ts';
import { createDraft, listDrafts } from './drafts.ts';
import { forwardMessage } from './forward-message.ts';
import { getMessage } from './get-message.ts';
import { createInbox, deleteInbox, listInboxes } from './inboxes.ts';
import { replyToMessage } from './reply-to-message.ts';
import { addAddressRule, deleteAddressRule, listAddressRules } from './rules.ts';
import { searchMessages } from './search-messages.ts';
import { sendDraft } from './send-draft.ts';
import { sendMessage } from './send-message.ts';
import { getThread, listThreads } from './threads.ts';
import { createWebhook, deleteWebhook, listWebhooks } from './webhooks.ts';

/** All tools, those that are used most first. */
export const allTools: readonly Tool[] = [
  listInboxes,
  createInbox,
  searchMessages,
  getMessage,
  listThreads,
  getThread,
  sendMessage,
  replyToMessage,
  forwardMessage,
  createDraft,
  listDrafts,
  sendDraft,
  deleteInbox,
  listAddressRules,
  addAddressRule,
  deleteAddressRule,
  addDomain,
  getDomain,
  listWebhooks,
  createWebhook,
  deleteWebhook,
];

/** Returns the tools that the settings allow. A tool that is not allowed is not listed at all. */
export function toolsFor({ readOnly, draftsOnly, inboxes, tools }: Settings): Tool[] {
  return allTools.filter((tool) => {
    const { name, effect, ofWorkspace } = tool;
    if (tools !== null && !tools.includes(name)) return false;
    if (readOnly && effect !== 'read') return false;
    // A person sends the drafts.
    if (draftsOnly && name === 'send_draft') return false;
    // What all inboxes share is not changed by somebody who may use some of them.
    return inboxes === null || effect === 'read' || !ofWorkspace;
  });
}
