import { beforeEach, describe, expect, it, vi } from 'vitest';
import { answer, stubApi, stubBaseURL } from '../test/stub-api.ts';
import { type ClientOptions, Postrider, PostriderError } from './index.ts';

const { reply } = stubApi();

beforeEach(() => {
  vi.stubEnv('POSTRIDER_API_KEY', undefined);
  vi.stubEnv('POSTRIDER_BASE_URL', undefined);
  vi.stubEnv('POSTRIDER_LOG', undefined);
});

const isRefused = (options: ClientOptions) => expect(() => new Postrider(options));

describe('the API key', () => {
  it('that is missing is explained', () => {
    isRefused({}).toThrow(PostriderError);
    isRefused({}).toThrow(/pass new Postrider\(\{ apiKey \}\) or set POSTRIDER_API_KEY/);
    vi.stubEnv('POSTRIDER_API_KEY', '  ');
    isRefused({}).toThrow('The API key is missing');
  });

  it('comes from the environment when it is not given', async () => {
    vi.stubEnv('POSTRIDER_API_KEY', 'pr_live_environment\n');
    vi.stubEnv('POSTRIDER_BASE_URL', stubBaseURL);
    const seen = reply(() => answer(200, {}));
    await new Postrider().account.get();
    await new Postrider({ apiKey: 'pr_live_given' }).account.get();
    const keys = seen.map(({ headers }) => headers.get('authorization'));
    expect(keys).toEqual(['Bearer pr_live_environment', 'Bearer pr_live_given']);
  });

  it('that cannot be sent is refused and not repeated in the error', () => {
    for (const apiKey of ['', 'pr_live_a\nb', 'pr_live_ä', 'two words']) {
      isRefused({ apiKey }).toThrow('The API key is empty or contains invalid characters.');
    }
  });

  it('may be a function, which is asked before every attempt', async () => {
    const seen = reply(
      () => answer(503, {}),
      () => answer(200, {}),
    );
    let asked = 0;
    const apiKey = async () => {
      asked += 1;
      return `pr_live_${asked}`;
    };
    const api = new Postrider({ apiKey, baseURL: stubBaseURL });
    await api.account.get();
    await api.account.get();
    const keys = seen.map(({ headers }) => headers.get('authorization'));
    expect(keys).toEqual(['Bearer pr_live_1', 'Bearer pr_live_2', 'Bearer pr_live_3']);
  });

  it('whose function fails or gives none is not retried', async () => {
    const seen = reply(() => answer(200, {}));
    let asked = 0;
    const failing = new Postrider({
      baseURL: stubBaseURL,
      apiKey: () => {
        asked += 1;
        throw new TypeError('fetch failed');
      },
    });
    const error = await failing.account.get().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'PostriderError', message: 'The apiKey function failed.' });
    expect((error as Error).cause).toBeInstanceOf(TypeError);
    const empty = new Postrider({ baseURL: stubBaseURL, apiKey: () => '' });
    await expect(empty.account.get()).rejects.toThrow('The API key is empty');
    expect([asked, seen.length]).toEqual([1, 0]);
  });
});

describe('the base URL', () => {
  it('comes from the options, then the environment, then is that of a server on this machine', async () => {
    const urls: string[] = [];
    const fetch: typeof globalThis.fetch = async (url) => {
      urls.push(String(url));
      return Response.json({});
    };
    const options = { apiKey: 'pr_test_key', fetch };
    await new Postrider(options).account.get();
    vi.stubEnv('POSTRIDER_BASE_URL', 'https://mail.example.com/v1/');
    await new Postrider(options).account.get();
    await new Postrider({ ...options, baseURL: 'http://given.test/prefix/v1//' }).account.get();
    expect(urls).toEqual([
      'http://127.0.0.1:4400/v1/account',
      'https://mail.example.com/v1/account',
      'http://given.test/prefix/v1/account',
    ]);
  });

  it.each(['', 'mail.example.com/v1', 'ftp://example.com', '/v1', 'http://'])(
    'is refused when it is %o',
    (baseURL) => {
      isRefused({ apiKey: 'pr_test_key', baseURL }).toThrow(
        'baseURL must be a URL like http://127.0.0.1:4400/v1',
      );
    },
  );
});

describe('other options', () => {
  it('are checked when the client is made', () => {
    isRefused({ apiKey: 'k', timeout: -1 }).toThrow('timeout must be above 0');
    isRefused({ apiKey: 'k', maxRetries: 1.5 }).toThrow('maxRetries must be a whole number');
  });

  it('give a fetch that gets a plain URL and plain options', async () => {
    const calls: [unknown, RequestInit | undefined][] = [];
    const fetch: typeof globalThis.fetch = async (url, init) => {
      calls.push([url, init]);
      return Response.json({});
    };
    await new Postrider({ apiKey: 'pr_test_key', baseURL: stubBaseURL, fetch }).messages.forward('msg_1', {
      to: ['a@b.c'],
    });
    const [url, init] = calls[0] ?? [];
    expect(url).toBe(`${stubBaseURL}/messages/msg_1/forward`);
    expect(init).toMatchObject({ method: 'POST', headers: { authorization: 'Bearer pr_test_key' } });
    expect(init?.signal).toBeInstanceOf(AbortSignal);
  });
});

describe('a browser', () => {
  beforeEach(() => {
    vi.stubGlobal('window', { document: {} });
    vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0' });
    return () => void vi.unstubAllGlobals();
  });

  it('is refused, since everybody could read the key', () => {
    isRefused({ apiKey: 'pr_test_key' }).toThrow('dangerouslyAllowBrowser: true');
    isRefused({ apiKey: 'pr_test_key' }).toThrow('POSTRIDER_CORS_ORIGINS');
  });

  it('is allowed on demand', () => {
    expect(new Postrider({ apiKey: 'pr_test_key', dangerouslyAllowBrowser: true })).toBeInstanceOf(Postrider);
  });
});
