/** A part of the tree: a container with children, or a text with its content. */
export interface TextPart {
  contentType: string | false;
  textContent?: string;
  /** Present for a text of format=flowed. */
  flowed?: { delSp: boolean };
  isAttachment?: boolean;
  children: TextPart[];
}
