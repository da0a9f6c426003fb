import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './run.ts';

/** The image that `deploy/compose.postgres.yaml` names. */
const official = 'postgres:18';
const standIn = 'localhost/postrider-check-postgres';

/** An image of Postgres for a check, and what it is. */
export interface PostgresImage {
  image: string;
  about: string;
}

/**
 * Returns the official image if it is there or can be fetched, or else a stand-in: Debian's Postgres on the base of our own image, which
 * takes the same variables and keeps its data in the same volume.
 */
export async function findPostgresImage(base: string): Promise<PostgresImage> {
  if (await canHave(`docker.io/library/${official}`))
    return { image: official, about: `the official ${official}` };
  const folder = await mkdtemp(join(tmpdir(), 'postrider-postgres-'));
  try {
    await writeFile(join(folder, 'start.sh'), start);
    await writeFile(join(folder, 'Containerfile'), containerfile);
    await run([
      'buildah',
      'build',
      '--format=docker',
      '--build-arg',
      `BASE=${base}`,
      '--tag',
      standIn,
      folder,
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
  const { output } = await run([
    'podman',
    'run',
    '--rm',
    '--entrypoint=/usr/local/bin/start',
    standIn,
    'version',
  ]);
  return {
    image: standIn,
    about: `a stand-in for ${official}, which cannot be had here: Debian's ${output.trim()}`,
  };
}

function canHave(image: string): Promise<boolean> {
  return run(['podman', 'image', 'exists', image])
    .catch(() => run(['podman', 'pull', '--quiet', image]))
    .then(
      () => true,
      () => false,
    );
}

const containerfile = `ARG BASE
FROM \${BASE}
RUN apt-get update && apt-get install --yes --no-install-recommends postgresql && rm -rf /var/lib/apt/lists
COPY --chmod=755 start.sh /usr/local/bin/start
VOLUME /var/lib/postgresql
ENTRYPOINT ["/usr/local/bin/start"]
`;

/** As the official image does: a user, a password and a database by variables, at the first start. */
const start = `#!/bin/sh
set -e
bin=$(ls -d /usr/lib/postgresql/*/bin)
if [ "$1" = version ]; then exec "$bin/postgres" --version; fi
data=/var/lib/postgresql/data
as() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
install -d -o postgres -g postgres /var/run/postgresql
if [ ! -s "$data/PG_VERSION" ]; then
  install -d -o postgres -g postgres -m 700 "$data"
  install -m 600 -o postgres /dev/null /run/password
  printf '%s' "$POSTGRES_PASSWORD" > /run/password
  as "$bin/initdb" --pgdata="$data" --username="$POSTGRES_USER" --pwfile=/run/password --auth=scram-sha-256 --auth-local=trust
  echo 'host all all all scram-sha-256' >> "$data/pg_hba.conf"
  as "$bin/pg_ctl" --pgdata="$data" --wait --options='-c listen_addresses=' start
  as "$bin/createdb" --username="$POSTGRES_USER" "$POSTGRES_DB"
  as "$bin/pg_ctl" --pgdata="$data" --wait stop
fi
exec setpriv --reuid=postgres --regid=postgres --clear-groups "$bin/postgres" -D "$data" -c listen_addresses='*'
`;
