import { m } from '@slipway/phrases'
import Monitor from 'lucide-react/icons/monitor'
import Moon from 'lucide-react/icons/moon'
import Sun from 'lucide-react/icons/sun'
import { Menu } from '../../ui/menu/menu.tsx'
import { changeColorMode, colorModes, parseColorMode, useColorMode } from './color-mode.ts'
import { colorModeNames } from './color-mode-names.ts'

const icons = { auto: Monitor, light: Sun, dark: Moon }

export function ColorModeMenu() {
  const mode = useColorMode()
  return (
    <Menu
      label={m.shell_color_mode()}
      icon={icons[mode]}
      entries={[
        {
          kind: 'choices',
          value: mode,
          options: colorModes.map((value) => ({
            value,
            label: colorModeNames[value](),
            icon: icons[value],
          })),
          onChange: (value) => changeColorMode(parseColorMode(value)),
        },
      ]}
    />
  )
}
