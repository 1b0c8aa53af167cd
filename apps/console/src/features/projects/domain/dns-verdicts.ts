import type { DnsVerdict } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleDashed from 'lucide-react/icons/circle-dashed'
import Hourglass from 'lucide-react/icons/hourglass'
import type { ComponentType } from 'react'
import type { BadgeTone } from '../../../ui/badge.tsx'

type VerdictDisplay = {
  label: () => string
  tone: BadgeTone
  icon: ComponentType<{ className?: string; 'aria-hidden'?: boolean }>
  /** What the owner can do. */
  advice: () => string
}

/** How each DNS verdict is displayed; `checking` before the first check. */
export const dnsVerdicts: Record<DnsVerdict | 'checking', VerdictDisplay> = {
  checking: {
    label: () => m.projects_dns_is_checking(),
    tone: 'secondary',
    icon: Hourglass,
    advice: () => m.projects_dns_advice_checking(),
  },
  correct: {
    label: () => m.projects_dns_is_correct(),
    tone: 'success',
    icon: CircleCheck,
    advice: () => m.projects_dns_advice_correct(),
  },
  missing: {
    label: () => m.projects_dns_is_missing(),
    tone: 'warning',
    icon: CircleDashed,
    advice: () => m.projects_dns_advice_missing(),
  },
  different: {
    label: () => m.projects_dns_is_different(),
    tone: 'danger',
    icon: CircleAlert,
    advice: () => m.projects_dns_advice_different(),
  },
  unknown: {
    label: () => m.projects_dns_is_unknown(),
    tone: 'warning',
    icon: CircleAlert,
    advice: () => m.projects_dns_advice_unknown(),
  },
}
