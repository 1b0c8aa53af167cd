import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SettingError } from '../env/setting-error.ts'

/** A file that exists from the first to the last step of a restore. */
export const restoreMark = (dataDir: string) => join(dataDir, 'restore.unfinished')

/** Throws while a restore into this data folder has not finished: half a service must not start. */
export function requireRestored(dataDir: string): void {
  if (!existsSync(restoreMark(dataDir))) return
  throw new SettingError(
    `DATA_DIR must have a complete service, but the restore into ${dataDir} did not finish: empty it, and the database of DATABASE_URL if that is set, and restore again`,
  )
}
