import type { DomainStep, DomainStepId } from '@slipway/contract/domains'
import { m } from '@slipway/phrases'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleDashed from 'lucide-react/icons/circle-dashed'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { ComponentType } from 'react'

type Icon = ComponentType<{ className?: string; 'aria-hidden'?: boolean }>

export const stepNames: Record<DomainStepId, () => string> = {
  record: () => m.domains_step_record(),
  reach: () => m.domains_step_reach(),
  caa: () => m.domains_step_caa(),
  certificate: () => m.domains_step_certificate(),
  renewal: () => m.domains_step_renewal(),
}

export const stepStates: Record<
  DomainStep['state'] | 'toDo',
  { label: () => string; icon: Icon; className: string }
> = {
  waiting: {
    label: () => m.domains_step_is_waiting(),
    icon: CircleDashed,
    className: 'text-muted',
  },
  toDo: { label: () => m.domains_step_is_to_do(), icon: CircleDashed, className: 'text-warning' },
  done: { label: () => m.domains_step_is_done(), icon: CircleCheck, className: 'text-success' },
  warning: {
    label: () => m.domains_step_is_warning(),
    icon: TriangleAlert,
    className: 'text-warning',
  },
  failed: { label: () => m.domains_step_is_failed(), icon: CircleAlert, className: 'text-danger' },
}
