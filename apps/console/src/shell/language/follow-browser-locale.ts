import { followBrowserLocale } from '@slipway/phrases/browser-locale'

followBrowserLocale()
