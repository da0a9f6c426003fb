/** An answer of `POST /v1/messages`, of which only the status is sure. */
export interface PostAnswer {
  status: number;
  id?: string;
  message_id?: string;
  idempotent?: boolean;
}

/** Posts a message as it is; the SDK would put a `client_id` on it. Null when no answer came. */
export const postMessage = async (
  url: string,
  key: string,
  body: Record<string, unknown>,
): Promise<PostAnswer | null> => {
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
};
