/** A server that requests and mail go to. */
export interface Target {
  /** `http://127.0.0.1:<port>`. */
  url: string;
  smtpPort: number;
}
