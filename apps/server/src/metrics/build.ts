import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'drizzle-orm'
import type { Database } from '../db/connect.ts'
import { root } from '../root.ts'

/** The versions of the running server and of its schema. */
export type Build = {
  version: string
  /** Null when the files are not a Git checkout. */
  commit: string | null
  /** The newest migration of the database; only its time when a newer server has run it. */
  migration: string | null
}

const readJson = (path: string) => JSON.parse(readFileSync(join(root, 'apps/server', path), 'utf8'))

export const readBuild = async (db: Database['db']): Promise<Build> => ({
  version: readJson('package.json').version,
  commit: await readCommit(),
  migration: await readMigration(db),
})

async function readCommit() {
  try {
    // Fails when the files are in a folder of another repository, which has no such file.
    const arguments_ = ['rev-parse', 'HEAD:./apps/server/package.json', 'HEAD']
    const { stdout } = await promisify(execFile)('git', arguments_, { cwd: root, timeout: 2_000 })
    return stdout.trim().split('\n')[1] ?? null
  } catch {
    // No Git, or no checkout.
    return null
  }
}

type Journal = { entries: { when: number; tag: string }[] }

async function readMigration(db: Database['db']) {
  const { rows } = await db.execute<{ when: string | null }>(
    sql`select max(created_at) as when from drizzle.__drizzle_migrations`,
  )
  const when = rows[0]?.when
  if (!when) return null
  const { entries } = readJson('src/db/migrations/meta/_journal.json') as Journal
  return entries.find((entry) => String(entry.when) === when)?.tag ?? when
}
