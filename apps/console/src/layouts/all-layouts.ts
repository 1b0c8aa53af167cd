import type { LayoutName } from '../screens/screen-facts.ts'
import { layout as app } from './app.layout.ts'
import { layout as auth } from './auth.layout.ts'
import type { Layout } from './layout.ts'
import { layout as project } from './project.layout.ts'
import { layout as teams } from './teams.layout.ts'
import { layout as text } from './text.layout.ts'

export const layouts: Record<LayoutName, Layout> = { auth, text, app, teams, project }

/** The names of a layout and of its parents, the innermost first. */
export function layoutNamesFrom(name: LayoutName): LayoutName[] {
  const { parent } = layouts[name]
  return parent === undefined ? [name] : [name, ...layoutNamesFrom(parent)]
}
