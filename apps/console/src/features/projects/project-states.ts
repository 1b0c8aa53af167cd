import type { ProjectState } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import Ban from 'lucide-react/icons/ban'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import Hourglass from 'lucide-react/icons/hourglass'
import Trash from 'lucide-react/icons/trash-2'
import type { ComponentType } from 'react'
import type { BadgeTone } from '../../ui/badge.tsx'

type StateLook = {
  label: () => string
  tone: BadgeTone
  icon: ComponentType<{ className?: string; 'aria-hidden'?: boolean }>
  /** What goes on, for the project's own page. */
  hint?: () => string
  /** It ends by itself: the page waits for it. */
  passing: boolean
  /** Its name and domain can be changed, and it can be deleted. */
  editable: boolean
  /** Why there is no site to open; null when there is one. */
  closed: (() => string) | null
}

/** What each state of a project means on the screen. */
export const projectStates: Record<ProjectState, StateLook> = {
  pending: {
    label: () => m.projects_state_pending(),
    tone: 'secondary',
    icon: Hourglass,
    hint: () => m.projects_hint_creating(),
    passing: true,
    editable: true,
    closed: () => m.projects_opens_when_ready(),
  },
  creating: {
    label: () => m.projects_state_creating(),
    tone: 'secondary',
    icon: Hourglass,
    hint: () => m.projects_hint_creating(),
    passing: true,
    editable: true,
    closed: () => m.projects_opens_when_ready(),
  },
  failed_creating: {
    label: () => m.projects_state_failed_creating(),
    tone: 'danger',
    icon: CircleAlert,
    passing: false,
    editable: true,
    closed: () => m.projects_not_created(),
  },
  ready: {
    label: () => m.projects_state_ready(),
    tone: 'primary',
    icon: CircleCheck,
    passing: false,
    editable: true,
    closed: null,
  },
  modifying: {
    label: () => m.projects_state_modifying(),
    tone: 'secondary',
    icon: Hourglass,
    hint: () => m.projects_hint_modifying(),
    passing: true,
    editable: true,
    closed: null,
  },
  deleting: {
    label: () => m.projects_state_deleting(),
    tone: 'danger',
    icon: Trash,
    hint: () => m.projects_hint_deleting(),
    passing: true,
    editable: false,
    closed: () => m.projects_site_removed(),
  },
  deleted: {
    label: () => m.projects_state_deleted(),
    tone: 'danger',
    icon: Ban,
    hint: () => m.projects_hint_deleted(),
    passing: false,
    editable: false,
    closed: () => m.projects_site_removed(),
  },
}
