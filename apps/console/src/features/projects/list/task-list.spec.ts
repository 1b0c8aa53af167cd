import type { Invoice } from '@slipway/contract/invoices'
import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { describe, expect, it } from 'vitest'
import { paths } from '../../../paths.ts'
import { linesOf } from './task-list.tsx'
import { hasProblem } from './use-tasks.ts'

const name = 'Old Mill'
const running = {
  key: 'old-mill-x7k2p1',
  name,
  state: 'ready',
  power: 'running',
  failure: null,
  domainState: 'active',
  displayDomain: 'www.old-mill.example',
} as unknown as Project

/** The lines of the list for one project. */
const linesFor = (project: Project) =>
  linesOf({
    unpaid: [],
    projects: [project].filter(hasProblem),
    invitationCount: 0,
    replyCount: 0,
  }).map(({ isProblem, text, to }) => ({ isProblem, text, to }))

describe('the tasks that wait for the user', () => {
  it('have no line for a project that runs', () => {
    expect(linesFor(running)).toEqual([])
  })

  it('have a suspended project, with its page', () => {
    expect(linesFor({ ...running, power: 'suspended' })).toEqual([
      {
        isProblem: true,
        text: m.needs_project_suspended({ name }),
        to: paths.project(running.key),
      },
    ])
  })

  it('have a domain that no longer leads to its site, with the page of the domains', () => {
    expect(linesFor({ ...running, domainState: 'failed' })).toEqual([
      {
        isProblem: true,
        text: m.needs_domain_failed({ domain: 'www.old-mill.example', name }),
        to: paths.domains(running.key),
      },
    ])
  })

  it('have a project that could not be created, and one with a problem', () => {
    const to = paths.project(running.key)
    expect(linesFor({ ...running, state: 'failed_creating' })).toEqual([
      { isProblem: true, text: m.needs_project_failed({ name }), to },
    ])
    expect(linesFor({ ...running, failure: 'out_of_memory' })).toEqual([
      { isProblem: true, text: m.needs_project_problem({ name }), to },
    ])
  })

  it.each(['deleting', 'deleted'] as const)('have no line for a project that is %s', (state) => {
    expect(linesFor({ ...running, state, domainState: 'failed' })).toEqual([])
  })

  it('have an invoice that is not overdue after the problems', () => {
    const invoice = { amount: '10.08000', overdue: false } as unknown as Invoice
    const lines = linesOf({
      unpaid: [invoice],
      projects: [{ ...running, power: 'suspended' }],
      invitationCount: 1,
      replyCount: 0,
    })
    expect(lines.map(({ key }) => key)).toEqual([running.key, 'invoices', 'invitations'])
  })
})
