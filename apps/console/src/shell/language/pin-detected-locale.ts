import { pinDetectedLocale } from '@slipway/phrases/browser-locale'

pinDetectedLocale()
