import { day, hour, minute, second } from '@slipway/contract/limits'
import type { Exit } from './site-process.ts'

const units = [
  ['day', day],
  ['hour', hour],
  ['minute', minute],
  ['second', second],
] as const

/** A duration in its largest unit: `1 hour`. */
const durationText = (ms: number): string => {
  const [unit, unitMs] = units.find(([, unitMs]) => ms >= unitMs) ?? (['second', second] as const)
  const format = new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' })
  return format.format(Math.floor(ms / unitMs))
}

/** How a program ended that is started again. */
export type Ending = Pick<Exit, 'code' | 'signal'> & { livedMs: number; hung: boolean }

/** Without its code and signal, an earlier server started it: then its duration is unknown, too. */
const endingText = ({ code, signal, livedMs, hung }: Ending): string => {
  if (code === null && signal === null) return 'ended'
  const lived = `after ${durationText(livedMs)}`
  if (hung) return `stopped responding, was killed ${lived}`
  return code === null ? `ended ${lived} by ${signal}` : `ended ${lived} with exit code ${code}`
}

/** Lines of the service in the log of a site, which tell its owner what the program cannot. */
export const siteNotes = {
  killed: (graceMs: number) =>
    `Slipway: the program did not end within ${graceMs / 1000} seconds of SIGTERM and was killed.`,
  restarted: (ending: Ending) =>
    `Slipway: the program ${endingText(ending)} and was started again.`,
  tooManyProcesses:
    'Slipway: the program has reached its limit of processes and threads, so it could start no more.',
  outputRemoved:
    'Slipway: earlier output was removed. Of a release that is being checked the last 4 MiB are kept.',
  outputMissing:
    'Slipway: output is missing here. The program has printed more than can be stored.',
}
