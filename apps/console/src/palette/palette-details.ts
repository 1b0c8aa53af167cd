import { m } from '@slipway/phrases'
import CircleUser from 'lucide-react/icons/circle-user'
import CreditCard from 'lucide-react/icons/credit-card'
import Globe from 'lucide-react/icons/globe'
import KeyRound from 'lucide-react/icons/key-round'
import LifeBuoy from 'lucide-react/icons/life-buoy'
import Mail from 'lucide-react/icons/mail'
import Plus from 'lucide-react/icons/plus'
import Receipt from 'lucide-react/icons/receipt-text'
import ShieldCheck from 'lucide-react/icons/shield-check'
import Users from 'lucide-react/icons/users'
import { paths } from '../paths.ts'
import type { Text } from '../screens/screen-facts.ts'
import type { PaletteItem } from './palette-item.ts'

type PaletteDetails = {
  icon: PaletteItem['icon']
  /** The name of an action, which a language may write otherwise than the title of its page. */
  name?: Text
  /** Further search words. */
  words?: Text
}

/**
 * Icons, names and further search words of the screens with a palette entry, by path. Not in their
 * declarations, which every page loads.
 */
export const paletteDetails: Readonly<Record<string, PaletteDetails>> = {
  [paths.teams.pattern]: { icon: Users, words: m.palette_words_teams },
  [paths.invitations.pattern]: { icon: Mail },
  [paths.projects.pattern]: { icon: Globe, words: m.palette_words_projects },
  [paths.createProject.pattern]: {
    icon: Plus,
    name: m.projects_create,
    words: m.palette_words_create,
  },
  [paths.profile.pattern]: { icon: CircleUser, words: m.palette_words_profile },
  [paths.tokens.pattern]: { icon: KeyRound, words: m.palette_words_tokens },
  [paths.security.pattern]: { icon: ShieldCheck, words: m.palette_words_security },
  [paths.invoices.pattern]: { icon: Receipt, words: m.palette_words_invoices },
  [paths.payInvoices.pattern]: {
    icon: CreditCard,
    name: m.invoices_make_payment,
    words: m.palette_words_pay,
  },
  [paths.addPaymentMethod.pattern]: {
    icon: Plus,
    name: m.cards_add,
    words: m.palette_words_add_card,
  },
  [paths.billing.pattern]: { icon: CreditCard, words: m.palette_words_billing },
  [paths.tickets.pattern]: { icon: LifeBuoy, words: m.palette_words_tickets },
  [paths.createTicket.pattern]: {
    icon: Plus,
    name: m.support_create,
    words: m.palette_words_create_ticket,
  },
}
