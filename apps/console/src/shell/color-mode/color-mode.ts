import { useSyncExternalStore } from 'react'

export const colorModes = ['auto', 'light', 'dark'] as const
export type ColorMode = (typeof colorModes)[number]

export const colorModeKey = 'colorMode'
const listeners = new Set<() => void>()

/** Parses a stored mode; anything else is `auto`. */
export const parseColorMode = (stored: string | null): ColorMode =>
  colorModes.find((mode) => mode === stored) ?? 'auto'

export const themeOf = (mode: ColorMode, systemIsDark: boolean) =>
  mode === 'auto' ? (systemIsDark ? 'dark' : 'light') : mode

const currentMode = () => parseColorMode(localStorage.getItem(colorModeKey))
const system = () => matchMedia('(prefers-color-scheme: dark)')

function apply() {
  const root = document.documentElement
  root.dataset.theme = themeOf(currentMode(), system().matches)
  document
    .querySelector('meta[name="theme-color"]')
    ?.setAttribute('content', getComputedStyle(root).getPropertyValue('--surface'))
  for (const listener of listeners) listener()
}

/** Applies the stored mode, and again when the system's or another tab's mode changes. */
export function followColorMode() {
  apply()
  system().addEventListener('change', apply)
  addEventListener('storage', (event) => {
    if (event.key === colorModeKey || event.key === null) apply()
  })
}

export function changeColorMode(mode: ColorMode) {
  localStorage.setItem(colorModeKey, mode)
  apply()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const useColorMode = () => useSyncExternalStore(subscribe, currentMode, currentMode)
