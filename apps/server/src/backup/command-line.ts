import { type ParseArgsConfig, parseArgs } from 'node:util'
import { SettingError } from '../env/setting-error.ts'
import { BackupError } from './backup-error.ts'

export const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

/** Parses the arguments of a command; throws a `BackupError` for unknown ones. */
export function readArguments<Config extends ParseArgsConfig>(config: Config) {
  try {
    return parseArgs({ ...config, allowPositionals: true })
  } catch (error) {
    // The second sentence explains how to quote an argument that begins with a hyphen.
    const reason = error instanceof Error ? error.message.split('. ')[0] : String(error)
    throw new BackupError(`${reason}; --help lists the options`)
  }
}

/** Runs a command. Prints an expected error's message, or the stack of an unexpected error. */
export async function runCommand(failure: string, command: (signal: AbortSignal) => Promise<void>) {
  const stopping = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.once(signal, () => stopping.abort(new BackupError(`it was stopped by ${signal}`)))
  // Ends with the server that forked it.
  process.once('disconnect', () => stopping.abort(new BackupError('the server ended')))
  try {
    await command(stopping.signal)
    process.exit(0)
  } catch (error) {
    const cause = stopping.signal.aborted ? stopping.signal.reason : error
    const isExpected = cause instanceof BackupError || cause instanceof SettingError
    process.stderr.write(`${failure}: ${isExpected ? cause.message : explain(cause)}\n`)
    process.exit(1)
  }
}

/** Errors of the system and of S3 have a code or a name that says enough. */
function explain(error: unknown) {
  if (!(error instanceof Error)) return String(error)
  const isOfSystem = 'code' in error || '$metadata' in error
  return isOfSystem ? `${error.name}: ${error.message}` : (error.stack ?? error.message)
}
