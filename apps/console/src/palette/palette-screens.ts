import { m } from '@slipway/phrases'
import AppWindow from 'lucide-react/icons/app-window'
import { screens } from '../screens/all-screens.ts'
import type { PaletteEntry } from '../screens/screen.ts'
import { paletteDetails } from './palette-details.ts'
import type { PaletteItem } from './palette-item.ts'

/** The screens with a palette entry of this kind, ordered by position. */
export function paletteScreens(kind: PaletteEntry['kind']): PaletteItem[] {
  const category = kind === 'page' ? m.palette_page() : m.palette_action()
  return screens
    .flatMap(({ path, title, palette }) =>
      palette?.kind === kind ? [{ ...palette, path, title }] : [],
    )
    .sort((one, other) => one.position - other.position)
    .map(({ path, title }) => {
      const { icon = AppWindow, name = title, words } = paletteDetails[path] ?? {}
      return { id: path, name: name(), category, icon, words: words && [words()], to: path }
    })
}
