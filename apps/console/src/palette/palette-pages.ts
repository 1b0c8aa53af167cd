import { m } from '@slipway/phrases'
import CircleUser from 'lucide-react/icons/circle-user'
import CreditCard from 'lucide-react/icons/credit-card'
import Globe from 'lucide-react/icons/globe'
import LifeBuoy from 'lucide-react/icons/life-buoy'
import Mail from 'lucide-react/icons/mail'
import Receipt from 'lucide-react/icons/receipt-text'
import Users from 'lucide-react/icons/users'
import { paths } from '../paths.ts'
import type { PaletteItem } from './palette-item.ts'

/** The pages that lead on to everything else. */
export const palettePages = (): PaletteItem[] =>
  [
    { to: paths.projects(), name: m.projects_title(), icon: Globe, also: m.palette_words_projects },
    { to: paths.teams(), name: m.teams_title(), icon: Users, also: m.palette_words_teams },
    { to: paths.invitations(), name: m.teams_invitations(), icon: Mail },
    { to: paths.tickets(), name: m.support_title(), icon: LifeBuoy, also: m.palette_words_tickets },
    {
      to: paths.billing(),
      name: m.invoices_overview_title(),
      icon: CreditCard,
      also: m.palette_words_billing,
    },
    {
      to: paths.invoices(),
      name: m.invoices_title(),
      icon: Receipt,
      also: m.palette_words_invoices,
    },
    {
      to: paths.profile(),
      name: m.account_profile(),
      icon: CircleUser,
      also: m.palette_words_profile,
    },
  ].map(({ also, ...page }) => ({
    ...page,
    id: page.to,
    place: m.palette_page(),
    words: also && [also()],
  }))
