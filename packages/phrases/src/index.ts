export { m } from './paraglide/messages.js'
export { getLocale, type Locale, locales, setLocale } from './paraglide/runtime.js'
export { preferredLocale } from './preferred-locale.ts'
