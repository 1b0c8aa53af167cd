import { minute, second } from '@slipway/contract/limits'
import { type Locale, m } from '@slipway/phrases'

/**
 * How long something took or takes, of milliseconds, as people read it: 0.02 s, 1.2 s, 14 s, 2 min 5 s. The
 * comma of Turkish is put by hand: a browser's number format takes longer to make than the page to render.
 */
export function durationText(milliseconds: number, locale: Locale) {
  const language = { locale }
  const length = Math.max(0, milliseconds) / second
  const inSeconds = (digits: number) => {
    const text = length.toFixed(digits)
    const written = locale === 'tr' ? text.replace('.', ',') : text
    return m.projects_duration_seconds({ length: written }, language)
  }
  if (length < 0.005) return m.projects_duration_none({}, language)
  if (length < 0.095) return inSeconds(2)
  if (length < 9.95) return inSeconds(1)
  const seconds = Math.round(length)
  if (seconds < minute / second) return inSeconds(0)
  const minutes = String(Math.floor(seconds / 60))
  return seconds % 60 === 0
    ? m.projects_duration_whole_minutes({ minutes }, language)
    : m.projects_duration_minutes({ minutes, seconds: String(seconds % 60) }, language)
}
