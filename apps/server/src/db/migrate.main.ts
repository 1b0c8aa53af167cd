import { readEnv } from '../env/env.ts'
import { reasonOf, SettingError } from '../env/setting-error.ts'
import { checkDatabase } from './connect-check.ts'
import { urlOptions } from './connection-options.ts'
import { migrate } from './migrate.ts'

// `npm run migrate`: the migrations alone, before the first server of a new version starts.

try {
  const { DATABASE_URL: url } = readEnv(process.env)
  if (url === undefined)
    throw new SettingError(
      'DATABASE_URL must be set: a server migrates its embedded database itself',
    )
  await checkDatabase(url)
  await migrate(urlOptions(url))
  process.stdout.write('The database has every migration of this version\n')
} catch (error) {
  process.stderr.write(`The database was not migrated: ${reasonOf(error)}\n`)
  process.exitCode = 1
}
