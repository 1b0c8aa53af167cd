import type { Project, ProjectId, ProjectState } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useEffect, useRef, useState } from 'react'
import { hasToastAbout } from '../../shell/toasts/toasts.ts'
import { projectStates } from './project-states.ts'

/** Announces state changes of projects to screen readers. */
export function ProjectStateAnnouncer({ projects }: { projects: readonly Project[] | undefined }) {
  const heard = useRef(new Map<ProjectId, ProjectState>())
  const [news, setNews] = useState('')

  useEffect(() => {
    const changed = (projects ?? []).filter(({ id, state }) => {
      const before = heard.current.get(id)
      heard.current.set(id, state)
      // Toasts are announced already.
      return before !== undefined && before !== state && !hasToastAbout(id)
    })
    if (changed.length > 0)
      setNews(
        changed
          .map(({ name, state }) =>
            m.projects_state_announcement({ name, state: projectStates[state].label() }),
          )
          .join(', '),
      )
  }, [projects])

  return (
    <span role="status" className="sr-only">
      {news}
    </span>
  )
}
