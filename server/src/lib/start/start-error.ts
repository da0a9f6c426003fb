/** Thrown if the server cannot start. `message` is one paragraph for its operator, with the remedy and the cause. */
export class StartError extends Error {
  override readonly name = 'StartError';

  /** `text` names the problem and the remedy. The message of the cause follows, or `said` in its place. */
  constructor(text: string, cause?: unknown, said?: string) {
    super(cause === undefined ? text : `${text} Cause: ${said ?? sayError(cause)}`, { cause });
  }
}

/** Returns the messages of an error and its causes in one line, without repetitions and without the stack. */
export function sayError(error: unknown): string {
  if (error instanceof StartError) return error.message;
  const said: string[] = [];
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = findCause(at), depth += 1) {
    const text = at.message.trim() || codeOf(at);
    if (text !== '' && !said.some((before) => before.includes(text))) said.push(text);
  }
  return said.length > 0 ? said.join(' Cause: ') : String(error);
}

/** Returns the `code` of an error or of its causes, `''` if there is none. */
export function codeOf(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = findCause(at), depth += 1)
    if ('code' in at && typeof at.code === 'string') return at.code;
  return '';
}

/** Returns the cause of an error. An attempt at several addresses fails with one error for each, and has no message of its own. */
function findCause(error: Error): unknown {
  return error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error.cause;
}

/** An address to listen on, and the settings that it comes from. */
interface ListenPlace {
  host: string;
  port: number;
  hostVariable: string;
  portVariable: string;
}

/** Returns an error that says why nothing can listen there. An error about anything else is returned unchanged. */
export function portProblem(place: ListenPlace, error: unknown): unknown {
  const { host, port, hostVariable, portVariable } = place;
  const code = codeOf(error);
  const where = `${host}:${port}`;
  const problem = (text: string) => new StartError(text, error);
  if (code === 'EADDRINUSE')
    return problem(
      `Another program already listens at ${where}. Stop it, or set ${portVariable} to another port; 0 picks a free port.`,
    );
  if (code === 'EACCES')
    return problem(
      `This user is not allowed to listen at ${where}. Set ${portVariable} to a port of 1024 or more.`,
    );
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return problem(`This machine has no address ${host}. Correct ${hostVariable}.`);
  return error;
}

/** The names of settings in error messages, for code on a lower layer than the code that reads them. */
export const settingNames = {
  dataDir: 'POSTRIDER_DATA_DIR',
  postgresBin: 'POSTRIDER_POSTGRES_BIN',
  secret: 'POSTRIDER_SECRET',
  bootstrap: 'POSTRIDER_BOOTSTRAP',
  httpHost: 'POSTRIDER_HTTP_HOST',
  httpPort: 'POSTRIDER_HTTP_PORT',
  httpsPort: 'POSTRIDER_HTTPS_PORT',
  smtpHost: 'POSTRIDER_SMTP_HOST',
  smtpPort: 'POSTRIDER_SMTP_PORT',
  smtpHostname: 'POSTRIDER_SMTP_HOSTNAME',
  tlsCert: 'POSTRIDER_TLS_CERT',
  tlsKey: 'POSTRIDER_TLS_KEY',
  publicUrl: 'POSTRIDER_PUBLIC_URL',
  files: 'POSTRIDER_FILES',
  diskReserve: 'POSTRIDER_DISK_RESERVE',
  transport: 'POSTRIDER_TRANSPORT',
  smtpRelay: 'POSTRIDER_SMTP_RELAY',
  sesTopicArns: 'POSTRIDER_SES_TOPIC_ARNS',
  sesRegion: 'POSTRIDER_SES_REGION',
  sesConfigurationSet: 'POSTRIDER_SES_CONFIGURATION_SET',
  spf: 'POSTRIDER_SPF',
  dns: 'POSTRIDER_DNS',
  webhookAllowPrivate: 'POSTRIDER_WEBHOOK_ALLOW_PRIVATE',
  embeddings: 'POSTRIDER_EMBEDDINGS',
  embeddingsPath: 'POSTRIDER_EMBEDDINGS_PATH',
  embeddingsDimensions: 'POSTRIDER_EMBEDDINGS_DIMENSIONS',
} as const;
