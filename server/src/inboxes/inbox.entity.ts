import { defineEntity, p } from '@mikro-orm/core';
import type { Metadata } from '@postrider/contract';

/** An inbox. A deleted inbox keeps its row until its contents are removed. */
export const Inbox = defineEntity({
  name: 'Inbox',
  tableName: 'inboxes',
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    localPart: p.text(),
    displayName: p.text().nullable(),
    domainId: p.text().nullable(),
    address: p.text(),
    metadata: p.json<Metadata>(),
    createdAt: p.datetime(3),
    deletedAt: p.datetime(3).nullable(),
    actorId: p.text().nullable(),
    requestId: p.text().nullable(),
  },
});

/** Global: the owner of an address. `held_until` is set once its inbox is deleted, and keeps others from claiming it. */
export const Address = defineEntity({
  name: 'Address',
  tableName: 'addresses',
  properties: {
    address: p.text().primary(),
    workspaceId: p.text(),
    inboxId: p.text(),
    heldUntil: p.datetime(3).nullable(),
  },
});
