/** The base URLs of links to this server, without a slash at the end. Without a setting they are its own, known once it listens. */
export class ServerAddress {
  readonly #publicUrl: string | null;
  readonly #filesUrl: string | null;
  #ownUrl = '';
  /** Where this process serves everything without TLS. Without a host, at each address that clients reach it at. */
  inside: { host: string | null; port: number } = { host: null, port: 0 };
  /** The port that accepts mail; null if this process accepts none. */
  smtpPort: number | null = null;

  constructor({ publicUrl, filesUrl }: { publicUrl: string | null; filesUrl: string | null }) {
    this.#publicUrl = withoutSlash(publicUrl);
    this.#filesUrl = withoutSlash(filesUrl);
  }

  get publicUrl(): string {
    return this.#publicUrl ?? this.#ownUrl;
  }

  /** The base URL of download links. */
  get filesUrl(): string {
    return this.#filesUrl ?? this.publicUrl;
  }

  /** Sets the URL that the server listens at. */
  listenAt(url: string): void {
    this.#ownUrl = reachableAt(url);
  }
}

/** Returns the place at which a person reaches what listens at one such as `0.0.0.0:4400`: all addresses are `localhost`. */
export function reachableAt(place: string): string {
  return place.replace(/^(https?:\/\/)?(?:0\.0\.0\.0|\[::\]|::)(?=:\d+$)/, '$1localhost');
}

function withoutSlash(url: string | null): string | null {
  return url?.replace(/\/+$/, '') ?? null;
}
