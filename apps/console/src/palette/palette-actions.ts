import type { UserProfile } from '@slipway/contract/account'
import type { Team } from '@slipway/contract/teams'
import { getLocale, languageName, locales, m } from '@slipway/phrases'
import BookOpen from 'lucide-react/icons/book-open'
import Keyboard from 'lucide-react/icons/keyboard'
import Languages from 'lucide-react/icons/languages'
import Link from 'lucide-react/icons/link'
import LogOut from 'lucide-react/icons/log-out'
import SunMoon from 'lucide-react/icons/sun-moon'
import UserPlus from 'lucide-react/icons/user-plus'
import { apiBase } from '../api/client.ts'
import { paths } from '../paths.ts'
import { changeColorMode, colorModes } from '../shell/color-mode/color-mode.ts'
import { colorModeNames } from '../shell/color-mode/color-mode-names.ts'
import { changeLocale } from '../shell/language/locale.ts'
import { openOverlay } from '../shell/shortcuts/open-overlay.ts'
import { copyText } from './copy-text.ts'
import type { PaletteItem } from './palette-item.ts'
import { paletteScreens } from './palette-screens.ts'

/** An item without its category, which is the same for all actions. */
type Action = PaletteItem extends infer Item
  ? Item extends unknown
    ? Omit<Item, 'category'>
    : never
  : never

/** The actions that invite to a team, for teams that the user owns. */
const invitations = (teams: readonly Team[], profile: UserProfile | undefined): Action[] =>
  teams
    .filter(({ userId }) => userId === profile?.id)
    .map(({ id, name }) => ({
      id: `invite:${id}`,
      name: m.palette_invite({ team: name }),
      icon: UserPlus,
      words: [m.palette_words_invite()],
      to: paths.inviteTo(id),
    }))

const preferences = (): Action[] => [
  ...locales
    .filter((locale) => locale !== getLocale())
    .map((locale) => ({
      id: `speak:${locale}`,
      name: m.palette_switch_language({ language: languageName(locale) }),
      icon: Languages,
      words: [m.palette_words_language()],
      run: () => changeLocale(locale),
    })),
  ...colorModes.map((mode) => ({
    id: `color:${mode}`,
    name: m.palette_color({ mode: colorModeNames[mode]() }),
    icon: SunMoon,
    words: [m.palette_words_color()],
    run: () => changeColorMode(mode),
  })),
]

/** The actions of the palette: the screens that create a resource come first. */
export const paletteActions = (context: {
  teams: readonly Team[]
  profile: UserProfile | undefined
  logOut: () => unknown
}): PaletteItem[] =>
  [
    ...paletteScreens('action'),
    ...invitations(context.teams, context.profile),
    ...preferences(),
    // Browsers offer the clipboard only on secure pages.
    ...(navigator.clipboard
      ? [
          {
            id: 'copy-address',
            name: m.palette_copy_address(),
            icon: Link,
            words: [m.palette_words_copy_address()],
            run: () => copyText(location.href),
          },
        ]
      : []),
    {
      id: 'docs',
      name: m.shell_docs(),
      icon: BookOpen,
      words: [m.palette_words_docs()],
      run: () => window.open(`${apiBase}/docs`, '_blank', 'noopener'),
    },
    {
      id: 'shortcuts',
      name: m.shortcuts_title(),
      icon: Keyboard,
      words: [m.palette_words_shortcuts()],
      run: () => openOverlay('shortcuts'),
    },
    {
      id: 'log-out',
      name: m.shell_logout(),
      icon: LogOut,
      words: [m.palette_words_log_out()],
      run: context.logOut,
    },
  ].map((action) => ({ ...action, category: m.palette_action() }))
