/** An error that a tool detects before it calls the API. */
export class ToolError extends Error {
  readonly code: string;
  /** The next step for the model. */
  readonly next: string;
  readonly details: Record<string, unknown>;

  constructor(code: string, message: string, next: string, details: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.next = next;
    this.details = details;
  }
}
