import { relative } from 'node:path'
import { readEnv } from '../env/env.ts'
import { BackupError } from './backup-error.ts'
import { createKeyPair } from './backup-key.ts'
import { print, readArguments, runCommand } from './command-line.ts'
import { createBackup } from './create-backup.ts'

const usage = `npm run backup -- [<folder or s3://bucket/prefix>] [options]

Backs up the whole service, also while it runs: database, sites and keys, encrypted
with BACKUP_KEY. The environment is that of the server. Without a place: BACKUP_URL.

  --keep-days <n>  removes backups there that are older than n days; the seven newest stay
  --new-key        prints a new pair of keys
  --help`

const options = {
  'keep-days': { type: 'string' },
  'new-key': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

function readDays(text: string | undefined) {
  if (text === undefined) return undefined
  if (!/^\d{1,5}$/.test(text))
    throw new BackupError(`--keep-days must be a number of days, but is ${text}`)
  return Number(text)
}

async function printNewKey() {
  const { recipient, identity } = await createKeyPair()
  print(`BACKUP_KEY=${recipient}`)
  print('  for the server: it encrypts backups, and cannot open them')
  print(`BACKUP_KEY=${identity}`)
  print('  for a restore: keep it in another place than the backups; without it they are lost')
}

await runCommand('The backup failed', async (signal) => {
  const { values, positionals } = readArguments({ options })
  if (values.help) return print(usage)
  if (values['new-key']) return printNewKey()
  const env = readEnv(process.env)
  const location = positionals[0] ?? env.BACKUP_URL
  if (location === undefined || positionals.length > 1)
    throw new BackupError('name one folder or s3://bucket/prefix, or set BACKUP_URL')
  if (env.BACKUP_KEY === undefined)
    throw new BackupError('BACKUP_KEY must be set: make one with npm run backup -- --new-key')
  const keysFile = env.SEALING_KEYS_FILE
  if (env.SEALING_KEYS || (keysFile && relative(env.DATA_DIR, keysFile).startsWith('..')))
    print('Note: the keys of SEALING_KEYS or SEALING_KEYS_FILE are not in the backup. Keep a copy.')
  const started = performance.now()
  const summary = await createBackup({
    env,
    key: env.BACKUP_KEY,
    location,
    keepDays: readDays(values['keep-days']),
    signal,
    warn: (sentence) => print(`Note: ${sentence}`),
  })
  const { name, bytes, tables, rows, jobs, files, removed } = summary
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  print(`Backed up to ${summary.location}: ${name}, ${bytes} bytes in ${seconds} s`)
  print(`  ${tables} tables with ${rows} rows, ${jobs} waiting jobs, ${files} files and folders`)
  for (const old of removed) print(`  removed ${old}`)
})
