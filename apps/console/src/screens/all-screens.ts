import type { Screen } from './screen.ts'

/** Every screen, by the file that declares it. */
export const screensByFile = import.meta.glob<Screen>('../features/**/*.screen.ts', {
  eager: true,
  import: 'screen',
})

export const screens: readonly Screen[] = Object.values(screensByFile)
