import type { Activity, ActivityKind } from '@slipway/contract/activity'
import { formatCharge, formatDate, formatMoney, getLocale, m } from '@slipway/phrases'
import Ban from 'lucide-react/icons/ban'
import Braces from 'lucide-react/icons/braces'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CreditCard from 'lucide-react/icons/credit-card'
import Globe from 'lucide-react/icons/globe'
import KeyRound from 'lucide-react/icons/key-round'
import LogIn from 'lucide-react/icons/log-in'
import Mail from 'lucide-react/icons/mail'
import Pencil from 'lucide-react/icons/pencil'
import Plus from 'lucide-react/icons/plus'
import Power from 'lucide-react/icons/power'
import Receipt from 'lucide-react/icons/receipt'
import Rocket from 'lucide-react/icons/rocket'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import Trash from 'lucide-react/icons/trash-2'
import Undo from 'lucide-react/icons/undo-2'
import Users from 'lucide-react/icons/users'
import type { ComponentType } from 'react'

type Icon = ComponentType<{ className?: string; 'aria-hidden'?: boolean }>

type Values = { actor: string; subject: string; before: string; after: string }

export type Look = {
  icon: Icon
  tone?: 'success' | 'danger'
  text: (values: Values) => string
}

const amount = (text: string) => formatMoney(text, getLocale())
const time = (text: string) => formatDate(text, getLocale(), 'shortDateTime')

