import type { DomainStatus } from '@slipway/contract/domain-status'
import type { DomainRole, DomainStep, DomainStepId } from '@slipway/contract/domains'
import { m } from '@slipway/phrases'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleDashed from 'lucide-react/icons/circle-dashed'
import Hourglass from 'lucide-react/icons/hourglass'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { ComponentType } from 'react'
import type { BadgeTone } from '../../../ui/badge.tsx'

type Icon = ComponentType<{ className?: string; 'aria-hidden'?: boolean }>

/** How each state of a domain is displayed. */
export const domainStates: Record<
  DomainStatus,
  { label: () => string; tone: BadgeTone; icon: Icon }
> = {
  pending: { label: () => m.domains_state_pending(), tone: 'warning', icon: Hourglass },
  active: { label: () => m.domains_state_active(), tone: 'success', icon: CircleCheck },
  failed: { label: () => m.domains_state_failed(), tone: 'danger', icon: CircleAlert },
  certificate_pending: {
    label: () => m.domains_state_certificate_pending(),
    tone: 'secondary',
    icon: Hourglass,
  },
  certificate_failed: {
    label: () => m.domains_state_certificate_failed(),
    tone: 'danger',
    icon: CircleAlert,
  },
}

/** What a domain does. `primary` is the primary domain as people write it. */
export const roleTexts: Record<DomainRole, (primary: string) => string> = {
  primary: () => m.domains_role_primary(),
  alias: () => m.domains_role_alias(),
  redirect: (host) => m.domains_role_redirect({ host }),
}

export const stepNames: Record<DomainStepId, () => string> = {
  record: () => m.domains_step_record(),
  reach: () => m.domains_step_reach(),
  caa: () => m.domains_step_caa(),
  certificate: () => m.domains_step_certificate(),
  renewal: () => m.domains_step_renewal(),
}

export const stepStates: Record<
  DomainStep['state'],
  { label: () => string; icon: Icon; className: string }
> = {
  waiting: {
    label: () => m.domains_step_is_waiting(),
    icon: CircleDashed,
    className: 'text-muted',
  },
  done: { label: () => m.domains_step_is_done(), icon: CircleCheck, className: 'text-success' },
  warning: {
    label: () => m.domains_step_is_warning(),
    icon: TriangleAlert,
    className: 'text-warning',
  },
  failed: { label: () => m.domains_step_is_failed(), icon: CircleAlert, className: 'text-danger' },
}
