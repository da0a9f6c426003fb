/** A response to `POST /v1/messages`, of which only the status is certain. */
export interface PostAnswer {
  status: number;
  id?: string;
  message_id?: string;
  idempotent?: boolean;
}

/** Posts a message as it is, because the SDK would add a `client_id`. Returns null if there was no response. */
export async function postMessage(
  url: string,
  key: string,
  body: Record<string, unknown>,
): Promise<PostAnswer | null> {
  try {
    const response = await fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { ...((await response.json()) as object), status: response.status };
  } catch {
    return null;
  }
}
