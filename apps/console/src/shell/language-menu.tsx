import { locales, m } from '@slipway/phrases'
import Languages from 'lucide-react/icons/languages'
import { IconButton } from '../ui/button.tsx'
import { Menu, MenuChoices } from '../ui/menu.tsx'
import { changeLocale, localeNames, useLocale } from './locale.ts'

export const LanguageMenu = () => (
  <Menu trigger={<IconButton icon={Languages} label={m.shell_language()} />}>
    <MenuChoices
      label={m.shell_language()}
      value={useLocale()}
      options={locales.map((locale) => ({
        value: locale,
        label: localeNames[locale],
        lang: locale,
      }))}
      onChange={changeLocale}
    />
  </Menu>
)
