import type { Release, ReleaseState } from '@slipway/contract/releases'
import { formatList, formatNumber, getLocale, m } from '@slipway/phrases'
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

/** How each state of a release is displayed. */
export const releaseStates: Record<ReleaseState, StateDisplay> = {
  checking: { label: () => m.release_state_checking(), tone: 'secondary', icon: Hourglass },
  live: { label: () => m.release_state_live(), tone: 'success', icon: CircleCheck },
  superseded: { label: () => m.release_state_superseded(), tone: 'secondary', icon: History },
  failed: { label: () => m.release_state_failed(), tone: 'danger', icon: CircleAlert },
}

/** What a release changed: `2 added, 1 changed`; null until it is checked. */
export function changesText({ changes }: Release): string | null {
  if (!changes) return null
  const locale = getLocale()
  const { added, changed, removed } = changes
  const parts = [
    added > 0 && m.release_files_added({ count: added, files: formatNumber(added, locale) }),
    changed > 0 &&
      m.release_files_changed({ count: changed, files: formatNumber(changed, locale) }),
    removed > 0 &&
      m.release_files_removed({ count: removed, files: formatNumber(removed, locale) }),
  ].filter((part) => part !== false)
  return parts.length > 0 ? formatList(parts, locale) : m.release_files_same()
}
