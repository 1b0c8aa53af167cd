import { m } from '@slipway/phrases'
import type { ColorMode } from './color-mode.ts'

export const colorModeNames: Record<ColorMode, () => string> = {
  auto: () => m.shell_color_auto(),
  light: () => m.shell_color_light(),
  dark: () => m.shell_color_dark(),
}
