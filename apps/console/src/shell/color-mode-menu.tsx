import { m } from '@slipway/phrases'
import Monitor from 'lucide-react/icons/monitor'
import Moon from 'lucide-react/icons/moon'
import Sun from 'lucide-react/icons/sun'
import { IconButton } from '../ui/button.tsx'
import { Menu, MenuChoices } from '../ui/menu.tsx'
import { changeColorMode, colorModes, useColorMode } from './color-mode.ts'
import { colorModeNames } from './color-mode-names.ts'

const icons = { auto: Monitor, light: Sun, dark: Moon }

export function ColorModeMenu() {
  const mode = useColorMode()
  return (
    <Menu trigger={<IconButton icon={icons[mode]} label={m.shell_color_mode()} />}>
      <MenuChoices
        label={m.shell_color_mode()}
        value={mode}
        options={colorModes.map((value) => ({
          value,
          label: colorModeNames[value](),
          icon: icons[value],
        }))}
        onChange={changeColorMode}
      />
    </Menu>
  )
}
