import { readEnv } from '../env/env.ts'
import { createLog } from '../log.ts'
import { BackupError } from './backup-error.ts'
import { print, readArguments, runCommand } from './command-line.ts'
import { checkBackup, describe, restoreBackup } from './restore-backup.ts'
import { findBackup } from './stores/open-store.ts'

const usage = `npm run restore -- <backup, folder or s3://bucket/prefix> [options]

Restores the whole service into an empty DATA_DIR and, with DATABASE_URL, an empty
database. A folder or bucket stands for its newest backup. The environment is that
of the server, with the BACKUP_KEY that opens backups: AGE-SECRET-KEY-1…

  --to <DATA_DIR>         the data folder to restore into
  --queued-emails <what>  emails that waited: hold (the default; they may have been
                          sent since) or send (the server was stopped before the backup)
  --check                 reads the whole backup and changes nothing
  --help`

const options = {
  to: { type: 'string' },
  'queued-emails': { type: 'string', default: 'hold' },
  check: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

await runCommand('The restore failed', async () => {
  const { values, positionals } = readArguments({ options })
  if (values.help) {
    print(usage)
    return
  }
  const [from, ...rest] = positionals
  if (from === undefined || rest.length > 0)
    throw new BackupError('name one backup, folder or s3://bucket/prefix')
  const queuedEmails = values['queued-emails']
  if (queuedEmails !== 'hold' && queuedEmails !== 'send')
    throw new BackupError(`--queued-emails must be hold or send, but is ${queuedEmails}`)
  const env = readEnv({
    ...process.env,
    ...(values.to === undefined ? {} : { DATA_DIR: values.to }),
  })
  const key = env.BACKUP_KEY
  if (key === undefined)
    throw new BackupError('BACKUP_KEY must be set to the key of the backup, AGE-SECRET-KEY-1…')
  if (values.check) {
    const { store, backup } = await findBackup(from)
    const manifest = await checkBackup(store, backup.name, key)
    print(`${backup.name} is complete: ${describe(manifest)}`)
    return
  }
  const { unsentEmails, jobs } = await restoreBackup({
    env,
    key,
    from,
    queuedEmails,
    log: createLog('warn'),
    say: print,
  })
  print(`Restored. ${jobs} waiting jobs continue at the next start. Users sign in again.`)
  if (unsentEmails > 0)
    print(`${unsentEmails} emails waited and are not sent, because they may have been sent since.`)
})
