export { cityOf, deviceName } from './devices.ts'
export {
  formatBytes,
  formatCharge,
  formatDate,
  formatDuration,
  formatList,
  formatMoney,
  formatNumber,
  formatPercent,
  formatPeriod,
  formatPeriodName,
  formatPeriodStart,
  formatRate,
  formatRelativeTime,
  formatResponseTime,
  formatUtcDate,
  formatUtcWeekday,
} from './format.ts'
export { type LocalizedName, languageName, localizedName, parseLocale } from './languages.ts'
export { m } from './paraglide/messages.js'
export { baseLocale, getLocale, type Locale, locales, setLocale } from './paraglide/runtime.js'
export { preferredLocale } from './preferred-locale.ts'
