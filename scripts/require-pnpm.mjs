// Only pnpm puts `publishConfig.exports` in place. A package that another program packs would point to sources that it has not.
if (!process.env.npm_config_user_agent?.startsWith('pnpm/')) {
  console.error(
    'This would make a package that cannot be imported. Run `npm run pack:sdk` at the root of the repository: it makes postrider.tgz.',
  );
  process.exit(1);
}
