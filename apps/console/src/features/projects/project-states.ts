import {
  type Project,
  type ShownState,
  siteStates,
  projectStates as states,
} from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import Ban from 'lucide-react/icons/ban'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleDashed from 'lucide-react/icons/circle-dashed'
import CircleStop from 'lucide-react/icons/circle-stop'
import Hourglass from 'lucide-react/icons/hourglass'
import Trash from 'lucide-react/icons/trash-2'
import type { ComponentType } from 'react'
import type { BadgeTone } from '../../ui/badge.tsx'

type StateDisplay = {
  label: () => string
  tone: BadgeTone
  icon: ComponentType<{ className?: string; 'aria-hidden'?: boolean }>
  /** The explanation of this state on the project's page. */
  hint?: () => string
  /** The state ends automatically. */
  isTransient: boolean
  /** Name and domain can be changed, and the project can be deleted. */
  isEditable: boolean
  /** Why there is no site to open; null if there is one. */
  noSiteReason: (() => string) | null
}

export const shownStates: readonly ShownState[] = [...states, ...siteStates]

export const projectStates: Record<ShownState, StateDisplay> = {
  pending: {
    label: () => m.projects_state_pending(),
    tone: 'secondary',
    icon: Hourglass,
    hint: () => m.projects_hint_creating(),
    isTransient: true,
    isEditable: true,
    noSiteReason: () => m.projects_opens_when_ready(),
  },
  creating: {
    label: () => m.projects_state_creating(),
    tone: 'secondary',
    icon: Hourglass,
    hint: () => m.projects_hint_creating(),
    isTransient: true,
    isEditable: true,
    noSiteReason: () => m.projects_opens_when_ready(),
  },
  failed_creating: {
    label: () => m.projects_state_failed_creating(),
    tone: 'danger',
    icon: CircleAlert,
    isTransient: false,
    isEditable: true,
    noSiteReason: () => m.projects_not_created(),
  },
  ready: {
    label: () => m.projects_state_ready(),
    tone: 'primary',
    icon: CircleCheck,
    isTransient: false,
    isEditable: true,
    noSiteReason: null,
  },
  crashing: {
    label: () => m.projects_state_crashing(),
    tone: 'danger',
    icon: CircleAlert,
    isTransient: false,
    isEditable: true,
    noSiteReason: null,
  },
  unreachable: {
    label: () => m.projects_state_unreachable(),
    tone: 'danger',
    icon: CircleAlert,
    isTransient: false,
    isEditable: true,
    noSiteReason: null,
  },
  moving: {
    label: () => m.projects_state_moving(),
    tone: 'secondary',
    icon: Hourglass,
    isTransient: true,
    isEditable: true,
    noSiteReason: null,
  },
  not_live: {
    label: () => m.projects_state_not_live(),
    tone: 'secondary',
    icon: CircleDashed,
    isTransient: false,
    isEditable: true,
    noSiteReason: () => m.projects_opens_when_live(),
  },
  modifying: {
    label: () => m.projects_state_modifying(),
    tone: 'secondary',
    icon: Hourglass,
    hint: () => m.projects_hint_modifying(),
    isTransient: true,
    isEditable: true,
    noSiteReason: null,
  },
  stopped: {
    label: () => m.projects_state_stopped(),
    tone: 'secondary',
    icon: CircleStop,
    isTransient: false,
    isEditable: true,
    noSiteReason: () => m.projects_state_stopped(),
  },
  suspended: {
    label: () => m.projects_state_suspended(),
    tone: 'danger',
    icon: Ban,
    isTransient: false,
    isEditable: true,
    noSiteReason: () => m.projects_state_suspended(),
  },
  deleting: {
    label: () => m.projects_state_deleting(),
    tone: 'danger',
    icon: Trash,
    hint: () => m.projects_hint_deleting(),
    isTransient: true,
    isEditable: false,
    noSiteReason: () => m.projects_site_deleting(),
  },
  deleted: {
    label: () => m.projects_state_deleted(),
    tone: 'danger',
    icon: Ban,
    hint: () => m.projects_hint_deleted(),
    isTransient: false,
    isEditable: false,
    noSiteReason: () => m.projects_site_removed(),
  },
}

/** True until the first release of a project is live, unless it was not created or is deleted. */
export const isEmpty = ({ state, hasSite }: Pick<Project, 'state' | 'hasSite'>) =>
  !hasSite && state !== 'failed_creating' && projectStates[state].isEditable
