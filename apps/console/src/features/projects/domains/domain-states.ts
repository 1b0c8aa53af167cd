import type { DomainStatus } from '@slipway/contract/domain-status'
import { m } from '@slipway/phrases'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import Hourglass from 'lucide-react/icons/hourglass'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { ComponentType } from 'react'
import type { BadgeTone } from '../../../ui/badge.tsx'

type Icon = ComponentType<{ className?: string; 'aria-hidden'?: boolean }>

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
  certificate_late: {
    label: () => m.domains_state_certificate_late(),
    tone: 'warning',
    icon: Hourglass,
  },
  certificate_failed: {
    label: () => m.domains_state_certificate_failed(),
    tone: 'danger',
    icon: CircleAlert,
  },
  renewal_failed: {
    label: () => m.domains_state_renewal_failed(),
    tone: 'warning',
    icon: TriangleAlert,
  },
  warning: { label: () => m.domains_state_warning(), tone: 'warning', icon: TriangleAlert },
}
