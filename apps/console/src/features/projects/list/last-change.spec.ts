import { expect, it } from 'vitest'
import { byLastChange } from './last-change.ts'

const project = (name: string, updatedAt: string) => ({ name, updatedAt })

it('the project that changed last comes first, equal times in the order of the response', () => {
  const projects = [
    project('A', '2026-11-01T10:00:00.000Z'),
    project('B', '2026-11-02T09:00:00.000Z'),
    project('C', '2026-11-01T10:00:00.000Z'),
  ]
  expect(byLastChange(projects).map(({ name }) => name)).toEqual(['B', 'A', 'C'])
})
