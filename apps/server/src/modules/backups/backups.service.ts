import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Context } from '../../context.ts'
import { root } from '../../root.ts'
import * as store from './backups.store.ts'

const command = join(root, 'apps/server/src/backup/backup.main.ts')

/** Records a complete backup. */
export const record = (ctx: Pick<Context, 'db'>, backup: store.Backup) =>
  store.insert(ctx.db, backup)

/** The newest complete backup, if one exists. */
export const newest = (ctx: Pick<Context, 'db'>) => store.findNewest(ctx.db)

/**
 * Backs the service up to `BACKUP_URL` with the operator's command, in a separate process, because
 * encryption would block requests. Rejects with the command's last line when it fails.
 */
export async function create(ctx: Pick<Context, 'env' | 'log' | 'stopping'>): Promise<void> {
  const { BACKUP_URL, BACKUP_KEY, BACKUP_KEEP_DAYS, DATA_DIR, DATABASE_URL } = ctx.env
  if (BACKUP_URL === undefined) return
  // Passed on explicitly: this process may have other defaults than the command.
  const env = { ...process.env, BACKUP_KEY, DATA_DIR, ...(DATABASE_URL ? { DATABASE_URL } : {}) }
  const child = fork(command, [BACKUP_URL, '--keep-days', String(BACKUP_KEEP_DAYS)], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    signal: ctx.stopping,
  })
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => lines.push(...text.trim().split('\n')))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(lines.at(-1) ?? `the backup ended with ${code}`)
  ctx.log.info({ output: lines }, 'the service was backed up')
}
