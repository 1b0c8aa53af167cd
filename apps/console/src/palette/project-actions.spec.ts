import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { projectActions } from './project-actions.ts'

const name = 'Blue Garden'
const ready = {
  id: 'garden',
  key: 'garden-x7k2p1',
  name,
  runtime: 'starter',
  state: 'ready',
  power: 'running',
  failure: null,
  domain: 'www.example.com',
  domainState: 'active',
  secure: true,
  hasSite: true,
  isMoving: false,
  sitePorts: { http: 8080, https: 443 },
  defaultUrl: 'http://garden-x7k2p1.localhost:8080',
} as unknown as Project

const namesOf = (project: Project) => projectActions(project).map((action) => action.name)

/** Runs the action of a project with this name. */
function run(project: Project, actionName: string) {
  const action = projectActions(project).find((each) => each.name === actionName)
  if (!action?.run) throw new Error(`no action ${actionName}`)
  action.run()
}

describe('the palette for a project', () => {
  const open = vi.fn()
  const writeText = vi.fn(() => Promise.resolve())

  beforeEach(() => {
    vi.stubGlobal('open', open)
    vi.stubGlobal('navigator', { clipboard: { writeText } })
  })
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.clearAllMocks()
  })

  it('offers its site, its editor, its address, its logs, its backups and a release', () => {
    expect(namesOf(ready)).toEqual([
      m.projects_visit_named({ name }),
      m.projects_open_named({ name }),
      m.palette_project_copy({ name }),
      m.palette_project_logs({ name }),
      m.palette_project_backups({ name }),
      m.palette_project_deploy({ name }),
    ])
  })

  it('opens the site in a new tab', () => {
    run(ready, m.projects_visit_named({ name }))
    expect(open).toHaveBeenCalledExactlyOnceWith('https://www.example.com/', '_blank', 'noopener')
  })

  it('opens the editor of the site in a new tab, signed in', () => {
    run(ready, m.projects_open_named({ name }))
    expect(open).toHaveBeenCalledExactlyOnceWith(
      'https://www.example.com/yk/app/auth/oauth/cloud',
      '_blank',
      'noopener',
    )
  })

  it('copies the address of the site', () => {
    run(ready, m.palette_project_copy({ name }))
    expect(writeText).toHaveBeenCalledExactlyOnceWith('https://www.example.com/')
  })

  it('offers no editor for a site without one', () => {
    expect(namesOf({ ...ready, runtime: 'static' })).not.toContain(m.projects_open_named({ name }))
  })

  it('offers no site before there is one', () => {
    expect(namesOf({ ...ready, state: 'creating' })).toEqual([
      m.palette_project_logs({ name }),
      m.palette_project_backups({ name }),
      m.palette_project_deploy({ name }),
    ])
  })

  // Browsers offer the clipboard only on secure pages.
  it('offers no copy without a clipboard', () => {
    vi.stubGlobal('navigator', {})
    expect(namesOf(ready)).not.toContain(m.palette_project_copy({ name }))
  })
})
