// Runs in the head of the page, so that its first paint has the right theme and language.
import { detectLocale } from '@slipway/phrases/browser-locale'
import { colorModeKey, parseColorMode, themeOf } from '../shell/color-mode/color-mode.ts'

const { documentElement: page } = document
const isDark = matchMedia('(prefers-color-scheme: dark)').matches
page.dataset.theme = themeOf(parseColorMode(localStorage.getItem(colorModeKey)), isDark)
page.lang = detectLocale()
