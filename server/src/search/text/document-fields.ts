/** An address of a message, with the name that belongs to it. */
export interface DocumentAddress {
  address: string;
  name?: string | null;
}

/** What is indexed of one message. */
export interface DocumentFields {
  workspaceId: string;
  inboxId: string;
  bucketId: number;
  blockId: number;
  direction: 'inbound' | 'outbound';
  hasAttachment: boolean;
  subject: string;
  from: DocumentAddress;
  recipients: DocumentAddress[];
  /** What the author wrote. */
  newText: string;
  /** Quoted history and the like. */
  restText: string;
  files: { name: string; text: string | null }[];
}
