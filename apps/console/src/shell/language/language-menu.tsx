import { getLocale, languageName, locales, m, parseLocale } from '@slipway/phrases'
import Languages from 'lucide-react/icons/languages'
import { Menu } from '../../ui/menu/menu.tsx'
import { changeLocale, useLocale } from './locale.ts'

export const LanguageMenu = () => (
  <Menu
    label={m.shell_language()}
    icon={Languages}
    entries={[
      {
        kind: 'choices',
        value: useLocale(),
        options: locales.map((value) => ({ value, label: languageName(value), lang: value })),
        onChange: (value) => changeLocale(parseLocale(value, getLocale())),
      },
    ]}
  />
)
