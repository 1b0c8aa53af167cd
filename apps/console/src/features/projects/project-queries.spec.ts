import type { Project, ProjectId, ProjectKey } from '@slipway/contract/projects'
import type { TeamId } from '@slipway/contract/teams'
import { describe, expect, it } from 'vitest'
import { withProject } from './project-queries.ts'

const project = (changes: Partial<Project>): Project => ({
  id: 'one' as ProjectId,
  teamId: 'team' as TeamId,
  key: 'blog-x7k2p1' as ProjectKey,
  name: 'Blog',
  runtime: 'starter',
  state: 'ready',
  failure: null,
  power: 'running',
  suspension: null,
  domain: null,
  displayDomain: null,
  domainState: null,
  software: null,
  secure: false,
  hasSite: true,
  isMoving: false,
  sitePorts: { http: 8080, https: 8443 },
  controllerDomain: 'gateway.example',
  defaultUrl: 'http://blog-x7k2p1.localhost:8080',
  picture: null,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
  ...changes,
})
const other = project({ id: 'two' as ProjectId })

describe('a project from a response in the list', () => {
  it('comes first if it is new', () => {
    const created = project({ state: 'pending' })
    expect(withProject([other], created)).toEqual([created, other])
  })

  it('replaces the cached project at its position', () => {
    const renamed = project({ name: 'Journal', updatedAt: '2026-11-20T10:00:01.000Z' })
    expect(withProject([other, project({})], renamed)).toEqual([other, renamed])
  })

  it('does not overwrite a newer version from an event', () => {
    const ready = project({ updatedAt: '2026-11-20T10:00:02.000Z' })
    const late = project({ state: 'pending', updatedAt: '2026-11-20T10:00:01.000Z' })
    expect(withProject([ready], late)).toEqual([ready])
  })
})
