import { startSite } from './made-up-site.ts';

const site = await startSite({ smtpPort: Number(process.argv[2] ?? 2525), port: 4500 });
console.log(`The service is at ${site.url}.`);
