import {
  type ProjectFailure,
  type ProjectState,
  type StateFields,
  shownState,
  projectStates as states,
} from '@slipway/contract/projects'
import Hourglass from 'lucide-react/icons/hourglass'
import { describe, expect, it } from 'vitest'
import { isEmpty, projectStates } from './project-states.ts'

const site = {
  state: 'ready',
  power: 'running',
  failure: null,
  hasSite: true,
  isMoving: false,
} as const

const statesWhere = (isMatch: (display: (typeof projectStates)[ProjectState]) => boolean) =>
  states.filter((state) => isMatch(projectStates[state]))

describe('project states', () => {
  it('have the labels of the specification', () => {
    expect(states.map((state) => projectStates[state].label())).toEqual([
      'Pending',
      'Creating',
      'Failed to Create',
      'Ready',
      'Modifying',
      'Deleting',
      'Deleted',
    ])
  })

  it('are primary when ready, secondary with an hourglass while pending, creating or modifying, otherwise danger', () => {
    expect(statesWhere(({ tone }) => tone === 'primary')).toEqual(['ready'])
    expect(statesWhere(({ tone }) => tone === 'secondary')).toEqual([
      'pending',
      'creating',
      'modifying',
    ])
    expect(statesWhere(({ icon }) => icon === Hourglass)).toEqual([
      'pending',
      'creating',
      'modifying',
    ])
    expect(statesWhere(({ tone }) => tone === 'danger')).toEqual([
      'failed_creating',
      'deleting',
      'deleted',
    ])
  })

  it('are not editable once the project is being deleted', () => {
    expect(statesWhere(({ isEditable }) => !isEditable)).toEqual(['deleting', 'deleted'])
  })

  it('are hidden by a stop or a suspension once the site is created', () => {
    const shown = (power: 'stopped' | 'suspended') =>
      states.map((state) => shownState({ ...site, state, power, failure: 'program_crashes' }))
    expect(shown('stopped')).toEqual([
      'pending',
      'creating',
      'failed_creating',
      'stopped',
      'stopped',
      'deleting',
      'deleted',
    ])
    expect(shown('suspended').slice(3, 5)).toEqual(['suspended', 'suspended'])
  })

  it('show that a ready site keeps crashing', () => {
    const shown = (state: ProjectState, failure: ProjectFailure | null) =>
      shownState({ ...site, state, failure })
    expect(shown('ready', 'program_crashes')).toBe('crashing')
    expect(shown('ready', 'out_of_memory')).toBe('crashing')
    expect(shown('ready', 'domain_not_routed')).toBe('ready')
    expect(shown('modifying', 'program_crashes')).toBe('modifying')
    expect(projectStates.crashing.tone).toBe('danger')
  })

  it('are ready only if visitors reach the site', () => {
    const shown = (changes: Partial<StateFields>) => shownState({ ...site, ...changes })
    expect(shown({})).toBe('ready')
    expect(shown({ hasSite: false })).toBe('not_live')
    expect(shown({ isMoving: true })).toBe('moving')
    expect(shown({ failure: 'disk_full' })).toBe('unreachable')
    expect(shown({ failure: 'change_unhealthy' })).toBe('ready')
    expect(shown({ hasSite: false, state: 'modifying' })).toBe('modifying')
    expect(shown({ hasSite: false, power: 'stopped' })).toBe('stopped')
  })

  it('have a first release to deploy until it is live', () => {
    expect(isEmpty({ state: 'ready', hasSite: false })).toBe(true)
    expect(isEmpty({ state: 'ready', hasSite: true })).toBe(false)
    expect(isEmpty({ state: 'failed_creating', hasSite: false })).toBe(false)
    expect(isEmpty({ state: 'deleted', hasSite: false })).toBe(false)
  })
})
