import type { Screen } from './screen.ts'

/** Every screen, by the file that declares it. */
export const screensByFile = import.meta.glob<Screen>('../features/**/*.screen.ts', {
  eager: true,
  import: 'screen',
})

export const screens: readonly Screen[] = Object.values(screensByFile)

/** The screens above a screen, the outermost first. */
export function ancestorsOf({ parent }: Screen): readonly Screen[] {
  const parentScreen = screens.find(({ path }) => path === parent)
  return parentScreen ? [...ancestorsOf(parentScreen), parentScreen] : []
}
