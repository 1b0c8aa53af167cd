import { useMatch } from '@tanstack/react-router'
import type { ScreenFacts } from '../../screens/screen-facts.ts'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The screen of the route; a layout has none. */
    screen?: ScreenFacts
    /** The screens above it, the outermost first. */
    ancestors?: readonly ScreenFacts[]
  }
}

/** The title of the screen that renders this component, and the screens above it. */
export function useScreen() {
  const { screen, ancestors = [] } = useMatch({
    strict: false,
    select: ({ staticData }) => staticData,
  })
  if (!screen) throw new Error('This component is used outside of a screen.')
  return { title: screen.title(), ancestors }
}

/** The screen above the one that renders this component; undefined at the top of an area. */
export const useScreenAbove = () =>
  useMatch({ strict: false, select: ({ staticData }) => staticData.ancestors?.at(-1) })
