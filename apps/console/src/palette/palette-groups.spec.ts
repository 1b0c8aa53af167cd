import { m } from '@slipway/phrases'
import Globe from 'lucide-react/icons/globe'
import { expect, it } from 'vitest'
import { paletteGroups } from './palette-groups.ts'
import type { PaletteItem } from './palette-item.ts'

const project = (id: string, isDeleted: boolean): PaletteItem => ({
  id,
  name: id,
  category: 'Project',
  icon: Globe,
  to: `/projects/view/${id}`,
  isDeleted,
})

it('an empty query offers no deleted project', () => {
  const projects = [project('garden', true), project('shop', false)]
  const { groups } = paletteGroups('', {
    pages: [],
    actions: [],
    projects,
    index: [],
    recent: [],
  })
  expect(groups).toEqual([{ label: m.projects_title(), items: [projects[1]] }])
})
