import { m } from './paraglide/messages.js'
import type { Locale } from './paraglide/runtime.js'

type Device = { browser: string | null; system: string | null }

/** The browser and the system of a device, as far as they are known. */
export function deviceName({ browser, system }: Device, locale: Locale) {
  if (browser && system) return m.account_session_agent({ browser, system }, { locale })
  return browser ?? system ?? m.account_session_unknown({}, { locale })
}

/** `Istanbul` for `Europe/Istanbul`; null for a zone that names no city, such as UTC. */
export function cityOf(timeZone: string | null) {
  const [, ...rest] = timeZone?.split('/') ?? []
  return rest.at(-1)?.replaceAll('_', ' ') ?? null
}
