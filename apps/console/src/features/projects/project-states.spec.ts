import {
  type ProjectFailure,
  type ProjectState,
  shownState,
  projectStates as states,
} from '@slipway/contract/projects'
import Hourglass from 'lucide-react/icons/hourglass'
import { describe, expect, it } from 'vitest'
import { projectStates } from './project-states.ts'

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
      states.map((state) => shownState({ state, power, failure: 'program_crashes' }))
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
      shownState({ state, power: 'running', failure })
    expect(shown('ready', 'program_crashes')).toBe('crashing')
    expect(shown('ready', 'out_of_memory')).toBe('crashing')
    expect(shown('ready', 'domain_not_routed')).toBe('ready')
    expect(shown('modifying', 'program_crashes')).toBe('modifying')
    expect(projectStates.crashing.tone).toBe('danger')
  })
})
