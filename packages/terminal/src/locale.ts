import { type Locale, preferredLocale } from '@slipway/phrases'

type Environment = Record<string, string | undefined>

/** The language of a terminal, from its variables (POSIX.1-2024, 8.2): `tr_TR.UTF-8` is Turkish. */
export function terminalLocale({ LC_ALL, LC_MESSAGES, LANG }: Environment): Locale {
  const name = LC_ALL || LC_MESSAGES || LANG || ''
  return preferredLocale(name.split(/[._@]/)[0])
}
