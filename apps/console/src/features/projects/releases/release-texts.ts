import type { Project } from '@slipway/contract/projects'
import type { Release, ReleaseState } from '@slipway/contract/releases'
import { m } from '@slipway/phrases'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import History from 'lucide-react/icons/history'
import Hourglass from 'lucide-react/icons/hourglass'
import type { ComponentType } from 'react'
import type { BadgeTone } from '../../../ui/badge.tsx'

type StateDisplay = {
  label: () => string
  tone: BadgeTone
  icon: ComponentType<{ className?: string; 'aria-hidden'?: boolean }>
}

const releaseStates: Record<ReleaseState, StateDisplay> = {
  checking: { label: () => m.release_state_checking(), tone: 'secondary', icon: Hourglass },
  live: { label: () => m.release_state_live(), tone: 'success', icon: CircleCheck },
  superseded: { label: () => m.release_state_superseded(), tone: 'secondary', icon: History },
  failed: { label: () => m.release_state_failed(), tone: 'danger', icon: CircleAlert },
}

/** Where the files of a release come from; null if they were uploaded. */
export function sourceText({ rollbackOf, source }: Release): string | null {
  if (rollbackOf !== null) return m.release_rollback_of({ number: rollbackOf })
  return source === 'backup' ? m.release_from_backup() : null
}

/**
 * How the state of a release is displayed: a live one is only "deployed" while its site does not
 * run.
 */
export const releaseState = ({ state }: Release, { power }: Project): StateDisplay =>
  state === 'live' && power !== 'running'
    ? { ...releaseStates.superseded, label: () => m.release_state_deployed(), icon: CircleCheck }
    : releaseStates[state]