/** Icon and sentence of each kind. A sentence names the actor unless it is the service. */
const looks: Record<ActivityKind, Look> = {
  project_created: { icon: Plus, text: m.activity_project_created },
  project_ready: {
    icon: Rocket,
    tone: 'success',
    text: ({ after }) =>
      after === 'empty' ? m.activity_project_ready_empty() : m.activity_project_ready(),
  },
  project_failed: { icon: CircleAlert, tone: 'danger', text: m.activity_project_failed },
  project_renamed: { icon: Pencil, text: m.activity_project_renamed },
  project_started: { icon: Power, text: m.activity_project_started },
  project_stopped: { icon: Power, text: m.activity_project_stopped },
  project_restarted: { icon: RotateCcw, text: m.activity_project_restarted },
  project_suspended: {
    icon: Ban,
    tone: 'danger',
    text: ({ actor, after }) =>
      after === 'abuse'
        ? m.activity_project_suspended_abuse({ actor })
        : m.activity_project_suspended_unpaid({ actor }),
  },
  project_resumed: { icon: Power, tone: 'success', text: m.activity_project_resumed },
  project_moved: { icon: LogIn, text: m.activity_project_moved },
  project_move_failed: {
    icon: CircleAlert,
    tone: 'danger',
    text: m.activity_project_move_failed,
  },
  project_deleted: { icon: Trash, text: m.activity_project_deleted },
  site_crashing: { icon: CircleAlert, tone: 'danger', text: m.activity_site_crashing },
  site_recovered: { icon: Power, tone: 'success', text: m.activity_site_recovered },
  release_live: {
    icon: Rocket,
    tone: 'success',
    text: ({ actor, subject: number }) => m.activity_release_live({ actor, number }),
  },
  release_failed: {
    icon: CircleAlert,
    tone: 'danger',
    text: ({ actor, subject: number }) => m.activity_release_failed({ actor, number }),
  },
  release_rolled_back: {
    icon: Undo,
    text: ({ actor, after: number }) => m.activity_release_rolled_back({ actor, number }),
  },
  backup_created: { icon: Plus, text: m.activity_backup_created },
  backup_restored: {
    icon: Undo,
    tone: 'success',
    text: ({ actor, subject }) => m.activity_backup_restored({ actor, subject: time(subject) }),
  },
  backup_restore_failed: {
    icon: CircleAlert,
    tone: 'danger',
    text: ({ subject }) => m.activity_backup_restore_failed({ subject: time(subject) }),
  },
  domain_added: {
    icon: Globe,
    text: ({ actor, subject: host }) => m.activity_domain_added({ actor, host }),
  },
  domain_proven: {
    icon: Globe,
    tone: 'success',
    text: ({ subject: host }) => m.activity_domain_proven({ host }),
  },
  domain_failed: {
    icon: CircleAlert,
    tone: 'danger',
    text: ({ subject: host }) => m.activity_domain_failed({ host }),
  },
  domain_recovered: {
    icon: Globe,
    tone: 'success',
    text: ({ subject: host }) => m.activity_domain_recovered({ host }),
  },
  domain_removed: {
    icon: Globe,
    text: ({ actor, subject: host }) => m.activity_domain_removed({ actor, host }),
  },
  domain_changed: {
    icon: Globe,
    text: ({ actor, subject: host }) => m.activity_domain_changed({ actor, host }),
  },
  domain_primary: {
    icon: Globe,
    text: ({ actor, before, after }) =>
      after === ''
        ? m.activity_domain_primary_none({ actor, host: before })
        : m.activity_domain_primary({ actor, host: after }),
  },
  variables_set: {
    icon: Braces,
    text: ({ actor, subject: names }) => m.activity_variables_set({ actor, names }),
  },
  variables_removed: {
    icon: Braces,
    text: ({ actor, subject: names }) => m.activity_variables_removed({ actor, names }),
  },
  client_created: {
    icon: KeyRound,
    text: ({ actor, subject: name }) => m.activity_client_created({ actor, name }),
  },
  client_changed: {
    icon: KeyRound,
    text: ({ actor, subject: name }) => m.activity_client_changed({ actor, name }),
  },
  client_deleted: {
    icon: KeyRound,
    text: ({ actor, subject: name }) => m.activity_client_deleted({ actor, name }),
  },
  client_secret_created: {
    icon: KeyRound,
    text: ({ actor, subject: name }) => m.activity_client_secret_created({ actor, name }),
  },
  client_secret_revoked: {
    icon: KeyRound,
    text: ({ actor, subject: name }) => m.activity_client_secret_revoked({ actor, name }),
  },
  site_accessed: { icon: LogIn, text: m.activity_site_accessed },
  team_created: { icon: Users, text: m.activity_team_created },
  team_renamed: { icon: Pencil, text: m.activity_team_renamed },
  member_invited: {
    icon: Mail,
    text: ({ actor, subject: email }) => m.activity_member_invited({ actor, email }),
  },
  invitation_canceled: {
    icon: Mail,
    text: ({ actor, subject: email }) => m.activity_invitation_canceled({ actor, email }),
  },
  invitation_rejected: { icon: Mail, text: m.activity_invitation_rejected },
  member_joined: { icon: Users, tone: 'success', text: m.activity_member_joined },
  member_left: { icon: Users, text: m.activity_member_left },
  member_removed: {
    icon: Users,
    text: ({ actor, subject: name }) => m.activity_member_removed({ actor, name }),
  },
  registry_set: {
    icon: KeyRound,
    text: ({ actor, subject: host }) => m.activity_registry_set({ actor, host }),
  },
  registry_deleted: {
    icon: KeyRound,
    text: ({ actor, subject: host }) => m.activity_registry_deleted({ actor, host }),
  },
  card_added: {
    icon: CreditCard,
    text: ({ actor, subject: digits }) => m.activity_card_added({ actor, digits }),
  },
  card_removed: {
    icon: CreditCard,
    text: ({ actor, subject: digits }) => m.activity_card_removed({ actor, digits }),
  },
  card_default: {
    icon: CreditCard,
    text: ({ actor, after: digits }) => m.activity_card_default({ actor, digits }),
  },
  card_changed: {
    icon: CreditCard,
    text: ({ actor, subject: digits }) => m.activity_card_changed({ actor, digits }),
  },
  invoice_issued: {
    icon: Receipt,
    text: ({ after }) => m.activity_invoice_issued({ amount: amount(after) }),
  },
  invoice_paid: {
    icon: Receipt,
    tone: 'success',
    text: ({ actor, after }) => m.activity_invoice_paid({ actor, amount: amount(after) }),
  },
  invoice_unpaid: { icon: CircleAlert, tone: 'danger', text: m.activity_invoice_unpaid },
  payment_refunded: {
    icon: Receipt,
    text: ({ actor, subject: digits, after }) =>
      m.activity_payment_refunded({ actor, digits, amount: formatCharge(after, getLocale()) }),
  },
}

/** The look of an entry; undefined for a kind of a newer server. */
export const lookOf = ({ kind }: Activity): Look | undefined => looks[kind]

/** The name of an entry's actor; empty for the service, which the sentences do not name. */
export function actorName({ actor: { kind, name } }: Activity): string {
  if (kind === 'operator') return m.support_team()
  if (kind === 'service') return ''
  const known = name ?? m.activity_deleted_user()
  return kind === 'token' ? m.activity_by_token({ name: known }) : known
}
