import { expect, it } from 'vitest';
import { receiverSnippets } from './shown-secret.tsx';

const codeFor = (url: string) => receiverSnippets(url).map(({ code }) => code);

it('listens on the port and the path of the URL', () => {
  const [express, , fastify] = codeFor("http://localhost:4700/it's/hooks");
  expect(express).toContain("app.post('/it\\'s/hooks'");
  expect(express).toContain('app.listen(4700);');
  expect(fastify).toContain('app.listen({ port: 4700 });');
});

it('listens on a port of its own where the URL is that of a proxy', () => {
  expect(codeFor('https://agent.example.com/hooks')[0]).toContain('app.listen(3000);');
});
