/** A request that no client would make. */
export interface PlainRequest {
  method?: string;
  /** Null for no key. */
  key?: string | null;
  headers?: Record<string, string>;
  /** An object is sent as JSON. */
  body?: string | Uint8Array<ArrayBuffer> | object;
}

/** A response as it came. */
export interface PlainAnswer {
  status: number;
  headers: Headers;
  /** The parsed body, or an empty object if it is not JSON. */
  body: Record<string, unknown>;
  text: string;
}

/** Sends a request as it is, without what a client would add or refuse. */
export async function requestPlainly(
  checkedFetch: typeof fetch,
  url: string,
  { method = 'GET', key, headers = {}, body }: PlainRequest,
): Promise<PlainAnswer> {
  const isJson = body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array);
  const response = await checkedFetch(url, {
    method,
    headers: {
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(isJson ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    redirect: 'manual',
    ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as string) }),
  });
  const text = await response.text();
  const isJsonAnswer = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
  return {
    status: response.status,
    headers: response.headers,
    body: isJsonAnswer ? (JSON.parse(text) as Record<string, unknown>) : {},
    text,
  };
}
